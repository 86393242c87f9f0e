// The packer of lines (`src/kernel/line-packer.ts`) for WebAssembly, in AssemblyScript. The kernel's own says what is right, and a law
// compares them (`test/core/storage/wasm-packer.test.ts`). `npm run packer` makes `src/core/storage/line-packer-module.ts` of it.
import { anyUuid, instant, newline, skip, uuid, word } from './byte-reader';
import {
  bytesHead,
  isWaiver,
  lineId,
  lineIdem,
  lineKind,
  lineLength,
  lineOffset,
  lineSize,
  lineTime,
  other,
  resolution,
  resolutionFlags,
  transformation,
} from './line-batch';
import { scanResolution } from './resolution-scanner';
import { checkLine } from './revision-check';
import { hasUnchecked, scanWrite } from './write-scanner';

export { form, longForm, shortForm } from './revision-check';

const kinds: StaticArray<string> = ['transformation', 'ratification', 'waiver'];

/** Where memory begins that is not ours: room for lines and for words. */
export const room: i32 = (<i32>__heap_base + 15) & ~15;

/** Where the words of the last call end. */
export let wordsEnd: i32 = 0;

/**
 * Packs the whole lines that stand between `from` and `to`, which begins at byte `base` of its segment; how many bytes they took.
 * It ends before the line for which there is no room between `words` and `limit`.
 */
export function pack(from: i32, to: i32, base: u32, words: i32, limit: i32): i32 {
  let start = from;
  wordsEnd = words;
  for (let end = newline(start, to); end >= 0; end = newline(start, to)) {
    if (wordsEnd + ((end - start) & ~3) + 256 > limit) break;
    if (end > start) wordsEnd += packLine(start, end, base + (start - from), wordsEnd);
    start = end + 1;
  }
  return start - from;
}

function packLine(start: i32, end: i32, offset: u32, line: i32): i32 {
  let size = scanLine(start, end, line);
  if (size === 0) size = keepBytes(start, end, line);
  store<u32>(line + lineSize, size >> 2);
  store<u32>(line + lineOffset, offset);
  store<u32>(line + lineLength, end - start);
  return size;
}

/** A line that is kept as its bytes. */
function keepBytes(start: i32, end: i32, line: i32): i32 {
  const size = bytesHead + ((end - start + 3) & ~3);
  store<u32>(line + lineKind, other);
  store<u32>(line + size - 4, 0);
  memory.copy(line + bytesHead, start, end - start);
  return size;
}

function scanLine(start: i32, end: i32, line: i32): i32 {
  if (end - start < 300) return 0;
  let at = skip(uuid(skip(start, '{"format":0,"id":"'), line + lineId), '","kind":"');
  const kind = at < 0 ? -1 : word(at, kinds);
  if (kind < 0) return 0;
  at = skip(at + unchecked(kinds[kind]).length, '","time":"');
  if (at < 0) return 0;
  const time = instant(at);
  if (!(time >= 0)) return 0;
  store<f64>(line + lineTime, time);
  at = skip(anyUuid(skip(at + 24, '","writer":"')), '","idem":"');
  at = skip(uuid(at, line + lineIdem), '","body":{');
  if (at < 0) return 0;
  const size = kind === 0 ? scanWrite(at, end, line) : scanResolution(at, end, line);
  if (size === 0) return 0;
  store<u32>(line + lineKind, kind === 0 ? transformation : resolution);
  if (kind !== 0) store<u32>(line + resolutionFlags, kind === 2 ? isWaiver : 0);
  else if (hasUnchecked) checkLine(line);
  return size;
}
