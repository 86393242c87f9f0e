import { join } from 'node:path';
import { type Disk, makeFolder, syncFolder, writeAll } from '#core/storage/disk';
import { ledgerFolder, type SegmentStat, statOf } from '#core/storage/segments';

/** Past this size the writer starts its next segment (`spec/format.md` §5). */
export const segmentLimit = 8 * 1024 * 1024;

/** What an append did: where the lines begin, and the segment's stat after it. */
export interface Appended {
  readonly name: string;
  readonly offset: number;
  readonly bytes: Buffer;
  readonly stat: SegmentStat;
}

/** Appends whole lines to the segments of one writer. */
export interface Appender {
  /**
   * Returns once the lines would survive a power cut, in a file that stands under its name. `tracked` holds the
   * segment names that git has in HEAD: a line in one of those would make git refuse to switch (ADR 0002).
   */
  append(lines: string, tracked: ReadonlySet<string>): Appended;
}

/** Makes the appender of `writer` in the ledger of `vmark`. `newHex` gives eight hex digits. */
export function createAppender(disk: Disk, vmark: string, writer: string, newHex: () => string): Appender {
  const folder = ledgerFolder(vmark);
  let current: string | null = null;
  const choose = (tracked: ReadonlySet<string>): string => {
    if (current === null || tracked.has(current) || sizeOf(disk, join(folder, current)) >= segmentLimit) {
      current = chooseSegment(disk, folder, writer, tracked, newHex);
    }
    return current;
  };
  return {
    append(lines, tracked) {
      makeFolder(disk, folder);
      const bytes = Buffer.from(lines, 'utf8');
      for (;;) {
        const name = choose(tracked);
        const appended = appendTo(disk, folder, name, bytes);
        if (appended !== null) return appended;
      }
    },
  };
}

/** Null when the file was replaced under us meanwhile: the lines are in a file without a name, so once more. */
function appendTo(disk: Disk, folder: string, name: string, bytes: Buffer): Appended | null {
  const path = join(folder, name);
  const isNew = !disk.existsSync(path);
  const handle = disk.openSync(path, 'a+');
  try {
    const before = disk.fstatSync(handle);
    const torn = before.size > 0 && !endsLine(disk, handle, before.size);
    const offset = before.size + (torn ? 1 : 0);
    writeAll(disk, handle, torn ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes);
    disk.fsyncSync(handle);
    const stat = statIfThere(disk, path);
    if (stat === null || stat.inode !== before.ino) return null;
    if (isNew) syncFolder(disk, folder);
    return { name, offset, bytes, stat };
  } finally {
    disk.closeSync(handle);
  }
}

function endsLine(disk: Disk, handle: number, size: number): boolean {
  const last = Buffer.alloc(1);
  disk.readSync(handle, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

function statIfThere(disk: Disk, path: string): SegmentStat | null {
  try {
    return statOf(disk, path);
  } catch {
    return null;
  }
}

function sizeOf(disk: Disk, path: string): number {
  return statIfThere(disk, path)?.size ?? 0;
}

/** The newest segment of ours that git does not track and that has room; else a new name. */
function chooseSegment(disk: Disk, folder: string, writer: string, tracked: ReadonlySet<string>, newHex: () => string): string {
  const ours = disk.readdirSync(folder).filter((name) => name.startsWith(writer) && name.endsWith('.jsonl'));
  const open = ours
    .filter((name) => !tracked.has(name))
    .map((name) => ({ name, stat: statOf(disk, join(folder, name)) }))
    .filter(({ stat }) => stat.size < segmentLimit)
    .sort((a, b) => b.stat.mtime - a.stat.mtime || (a.name < b.name ? -1 : 1));
  if (open[0] !== undefined) return open[0].name;
  if (ours.length === 0) return `${writer}.jsonl`;
  if (ours.some((name) => tracked.has(name))) return `${writer}-${newHex()}.jsonl`;
  return `${writer}-${String(highestNumber(ours) + 1).padStart(3, '0')}.jsonl`;
}

function highestNumber(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/-(\d{3,})\.jsonl$/u.exec(name)?.[1] ?? 0)));
}
