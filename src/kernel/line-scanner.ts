import { ascii, instant, skip, unused, uuid, word } from '#kernel/byte-reader';
import { isWaiver, lineAt, lineKinds, putFloat, resolutionAt } from '#kernel/line-batch';
import { scanResolution } from '#kernel/resolution-scanner';
import { scanWrite } from '#kernel/write-scanner';

const opening = ascii('{"format":0,"id":"');
const afterId = ascii('","kind":"');
const kinds = ['transformation', 'ratification', 'waiver'].map(ascii);
const afterKind = ascii('","time":"');
const afterTime = ascii('","writer":"');
const afterWriter = ascii('","idem":"');
const afterIdem = ascii('","body":{');

/**
 * Reads a line whose keys stand in the order that we write, or that VMark writes, straight from its bytes into words that
 * have room for it. Answers how many words it took, 0 for every other line, which then goes through `JSON.parse`. It accepts
 * nothing that the parser would refuse: any escape, any byte beyond ASCII, any other order or spacing is left to the parser.
 * `end` is the line's end without its newline. Where the line stands, and whether revisions are named rightly, is for others to say.
 */
export function scanLine(source: Uint8Array, start: number, end: number, words: Uint32Array, line: number): number {
  if (end - start < 300) return 0;
  let at = skip(source, uuid(source, skip(source, start, opening), words, line + lineAt.id), afterId);
  const kind = at < 0 ? -1 : word(source, at, kinds);
  if (kind < 0) return 0;
  at = skip(source, at + kinds[kind]!.length, afterKind);
  const time = at < 0 ? Number.NaN : instant(source, at);
  if (Number.isNaN(time)) return 0;
  putFloat(words, line + lineAt.time, time);
  at = skip(source, at + 24, afterTime);
  at = skip(source, uuid(source, at, unused, 0), afterWriter);
  at = skip(source, uuid(source, at, words, line + lineAt.idem), afterIdem);
  if (at < 0) return 0;
  const size = kind === 0 ? scanWrite(source, at, end, words, line) : scanResolution(source, at, end, words, line);
  if (size === 0) return 0;
  words[line + lineAt.size] = size;
  words[line + lineAt.kind] = kind === 0 ? lineKinds.transformation : lineKinds.resolution;
  if (kind !== 0) words[line + resolutionAt.flags] = kinds[kind]!.length === 6 ? isWaiver : 0;
  return size;
}
