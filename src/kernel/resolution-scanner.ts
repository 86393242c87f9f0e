import { ascii, hash, instant, number, skip, text, unused, uuid } from '#kernel/byte-reader';
import { putFloat, resolutionAt } from '#kernel/line-batch';

const txfKey = ascii('"txf":"');
const emptyText = ascii('null');
const quote = 0x22;
const letterA = 0x61;
const zero = 0x30;

/** What only stands in a body in the order that we write. */
const ours = {
  edge: ascii('"edge":{'),
  input: ascii('","input":'),
  source: ascii('},"upstream_object":"'),
  pinned: ascii('","pinned":"rev1:'),
  against: ascii('","resolved_against":"rev1:'),
  actor: ascii('","actor":{"type":"human","id":"'),
  reason: ascii('"},"reason":'),
  expires: ascii(',"expires":'),
  closing: ascii('}}'),
};
/** What only stands in a body in the order of the alphabet, as VMark writes it. */
const sorted = {
  actor: ascii('"actor":{"id":"'),
  edge: ascii('","type":"human"},"edge":{"input":'),
  txf: ascii(',"txf":"'),
  afterEdge: ascii('"}'),
  expires: ascii(',"expires":'),
  pinned: ascii(',"pinned":"rev1:'),
  reason: ascii('","reason":'),
  against: ascii(',"resolved_against":"rev1:'),
  source: ascii('","upstream_object":"'),
  closing: ascii('"}}'),
};

/**
 * Reads the body of a person's ratification or waiver, from its first key, into the packed line; how many words it has then, 0
 * where it is left to the parser. Those of agents, which name a grant, are rare.
 */
export function scanResolution(source: Uint8Array, from: number, end: number, words: Uint32Array, line: number): number {
  const isSorted = source[from + 1] === letterA;
  const at = isSorted ? sortedBody(source, from, end, words, line) : ourBody(source, from, end, words, line);
  return at === end ? resolutionAt.size : 0;
}

function ourBody(source: Uint8Array, from: number, end: number, words: Uint32Array, line: number): number {
  let at = skip(source, skip(source, from, ours.edge), txfKey);
  at = skip(source, uuid(source, at, words, line + resolutionAt.txf), ours.input);
  at = skip(source, inputNumber(source, at, words, line), ours.source);
  at = skip(source, uuid(source, at, words, line + resolutionAt.source), ours.pinned);
  at = skip(source, hash(source, at, unused, 0), ours.against);
  at = skip(source, hash(source, at, words, line + resolutionAt.against), ours.actor);
  at = skip(source, text(source, at, end), ours.reason);
  at = expiry(source, textOrNull(source, at, end), ours.expires, words, line);
  return skip(source, at, ours.closing);
}

function sortedBody(source: Uint8Array, from: number, end: number, words: Uint32Array, line: number): number {
  let at = text(source, skip(source, from, sorted.actor), end);
  at = skip(source, inputNumber(source, skip(source, at, sorted.edge), words, line), sorted.txf);
  at = skip(source, uuid(source, at, words, line + resolutionAt.txf), sorted.afterEdge);
  at = skip(source, expiry(source, at, sorted.expires, words, line), sorted.pinned);
  at = skip(source, hash(source, at, unused, 0), sorted.reason);
  at = skip(source, textOrNull(source, at, end), sorted.against);
  at = skip(source, hash(source, at, words, line + resolutionAt.against), sorted.source);
  return skip(source, uuid(source, at, words, line + resolutionAt.source), sorted.closing);
}

/** A whole number below 2^32 as JSON has it. */
function inputNumber(source: Uint8Array, at: number, words: Uint32Array, line: number): number {
  if (at < 0) return -1;
  let digits = 0;
  while (digits < 11 && source[at + digits]! >= zero && source[at + digits]! <= zero + 9) digits++;
  const input = number(source, at, digits);
  if (digits === 0 || input > 0xffff_ffff || (digits > 1 && source[at] === zero)) return -1;
  words[line + resolutionAt.input] = input;
  return at + digits;
}

/** Over a text with its quotes, or a null. */
function textOrNull(source: Uint8Array, at: number, end: number): number {
  if (at < 0 || source[at] !== quote) return skip(source, at, emptyText);
  const to = text(source, at + 1, end);
  return to < 0 ? -1 : to + 1;
}

/** Over the expiry, where one is given: null, or an instant as we write it. */
function expiry(source: Uint8Array, from: number, key: Uint8Array, words: Uint32Array, line: number): number {
  const at = skip(source, from, key);
  const isGiven = at >= 0 && source[at] === quote;
  const time = isGiven ? instant(source, at + 1) : Number.NaN;
  putFloat(words, line + resolutionAt.expires, time);
  if (!isGiven) return at < 0 ? from : skip(source, at, emptyText);
  return Number.isNaN(time) || source[at + 25] !== quote ? -1 : at + 26;
}
