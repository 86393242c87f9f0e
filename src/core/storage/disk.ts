import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/**
 * The file system as core uses it when something is at stake: a port, so that tests can make any single call
 * fail. Calls are synchronous: a durable append is one disk flush, and promises cost half as much again. `flush` is
 * for several files at once, which take a disk little longer than one, `read` for much that is read at once.
 */
export type Disk = Pick<
  typeof fs,
  | 'chmodSync'
  | 'chownSync'
  | 'closeSync'
  | 'existsSync'
  | 'fdatasyncSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'readSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeSync'
> & {
  flush(file: number): Promise<void>;
  read(file: number, room: Uint8Array, at: number): Promise<number>;
};

/** The real file system. */
export const realDisk: Disk = { ...fs, flush: promisify(fs.fsync), read };

function read(file: number, room: Uint8Array, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(file, room, 0, room.length, at, (error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** Writes all of `bytes` at the file's end or position; a short write goes on where it stopped. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += disk.writeSync(file, bytes, at, bytes.length - at);
}

/** Makes a folder and those above it. A system error says what is wrong: Node reports a read-only disk as ENOENT here. */
export function makeFolder(disk: Disk, folder: string): void {
  try {
    disk.mkdirSync(folder, { recursive: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
    let missing = folder;
    while (!disk.existsSync(dirname(missing)) && dirname(missing) !== missing) missing = dirname(missing);
    disk.mkdirSync(missing);
    disk.mkdirSync(folder, { recursive: true });
  }
}

/** Does what needs a folder, which is made where it is missing. */
export function inFolder<T>(disk: Disk, folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeFolder(disk, folder);
    return act();
  }
}

/** Makes a folder's entries durable, where the system can; failing that is no failure of the write. */
export function syncFolder(disk: Disk, folder: string): void {
  try {
    const handle = disk.openSync(folder, 'r');
    try {
      disk.fsyncSync(handle);
    } finally {
      disk.closeSync(handle);
    }
  } catch {
    // Windows and some network drives cannot open a folder; the rename itself has happened.
  }
}

/** Removes a file; that it is not there is fine, and so is that it cannot be removed. */
export function removeIfThere(disk: Disk, path: string): void {
  try {
    disk.unlinkSync(path);
  } catch {
    // A leftover temporary file is found by its name and never read as a document.
  }
}

/** The name of a temporary file beside `path`: hidden, told apart by `token`, and no longer than the 255 bytes of a name. */
export function besideName(path: string, token: string): string {
  const beginning = Buffer.from(basename(path)).subarray(0, 200).toString('utf8');
  return join(dirname(path), `.${beginning}.${token}.stemma-tmp`);
}

/**
 * Where a write to `path` goes: through links to what they point to, which need not be there. A circle of links is
 * the system's error. Links on the way stay in the path.
 */
export function realTarget(disk: Disk, path: string): string {
  if (!isLink(disk, path)) return path;
  try {
    return disk.realpathSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return realTarget(disk, resolve(dirname(path), disk.readlinkSync(path)));
  }
}

/** Whether a link stands at `path`; what cannot be looked at is none. */
export function isLink(disk: Disk, path: string): boolean {
  try {
    return disk.lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The content of a file, or null where there is none. Other errors are thrown. */
export function readIfThere(disk: Disk, path: string): Buffer | null {
  try {
    return disk.readFileSync(path) as Buffer;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether a system error says that the file, or a folder on the way, is not there. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
