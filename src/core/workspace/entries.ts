import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { digest } from '#core/digest';
import type { Disk } from '#core/storage/disk';
import { decodeUtf8 } from '#core/storage/segment-reader';
import { ledgerFolder, listSegments, readFrom } from '#core/storage/segments';
import { compareEntries, dedupe, type Entry, parseLine } from '#kernel/entry';

/** A line of a segment that is no entry; `line` counts from 1, blank lines included. */
export interface BadLine {
  readonly segment: string;
  readonly line: number;
  readonly reason: string;
}

/** Every line of a ledger, read again and parsed whole. */
export interface WholeLedger {
  /** One entry per idem, in reader order. */
  readonly entries: readonly Entry[];
  readonly bad: readonly BadLine[];
  /** Lines of a newer format, which nobody here can read. */
  readonly future: readonly { readonly segment: string; readonly line: number }[];
  /** Segments whose last line has no newline: a write that did not finish. */
  readonly torn: readonly string[];
  readonly segments: number;
  readonly bytes: number;
}

/** Reads all segments anew. Slower than the replica, and nothing is left out: for `log` and `verify`. */
export async function readWholeLedger(disk: Disk, vmark: string): Promise<WholeLedger> {
  const folder = ledgerFolder(vmark);
  const entries: Entry[] = [];
  const bad: BadLine[] = [];
  const torn: string[] = [];
  const future: { segment: string; line: number }[] = [];
  let size = 0;
  const names = [...listSegments(disk, folder).keys()];
  for (const segment of names) {
    const bytes = readFrom(disk, join(folder, segment), 0);
    size += bytes.length;
    if (bytes.length > 0 && bytes[bytes.length - 1] !== 0x0a) torn.push(segment);
    for (const { line, text, isTail } of linesOf(bytes)) {
      const parsed = text === null ? { kind: 'malformed' as const, reason: 'not UTF-8' } : parseLine(text, digest);
      if (parsed.kind === 'entry') entries.push(parsed.entry);
      else if (parsed.kind === 'future') future.push({ segment, line });
      // What follows the last newline and is no entry yet is a write that did not finish: it is torn, not malformed.
      else if (parsed.kind === 'malformed' && !isTail) bad.push({ segment, line, reason: parsed.reason });
    }
    await setImmediate();
  }
  return { entries: dedupe(entries).sort(compareEntries), bad, future, torn, segments: names.length, bytes: size };
}

function* linesOf(bytes: Buffer): Generator<{ line: number; text: string | null; isTail: boolean }> {
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    yield { line, text: decodeUtf8(bytes, start, end), isTail: newline < 0 };
    start = end + 1;
  }
}
