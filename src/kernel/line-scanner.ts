import { agentTypes, confidences, edgeKinds } from '#kernel/body-transformation';
import { wordFromBytes } from '#kernel/key-table';
import type { TransformationRecord } from '#kernel/record';

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const opening = ascii('{"format":0,"id":"');
const afterId = ascii('","kind":"transformation","time":"');
const afterTime = ascii('","writer":"');
const afterWriter = ascii('","idem":"');
const afterIdem = ascii('","body":{"inputs":[');
const objectKey = ascii('{"object":"');
const revisionKey = ascii('","revision":"rev1:');
const directKey = ascii('","role":"direct"');
const contextualKey = ascii('","role":"contextual"');
const kindKey = ascii(',"kind":"');
const outputsKey = ascii('],"outputs":[');
const contentKey = ascii('","content_hash":"sha256:');
const parentsKey = ascii('","parents":[');
const parentKey = ascii('"rev1:');
const agentKey = ascii('],"agent":{"type":"');
const agentIdKey = ascii('","id":"');
const intentKey = ascii('},"intent":{"kind":"');
const summaryKey = ascii('","summary":"');
const confidenceKey = ascii('"},"confidence":"');
const closing = ascii('"}}');
const agents = agentTypes.map(ascii);
const kinds = edgeKinds.map(ascii);
const confidenceWords = confidences.map(ascii);

const comma = 0x2c;
const quote = 0x22;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/**
 * Reads a transformation line in the key order that we write, straight from its bytes, into `record`; false for
 * every other line, which then goes through `JSON.parse`. It accepts nothing that the parser would refuse: any
 * escape, any byte beyond ASCII, any other order or spacing is left to the parser. `end` is the line's end
 * without its newline.
 */
export function scanTransformation(source: Uint8Array, start: number, end: number, record: TransformationRecord): boolean {
  record.clear();
  let at = skip(source, start, opening);
  if (at < 0 || end - start < 300) return false;
  at = skip(source, uuid(source, at, record.id, 0), afterId);
  if (at < 0) return false;
  record.time = instant(source, at);
  if (Number.isNaN(record.time)) return false;
  at = skip(source, at + 24, afterTime);
  at = skip(source, at < 0 ? -1 : uuid(source, at, unusedUuid, 0), afterWriter);
  at = skip(source, at < 0 ? -1 : uuid(source, at, record.idem, 0), afterIdem);
  at = inputs(source, at, record);
  at = outputs(source, skip(source, at, outputsKey), record);
  at = authorship(source, skip(source, at, agentKey), end);
  at = confidence(source, skip(source, at, confidenceKey), record);
  return at >= 0 && skip(source, at, closing) === end;
}

const unusedUuid = new Uint32Array(4);

function skip(source: Uint8Array, at: number, text: Uint8Array): number {
  if (at < 0) return -1;
  const length = text.length;
  for (let i = 0; i < length; i++) if (source[at + i] !== text[i]) return -1;
  return at + length;
}

function uuid(source: Uint8Array, at: number, out: Uint32Array, to: number): number {
  if (at < 0 || source[at + 8] !== 0x2d || source[at + 13] !== 0x2d || source[at + 18] !== 0x2d || source[at + 23] !== 0x2d) return -1;
  const whole =
    wordFromBytes(source, at, at + 4, out, to) &&
    wordFromBytes(source, at + 9, at + 14, out, to + 1) &&
    wordFromBytes(source, at + 19, at + 24, out, to + 2) &&
    wordFromBytes(source, at + 28, at + 32, out, to + 3);
  return whole ? at + 36 : -1;
}

function hash(source: Uint8Array, from: number, out: Uint32Array, to: number): number {
  if (from < 0) return -1;
  let at = from;
  for (let word = 0; word < 8; word++, at += 8) if (!wordFromBytes(source, at, at + 4, out, to + word)) return -1;
  return at;
}

function inputs(source: Uint8Array, from: number, record: TransformationRecord): number {
  if (from < 0 || source[from] === closeBracket) return from;
  let at = from;
  for (;;) {
    const i = record.nextInput();
    at = skip(source, uuid(source, skip(source, at, objectKey), record.inputObject, i * 4), revisionKey);
    at = hash(source, at, record.inputRevision, i * 8);
    at = role(source, at, record, i);
    if (at < 0) return -1;
    if (source[at] === comma) at = inputKind(source, at, record, i);
    else record.inputKind[i] = 0;
    if (at < 0 || source[at++] !== closeBrace) return -1;
    if (source[at] !== comma) return at;
    at++;
  }
}

