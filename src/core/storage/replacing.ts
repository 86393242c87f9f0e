import { dirname } from 'node:path';
import { type Disk, removeIfThere, syncFolder, writeAll } from '#core/storage/disk';

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
  finishFlushed(disk, beginReplacing(disk, path, bytes, temporary, keep, check));
}

/** Flushes one file that is begun, and puts it in its place; on any error it is taken away, and that is thrown. */
export function finishFlushed(disk: Disk, begun: Begun): void {
  try {
    if (begun.file !== null) disk.fsyncSync(begun.file);
    begun.close();
    begun.finish();
  } catch (error) {
    begun.abandon();
    throw error;
  }
}

/** A file that is written, and still to be flushed, closed and put in its place, in this order; or to be taken away again. */
export interface Begun {
  /** Null where there is nothing to flush before it is finished. */
  readonly file: number | null;
  /** Closing it again does nothing. */
  close(): void;
  finish(): void;
  abandon(): void;
}

/** Writes what shall replace `path`. On any error the temporary file is gone, and the system's error is thrown. */
export function beginReplacing(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  temporary: string,
  keep?: Ownership,
  check: () => void = () => {},
): Begun {
  const mode = keep === undefined ? 0o666 : keep.mode & 0o7777;
  const finish = () => {
    check();
    disk.renameSync(temporary, path);
  };
  return beginFile(disk, { path: temporary, flags: 'wx', mode }, finish, (file) => {
    writeAll(disk, file, bytes);
    if (keep !== undefined) restoreOwnership(disk, temporary, keep);
  });
}

/** Makes a file and has `write` fill it; where that fails it is taken away again. */
export function beginFile(
  disk: Disk,
  { path, flags, mode = 0o666 }: { readonly path: string; readonly flags: string; readonly mode?: number },
  finish: () => void,
  write: (file: number) => void,
): Begun {
  const file = disk.openSync(path, flags, mode);
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    disk.closeSync(file);
  };
  const abandon = () => {
    closeQuietly(close);
    removeIfThere(disk, path);
  };
  try {
    write(file);
  } catch (error) {
    abandon();
    throw error;
  }
  return { file, close, finish, abandon };
}

function closeQuietly(close: () => void): void {
  try {
    close();
  } catch {
    // The handle is gone all the same, and why there is nothing to keep is said by who abandons it.
  }
}

/** Flushes files that are begun, at once; none is closed while another is still being flushed. The first error is thrown. */
export async function flushTogether(disk: Disk, begun: readonly Begun[]): Promise<void> {
  const flushed = await Promise.allSettled(begun.map(({ file }) => (file === null ? null : disk.flush(file))));
  for (const one of flushed) if (one.status === 'rejected') throw one.reason;
  for (const one of begun) one.close();
}

/** As `syncFolder`, several at once. */
export async function syncFolders(disk: Disk, folders: Iterable<string>): Promise<void> {
  await Promise.all([...new Set(folders)].map((folder) => syncQuietly(disk, folder)));
}

async function syncQuietly(disk: Disk, folder: string): Promise<void> {
  try {
    const handle = disk.openSync(folder, 'r');
    try {
      await disk.flush(handle);
    } finally {
      disk.closeSync(handle);
    }
  } catch {
    // As above.
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
