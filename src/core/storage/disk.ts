import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The file system as core uses it when something is at stake: a port, so that tests can make any single call
 * fail. Calls are synchronous: a durable append is one disk flush, and promises cost half as much again.
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
>;

/** The real file system. */
export const realDisk: Disk = fs;

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

/** Replaces the content of a file that has several names, so that all of them show it. Not atomic: nothing that keeps the names is. */
export function writeInPlace(disk: Disk, path: string, bytes: Uint8Array): void {
  const handle = disk.openSync(path, 'r+');
  try {
    writeAll(disk, handle, bytes);
    disk.ftruncateSync(handle, bytes.length);
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

/** Who owns a file and what may be done with it, to be kept when its content is replaced. */
export interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Replaces `path` by `bytes`, whole or not at all: a temporary file beside it, flushed, renamed over it, and the
 * folder flushed. On any error the old file stands and the temporary one is gone; the system's error is thrown.
 * `check` runs at the last moment before the rename, and may still throw.
 */
export function writeAtomic(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  temporary: string,
  keep?: Ownership,
  check: () => void = () => {},
): void {
  replaceAtomic(disk, path, bytes, temporary, keep, check);
  syncFolder(disk, dirname(path));
}

/** The same without the flush of the folder: after a power cut the old file may stand again, whole. */
export function replaceAtomic(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  temporary: string,
  keep?: Ownership,
  check: () => void = () => {},
): void {
  const handle = disk.openSync(temporary, 'wx', keep === undefined ? 0o666 : keep.mode & 0o7777);
  try {
    try {
      writeAll(disk, handle, bytes);
      if (keep !== undefined) restoreOwnership(disk, temporary, keep);
      disk.fsyncSync(handle);
    } finally {
      disk.closeSync(handle);
    }
    check();
    disk.renameSync(temporary, path);
  } catch (error) {
    removeIfThere(disk, temporary);
    throw error;
  }
}

function restoreOwnership(disk: Disk, path: string, keep: Ownership): void {
  const made = disk.statSync(path);
  if (made.uid !== keep.uid || made.gid !== keep.gid) {
    const isGiven = isGivenTo(disk, path, keep.uid, keep.gid);
    // Only root may give a file away: the writer keeps it then, but those of its group go on having it.
    if (!isGiven && made.gid !== keep.gid) isGivenTo(disk, path, made.uid, keep.gid);
  }
  if ((made.mode & 0o7777) !== (keep.mode & 0o7777)) disk.chmodSync(path, keep.mode & 0o7777);
}

/** Gives a file away; false where that is not allowed. */
function isGivenTo(disk: Disk, path: string, uid: number, gid: number): boolean {
  try {
    disk.chownSync(path, uid, gid);
    return true;
  } catch {
    return false;
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
 * the system's error.
 */
export function realTarget(disk: Disk, path: string): string {
  try {
    return disk.realpathSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return isLink(disk, path) ? realTarget(disk, resolve(dirname(path), disk.readlinkSync(path))) : path;
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
