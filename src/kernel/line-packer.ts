import type { Digest } from '#kernel/digest';
import { type LineBatch, lineAt, lineKinds, wordsOf } from '#kernel/line-batch';
import { scanLine } from '#kernel/line-scanner';
import { revisionCheck } from '#kernel/revision-check';

const newline = 0x0a;

/** Packs the whole lines of `source`, which begins at byte `base` of its segment, behind what a batch holds; how many bytes they took. */
export type PackLines = (source: Uint8Array, base: number, batch: LineBatch) => number;

/**
 * Makes what packs lines. What follows the last newline is a write that never finished, or is under way. With `isBounded` the
 * batch is not made larger: it ends before the line for which there is no room.
 */
export function linePacker(digest: Digest, isBounded = false): PackLines {
  const check = revisionCheck(digest);

  const pack = (source: Uint8Array, start: number, end: number, offset: number, batch: LineBatch) => {
    const line = batch.end;
    const size = scanLine(source, start, end, batch.words, line);
    if (size === 0) return batch.addBytes(source, start, end, offset);
    batch.words[line + lineAt.offset] = offset;
    batch.words[line + lineAt.length] = end - start;
    if (batch.words[line + lineAt.kind] === lineKinds.transformation) check(batch.words, line);
    batch.end = line + size;
  };

  return (source, base, batch) => {
    let start = 0;
    for (let end = source.indexOf(newline); end >= 0; end = source.indexOf(newline, start)) {
      if (isBounded && batch.end + wordsOf(end - start) > batch.words.length) break;
      batch.reserve(end - start);
      if (end > start) pack(source, start, end, base + start, batch);
      start = end + 1;
    }
    return start;
  };
}