function role(source: Uint8Array, at: number, record: TransformationRecord, i: number): number {
  const direct = skip(source, at, directKey);
  record.inputDirect[i] = direct < 0 ? 0 : 1;
  return direct < 0 ? skip(source, at, contextualKey) : direct;
}

function inputKind(source: Uint8Array, from: number, record: TransformationRecord, i: number): number {
  const at = skip(source, from, kindKey);
  const kind = word(source, at, kinds);
  if (kind < 0) return -1;
  record.inputKind[i] = kind;
  return at + kinds[kind]!.length + 1;
}

function outputs(source: Uint8Array, from: number, record: TransformationRecord): number {
  let at = from;
  while (at >= 0) {
    const o = record.nextOutput();
    at = skip(source, uuid(source, skip(source, at, objectKey), record.outputObject, o * 4), revisionKey);
    at = skip(source, hash(source, at, record.outputRevision, o * 8), contentKey);
    at = skip(source, hash(source, at, record.outputContent, o * 8), parentsKey);
    at = parents(source, at, record);
    record.parentEnd[o] = record.parents;
    if (at < 0 || source[at] !== closeBracket || source[at + 1] !== closeBrace) return -1;
    at += 2;
    if (source[at] !== comma) return at;
    at++;
  }
  return -1;
}

function parents(source: Uint8Array, from: number, record: TransformationRecord): number {
  if (from < 0 || source[from] === closeBracket) return from;
  let at = from;
  for (;;) {
    at = hash(source, skip(source, at, parentKey), record.parent, record.nextParent() * 8);
    if (at < 0 || source[at] !== quote) return -1;
    if (source[at + 1] !== comma) return at + 1;
    at += 2;
  }
}

/** Over agent and intent to the quote that ends the summary; their texts are read from the ledger when shown. */
function authorship(source: Uint8Array, from: number, end: number): number {
  const agent = word(source, from, agents);
  if (agent < 0) return -1;
  let at = from + agents[agent]!.length;
  const id = skip(source, at, agentIdKey);
  if (id >= 0) at = text(source, id, end);
  if (at < 0 || source[at] !== quote) return -1;
  at = text(source, skip(source, at + 1, intentKey), end);
  return text(source, skip(source, at, summaryKey), end);
}

function confidence(source: Uint8Array, at: number, record: TransformationRecord): number {
  record.confidence = word(source, at, confidenceWords);
  return record.confidence < 0 ? -1 : at + confidenceWords[record.confidence]!.length;
}

/** To the quote that ends a string of plain ASCII; -1 where there is an escape, a control or another byte. */
function text(source: Uint8Array, from: number, end: number): number {
  if (from < 0) return -1;
  for (let at = from; at < end; at++) {
    const byte = source[at]!;
    if (byte === quote) return at;
    if (byte < 0x20 || byte > 0x7e || byte === 0x5c) return -1;
  }
  return -1;
}

/** Which of `words` stands at `at`, closed by a quote; -1 for none. */
function word(source: Uint8Array, at: number, words: readonly Uint8Array[]): number {
  for (let i = 0; i < words.length; i++) {
    const after = skip(source, at, words[i]!);
    if (after >= 0 && source[after] === quote) return i;
  }
  return -1;
}

/** `2026-01-31T10:00:00.000Z` as ms; NaN where it is written otherwise or names no instant. */
function instant(source: Uint8Array, at: number): number {
  const year = number(source, at, 4);
  const month = number(source, at + 5, 2);
  const day = number(source, at + 8, 2);
  const hour = number(source, at + 11, 2);
  const minute = number(source, at + 14, 2);
  const second = number(source, at + 17, 2);
  const milli = number(source, at + 20, 3);
  const marks = source[at + 4] === 0x2d && source[at + 7] === 0x2d && source[at + 10] === 0x54 && source[at + 13] === 0x3a;
  if (!marks || source[at + 16] !== 0x3a || source[at + 19] !== 0x2e || source[at + 23] !== 0x5a) return Number.NaN;
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour < 24 && minute < 60 && second < 60)) {
    return lateInMonth(year, month, day, hour, minute, second) ? Date.UTC(year, month - 1, day, hour, minute, second, milli) : Number.NaN;
  }
  return Date.UTC(year, month - 1, day, hour, minute, second, milli);
}

function lateInMonth(year: number, month: number, day: number, hour: number, minute: number, second: number): boolean {
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 29 && hour < 24 && minute < 60 && second < 60)) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function number(source: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let i = 0; i < digits; i++) {
    const digit = source[at + i]! - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
