import { constants } from 'node:fs';
import { sightDocument } from '#core/document';
import type { Disk } from '#core/storage/disk';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** A file as it was last read: its identity and content hash, and the stat by which a later look may trust them. */
export interface SeenFile {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly inode: number;
  /** When it was read, in ms; a file touched about then is read again, whatever its stat says. */
  readonly readAt: number;
  readonly id: Uuid | null;
  readonly schema: string | null;
  readonly hash: ContentHash;
  readonly binary: boolean;
}

/** A link in the place of a file fails to open, and a pipe does not wait; Windows has neither flag. */
const withoutFollowing = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads identity and content hash of files, one after another, into memory that is used again. */
export class FileReader {
  readonly #disk: Disk;
  readonly #now: () => number;
  #buffer = Buffer.allocUnsafe(256 * 1024);

  constructor(disk: Disk, now: () => number) {
    this.#disk = disk;
    this.#now = now;
  }

  /** Null for what is no regular file (a link is never followed). */
  read(absolute: string, path: string): SeenFile | null {
    if (constants.O_NOFOLLOW === undefined && !this.#disk.lstatSync(absolute).isFile()) return null;
    const handle = this.#open(absolute);
    if (handle === null) return null;
    try {
      return this.#see(handle, path);
    } finally {
      this.#disk.closeSync(handle);
    }
  }

  /** Null for what cannot be opened because it is no regular file. */
  #open(absolute: string): number | null {
    try {
      return this.#disk.openSync(absolute, withoutFollowing);
    } catch (error) {
      if (!this.#disk.lstatSync(absolute).isFile()) return null;
      throw error;
    }
  }

  #see(handle: number, path: string): SeenFile | null {
    const stat = this.#disk.fstatSync(handle);
    if (!stat.isFile()) return null;
    const readAt = this.#now();
    const { binary, identity, contentHash } = sightDocument(this.#bytes(handle, stat.size), path);
    return {
      path,
      size: stat.size,
      mtime: stat.mtimeMs,
      ctime: stat.ctimeMs,
      inode: stat.ino,
      readAt,
      id: identity?.id ?? null,
      schema: identity?.schema ?? null,
      hash: contentHash,
      binary,
    };
  }

  /** The bytes of a file, about `size` of them. */
  #bytes(handle: number, size: number): Uint8Array {
    if (size >= this.#buffer.length) this.#buffer = Buffer.allocUnsafe(size + 64 * 1024);
    let filled = 0;
    for (;;) {
      const got = this.#disk.readSync(handle, this.#buffer, filled, this.#buffer.length - filled, null);
      filled += got;
      const isFull = filled === this.#buffer.length;
      // As many as there were when it was opened, and no more came though there was room: that is the end.
      if (got === 0 || (filled === size && !isFull)) return this.#buffer.subarray(0, filled);
      if (isFull) this.#buffer = Buffer.concat([this.#buffer, Buffer.allocUnsafe(filled)]);
    }
  }
}
