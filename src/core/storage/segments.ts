import { createHash, type Hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Disk, isLink, isMissing } from '#core/storage/disk';

/** A segment file as it was last looked at: enough to see that it was touched since. */
export interface SegmentStat {
  readonly inode: number;
  readonly size: number;
  readonly mtime: number;
}

/** How far a segment has been read: `prefix` is the SHA-256 of its first `offset` bytes. */
export interface SegmentState extends SegmentStat {
  readonly name: string;
  readonly offset: number;
  readonly prefix: string;
}

/** The folder of a ledger's segments; any name that ends in `.jsonl` is one. */
export const ledgerFolder = (vmark: string) => join(vmark, 'ledger');

/** A ledger that a link leads to is none of this workspace's: nothing of it is read, and nothing is written there. */
export const isElsewhere = (disk: Disk, folder: string) => isLink(disk, folder) || isLink(disk, dirname(folder));

/** The segments that are there, by name, with their stats; a missing folder is an empty ledger, and so is one that a link leads to. */
export function listSegments(disk: Disk, folder: string): Map<string, SegmentStat> {
  const found = new Map<string, SegmentStat>();
  for (const name of segmentNames(disk, folder)) {
    const stat = statIfThere(disk, join(folder, name));
    if (stat !== null) found.set(name, stat);
  }
  return found;
}

/** The stat of one segment by path, or null where it is gone. */
export function statIfThere(disk: Disk, path: string): SegmentStat | null {
  try {
    return statOf(disk, path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function segmentNames(disk: Disk, folder: string): string[] {
  if (isElsewhere(disk, folder)) return [];
  try {
    const entries = disk.readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Equal stamps: no file came into the ledger's folder, left it or took another's place. A missing folder has one too. */
export function folderStamp(disk: Disk, folder: string): string {
  if (isElsewhere(disk, folder)) return 'none';
  try {
    const { ino, mtimeMs } = disk.statSync(folder);
    return `${ino} ${mtimeMs}`;
  } catch (error) {
    if (isMissing(error)) return 'none';
    throw error;
  }
}

/** The stat of one segment, by path. */
export function statOf(disk: Disk, path: string): SegmentStat {
  const { ino, size, mtimeMs } = disk.statSync(path);
  return { inode: ino, size, mtime: mtimeMs };
}

/** Whether a file is as it was. */
export function isUntouched(a: SegmentStat, b: SegmentStat): boolean {
  return a.inode === b.inode && a.size === b.size && a.mtime === b.mtime;
}

/** The bytes of a file from `from` to its end now. */
export function readFrom(disk: Disk, path: string, from: number): Buffer {
  const handle = disk.openSync(path, 'r');
  try {
    const size = disk.fstatSync(handle).size;
    const bytes = Buffer.allocUnsafe(Math.max(0, size - from));
    return bytes.subarray(0, fillFrom(disk, handle, bytes, from));
  } finally {
    disk.closeSync(handle);
  }
}

/** Fills `room` with what an open file holds from `from`; how many bytes there were. */
export function fillFrom(disk: Disk, handle: number, room: Buffer, from: number): number {
  let filled = 0;
  while (filled < room.length) {
    const got = disk.readSync(handle, room, filled, room.length - filled, from + filled);
    if (got === 0) break;
    filled += got;
  }
  return filled;
}

/** A running SHA-256 of what has been consumed of a segment. */
export class PrefixHash {
  #hash: Hash = createHash('sha256');

  /** Takes in the next bytes. */
  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The hash so far, in hex. */
  value(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** How much of a segment is read at once to be hashed, in bytes: memory that is used again costs less than memory that is new. */
const hashedAtOnce = 256 * 1024;

/** The hash of the first `length` bytes of a file; null where it holds fewer. */
export function hashPrefix(disk: Disk, path: string, length: number): PrefixHash | null {
  const hash = new PrefixHash();
  const room = Buffer.allocUnsafe(Math.min(length, hashedAtOnce));
  const handle = disk.openSync(path, 'r');
  try {
    for (let at = 0; at < length; ) {
      const got = disk.readSync(handle, room, 0, Math.min(room.length, length - at), at);
      if (got === 0) return null;
      hash.add(room.subarray(0, got));
      at += got;
    }
    return hash;
  } finally {
    disk.closeSync(handle);
  }
}
