import { constants } from 'node:fs';
import { join } from 'node:path';
import { type Disk, isMissing, makeFolder, syncFolder, writeAll } from '#core/storage/disk';
import { isElsewhere, ledgerFolder, type SegmentStat, statOf } from '#core/storage/segments';

/** Past this size the writer starts its next segment (`spec/format.md` §5). */
export const segmentLimit = 8 * 1024 * 1024;

/** How long own lines are looked for before each append, in ms: a `git stash -u` deletes what it read a moment before. */
const freshFor = 10_000;

/** How many segments are begun for one append: a disk on which none can be found again would be filled. */
const mostTries = 8;

/** What an append did: where the lines begin, and the segment's stat before it (null: it was made) and after. */
export interface Appended {
  readonly name: string;
  readonly offset: number;
  readonly bytes: Buffer;
  readonly before: SegmentStat | null;
  readonly stat: SegmentStat;
}

/** Lines that were appended, and the segment that they were appended to. */
export interface Written {
  readonly name: string;
  readonly lines: string;
}

/** The segment names that git's index holds; `unknown` while git is writing it or cannot be asked. */
export type Tracked = ReadonlySet<string> | 'unknown';

/** Appends whole lines to the segments of one writer. */
export interface Appender {
  /**
   * Returns once the lines would survive a power cut, in a file that stands under its name and that git does not
   * track: a line in a tracked one would make git refuse to switch (ADR 0002). Lines that were `missing` go before.
   */
  append(lines: string, tracked: Tracked, again?: readonly Written[]): Appended;
  /** The lines of appends that are only moments old, whose segments are gone or shorter now. */
  missing(): readonly Written[];
}

interface Fresh extends Written {
  readonly end: number;
  readonly at: number;
}

/** What an appender asks of its surroundings: ms since 1970, and random hex digits, four at least. */
export interface SegmentNames {
  now(): number;
  hex(): string;
}

/** Makes the appender of `writer` in the ledger of `vmark`. */
export function createAppender(disk: Disk, vmark: string, writer: string, names: SegmentNames): Appender {
  const folder = ledgerFolder(vmark);
  let last: Appended | null = null;
  let fresh: Fresh[] = [];
  const choose = (tracked: Tracked): string | null => {
    if (tracked === 'unknown') return null;
    if (last !== null && !tracked.has(last.name)) return last.name;
    makeFolder(disk, folder);
    return openSegment(disk, folder, writer, tracked);
  };
  return {
    append(asked, tracked, again = []) {
      if (isElsewhere(disk, folder)) throw Object.assign(new Error('A link stands where the ledger belongs.'), { code: 'ENOTDIR' });
      const lines = again.map((written) => written.lines).join('') + asked;
      const bytes = Buffer.from(lines, 'utf8');
      let appended: Appended | null = null;
      for (let name = choose(tracked), tries = 0; appended === null; name = null) {
        if (tries++ === mostTries) throw Object.assign(new Error('No segment stays where it is written.'), { code: 'EIO' });
        if (name === null) makeFolder(disk, folder);
        appended = appendTo(disk, folder, { name: name ?? freshName(writer, names), isNew: name === null, last }, bytes);
      }
      last = appended;
      if (again.length > 0) fresh = fresh.filter((one) => !again.includes(one));
      fresh.push({ name: appended.name, end: appended.offset + bytes.length, lines, at: names.now() });
      return appended;
    },
    missing() {
      if (isElsewhere(disk, folder)) return [];
      const now = names.now();
      if (fresh.some(({ at }) => Math.abs(now - at) >= freshFor)) fresh = fresh.filter(({ at }) => Math.abs(now - at) < freshFor);
      const sizes = new Map<string, number>();
      const isShorter = ({ name, end }: Fresh) => {
        const size = sizes.get(name) ?? sizeIfKnown(disk, join(folder, name));
        sizes.set(name, size);
        return size < end;
      };
      return fresh.filter(isShorter);
    },
  };
}

/** No name is made twice: one from before a ledger, made again on another branch, would block the way back. */
function freshName(writer: string, names: SegmentNames): string {
  return `${writer}-${names.now().toString(16).padStart(12, '0')}${names.hex().slice(-4)}.jsonl`;
}

/** A segment to append to, and what this process appended last. */
interface Target {
  readonly name: string;
  readonly isNew: boolean;
  readonly last: Appended | null;
}

/** Null when the file is full, is gone or was replaced under us: the lines are nowhere, or in a file without a name. */
function appendTo(disk: Disk, folder: string, { name, isNew, last }: Target, bytes: Buffer): Appended | null {
  const path = join(folder, name);
  const handle = openToAppend(disk, path, isNew);
  if (handle === null) return null;
  try {
    const before = disk.fstatSync(handle);
    if (before.size >= segmentLimit) return null;
    const isAsLeft = last !== null && last.stat.inode === before.ino && last.stat.size === before.size;
    const torn = before.size > 0 && !isAsLeft && !endsLine(disk, handle, before.size);
    const offset = before.size + (torn ? 1 : 0);
    writeAll(disk, handle, torn ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes);
    disk.fdatasyncSync(handle);
    const stat = statIfReadable(disk, path);
    if (stat === null || stat.inode !== before.ino) return null;
    if (isNew) syncFolder(disk, folder);
    return { name, offset, bytes, before: isNew ? null : { inode: before.ino, size: before.size, mtime: before.mtimeMs }, stat };
  } finally {
    disk.closeSync(handle);
  }
}

// A link in a ledger from elsewhere may lead anywhere; Windows knows no such flag, and asks before it makes a link.
const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDWR } = constants;

function openToAppend(disk: Disk, path: string, isNew: boolean): number | null {
  try {
    return disk.openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | (isNew ? O_CREAT | O_EXCL : 0), 0o666);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ELOOP' || (!isNew && isMissing(error))) return null;
    throw error;
  }
}

function endsLine(disk: Disk, handle: number, size: number): boolean {
  const end = Buffer.alloc(1);
  disk.readSync(handle, end, 0, 1, size - 1);
  return end[0] === 0x0a;
}

/** Whatever keeps it from being looked at: lines that cannot be found again are appended once more. */
function statIfReadable(disk: Disk, path: string): SegmentStat | null {
  try {
    return statOf(disk, path);
  } catch {
    return null;
  }
}

function sizeOf(disk: Disk, path: string): number {
  return statIfReadable(disk, path)?.size ?? 0;
}

/** Nothing for a segment that is gone; one that cannot be looked at is taken to be whole. */
function sizeIfKnown(disk: Disk, path: string): number {
  try {
    return statOf(disk, path).size;
  } catch (error) {
    return isMissing(error) ? 0 : Number.POSITIVE_INFINITY;
  }
}

/** The newest segment of ours that git does not track and that has room; null when there is none. */
function openSegment(disk: Disk, folder: string, writer: string, tracked: ReadonlySet<string>): string | null {
  const open = disk
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(writer) && entry.name.endsWith('.jsonl') && !tracked.has(entry.name))
    .map(({ name }) => ({ name, size: sizeOf(disk, join(folder, name)), mtime: statIfReadable(disk, join(folder, name))?.mtime ?? 0 }))
    .filter(({ size }) => size < segmentLimit)
    .sort((a, b) => b.mtime - a.mtime || (a.name < b.name ? -1 : 1));
  return open[0]?.name ?? null;
}
