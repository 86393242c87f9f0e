import { constants } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { sightDocument } from '#core/document';
import { type Disk, isMissing } from '#core/storage/disk';
import type { Finding } from '#core/workspace/walk';
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

/** What a look at some files gave; `missing` are not there, `unreadable` are there and could not be read. */
export interface Look {
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly missing: ReadonlySet<string>;
  readonly unreadable: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  /** Whether every file is as the look before saw it, none more and none less. */
  readonly isSame: boolean;
}

/** File times are as coarse as two seconds on some disks: within that, an equal stat proves nothing. */
const coarsest = 2000;
/** The longest that a look keeps the event loop, in ms. */
const slice = 20;

/** Reads files, and only those that may have changed since it read them last. */
export class Sweep {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #now: () => number;
  #known: Map<string, SeenFile> = new Map();
  #missing: ReadonlySet<string> = new Set();
  #unsettled = 0;
  #buffer = Buffer.allocUnsafe(256 * 1024);

  constructor(disk: Disk, root: string, now: () => number) {
    this.#disk = disk;
    this.#root = root;
    this.#now = now;
  }

  /** What is known of files from earlier looks, to be kept in an index. */
  known(): Iterable<SeenFile> {
    return this.#known.values();
  }

  /** Takes over what another process knew. */
  recall(files: Iterable<SeenFile>): void {
    for (const file of files) this.#known.set(file.path, file);
  }

  /** Whether so many files were read since `settled` that remembering them is worth a write. */
  hasMuchNew(): boolean {
    return this.#unsettled > Math.max(20, this.#known.size / 20);
  }

  /** What is known now is kept. */
  settled(): void {
    this.#unsettled = 0;
  }

  /** Looks at every path; what is not among them is forgotten. */
  async look(paths: Iterable<string>): Promise<Look> {
    const files = new Map<string, SeenFile>();
    const missing = new Set<string>();
    const unreadable = new Set<string>();
    const findings: Finding[] = [];
    let since = performance.now();
    let asBefore = 0;
    for (const path of paths) {
      if (performance.now() - since > slice) {
        await setImmediate();
        since = performance.now();
      }
      try {
        const before = this.#known.get(path);
        const file = this.#one(path, before);
        if (file === null) continue;
        files.set(path, file);
        if (file === before) asBefore++;
      } catch (error) {
        if (isMissing(error)) missing.add(path);
        else {
          unreadable.add(path);
          findings.push({ code: 'unreadable', message: `${path} could not be read`, path });
        }
      }
    }
    const areKnown = asBefore === files.size && asBefore === this.#known.size;
    const isSame = unreadable.size === 0 && isEqual(missing, this.#missing) && areKnown;
    this.#known = files;
    this.#missing = missing;
    return { files, missing, unreadable, findings, isSame };
  }

  /** One file, from memory where its stat allows; null for what is no regular file (a link is never followed). */
  #one(path: string, before: SeenFile | undefined): SeenFile | null {
    // Not `join`: these are paths of a walk, and there are many.
    const absolute = `${this.#root}/${path}`;
    if (before !== undefined || constants.O_NOFOLLOW === undefined) {
      const stat = this.#disk.lstatSync(absolute);
      if (!stat.isFile()) return null;
      if (before !== undefined && isTrusted(before, stat)) return before;
    }
    const handle = this.#open(absolute);
    if (handle === null) return null;
    try {
      return this.#read(handle, path);
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

  #read(handle: number, path: string): SeenFile | null {
    const stat = this.#disk.fstatSync(handle);
    if (!stat.isFile()) return null;
    const readAt = this.#now();
    this.#unsettled++;
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

  /** The bytes of a file, about `size` of them, in a buffer that the next read uses again. */
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

/** A link in the place of a file fails to open, and a pipe does not wait; Windows has neither flag. */
const withoutFollowing = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function isTrusted(file: SeenFile, stat: { size: number; mtimeMs: number; ctimeMs: number; ino: number }): boolean {
  const isSame = file.size === stat.size && file.mtime === stat.mtimeMs && file.ctime === stat.ctimeMs && file.inode === stat.ino;
  return isSame && Math.max(file.mtime, file.ctime) + coarsest < file.readAt;
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((path) => b.has(path));
}
