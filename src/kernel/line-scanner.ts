import { agentTypes, confidences, edgeKinds } from '#kernel/body-transformation';
import { ascii, hash, instant, skip, text, uuid, word } from '#kernel/byte-reader';
import type { TransformationRecord } from '#kernel/record';

const opening = ascii('{"format":0,"id":"');
const afterId = ascii('","kind":"transformation","time":"');
const afterTime = ascii('","writer":"');
const afterWriter = ascii('","idem":"');
const afterIdem = ascii('","body":{');
const objectKey = ascii('"object":"');
const revisionKey = ascii('","revision":"rev1:');
const directKey = ascii('","role":"direct"');
const contextualKey = ascii('","role":"contextual"');
const parentKey = ascii('"rev1:');
const idKey = ascii('"id":"');
const typeKey = ascii('"type":"');
const promptKey = ascii('","prompt_hash":"sha256:');
const summaryKey = ascii('","summary":"');
const confidenceKey = ascii('"},"confidence":"');
const agents = agentTypes.map(ascii);
const kinds = edgeKinds.map(ascii);
const confidenceWords = confidences.map(ascii);

/** What only stands in a body in the order that we write. */
const ours = {
  inputs: ascii('"inputs":['),
  kind: ascii(',"kind":"'),
  outputs: ascii('],"outputs":['),
  content: ascii('","content_hash":"sha256:'),
  parents: ascii('","parents":['),
  agent: ascii('],"agent":{"type":"'),
  agentId: ascii('","id":"'),
  intent: ascii('"},"intent":{"kind":"'),
  closing: ascii('"}}'),
};
/** What only stands in a body in the order of the alphabet, as VMark writes it. */
const sorted = {
  agent: ascii('"agent":{'),
  agentType: ascii('","type":"'),
  inputs: ascii('","inputs":['),
  kind: ascii('"kind":"'),
  afterKind: ascii('",'),
  intent: ascii('],"intent":{"kind":"'),
  outputs: ascii('"},"outputs":['),
  content: ascii('"content_hash":"sha256:'),
  object: ascii('","object":"'),
  parents: ascii('","parents":['),
  revision: ascii('],"revision":"rev1:'),
  closing: ascii(']}}'),
};

const comma = 0x2c;
const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;
const letterA = 0x61;
const letterC = 0x63;
const letterK = 0x6b;

/**
 * Reads a transformation line whose keys stand in the order that we write, or that VMark writes, straight from its
 * bytes into `record`; false for every other line, which then goes through `JSON.parse`. It accepts nothing that the
 * parser would refuse: any escape, any byte beyond ASCII, any other order or spacing is left to the parser. `end` is
 * the line's end without its newline.
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
  at = skip(source, uuid(source, at, unused, 0), afterWriter);
  at = skip(source, uuid(source, at, record.idem, 0), afterIdem);
  at = source[at + 1] === letterA ? sortedBody(source, at, end, record) : ourBody(source, at, end, record);
  return at === end;
}

const unused = new Uint32Array(8);

function ourBody(source: Uint8Array, from: number, end: number, record: TransformationRecord): number {
  let at = inputs(source, skip(source, from, ours.inputs), record);
  at = outputs(source, skip(source, at, ours.outputs), record);
  at = skip(source, at, ours.agent);
  const agent = at < 0 ? -1 : word(source, at, agents);
  if (agent < 0) return -1;
  at += agents[agent]!.length;
  const id = skip(source, at, ours.agentId);
  if (id >= 0) at = text(source, id, end);
  at = text(source, skip(source, at, ours.intent), end);
  at = promptHash(source, text(source, skip(source, at, summaryKey), end));
  at = confidence(source, skip(source, at, confidenceKey), record);
  return skip(source, at, ours.closing);
}

function sortedBody(source: Uint8Array, from: number, end: number, record: TransformationRecord): number {
  let at = skip(source, from, sorted.agent);
  const id = skip(source, at, idKey);
  at = id < 0 ? skip(source, at, typeKey) : skip(source, text(source, id, end), sorted.agentType);
  const agent = at < 0 ? -1 : word(source, at, agents);
  if (agent < 0) return -1;
  at = confidence(source, skip(source, at + agents[agent]!.length, confidenceKey), record);
  at = inputs(source, skip(source, at, sorted.inputs), record);
  at = promptHash(source, text(source, skip(source, at, sorted.intent), end));
  at = text(source, skip(source, at, summaryKey), end);
  at = outputs(source, skip(source, at, sorted.outputs), record);
  return skip(source, at, sorted.closing);
}

function inputs(source: Uint8Array, from: number, record: TransformationRecord): number {
  if (from < 0 || source[from] === closeBracket) return from;
  let at = from;
  for (;;) {
    if (source[at++] !== openBrace) return -1;
    const i = record.nextInput();
    record.inputKind[i] = 0;
    const isKindFirst = source[at + 1] === letterK;
    if (isKindFirst) at = skip(source, inputKind(source, skip(source, at, sorted.kind), record, i), sorted.afterKind);
    at = skip(source, uuid(source, skip(source, at, objectKey), record.inputObject, i * 4), revisionKey);
    at = role(source, hash(source, at, record.inputRevision, i * 8), record, i);
    if (!isKindFirst && source[at] === comma) at = inputKind(source, skip(source, at, ours.kind), record, i) + 1;
    if (at <= 0 || source[at++] !== closeBrace) return -1;
    if (source[at] !== comma) return at;
    at++;
  }
}

function role(source: Uint8Array, at: number, record: TransformationRecord, i: number): number {
  const direct = skip(source, at, directKey);
  record.inputDirect[i] = direct < 0 ? 0 : 1;
  return direct < 0 ? skip(source, at, contextualKey) : direct;
}

/** To the quote that ends the kind. */
function inputKind(source: Uint8Array, at: number, record: TransformationRecord, i: number): number {
  const kind = at < 0 ? -1 : word(source, at, kinds);
  if (kind < 0) return -1;
  record.inputKind[i] = kind;
  return at + kinds[kind]!.length;
}

function outputs(source: Uint8Array, from: number, record: TransformationRecord): number {
  let at = from;
  while (at >= 0) {
    if (source[at++] !== openBrace) return -1;
    const o = record.nextOutput();
    at = source[at + 1] === letterC ? sortedOutput(source, at, record, o) : ourOutput(source, at, record, o);
    record.parentEnd[o] = record.parents;
    if (at < 0 || source[at++] !== closeBrace) return -1;
    if (source[at] !== comma) return at;
    at++;
  }
  return -1;
}

function ourOutput(source: Uint8Array, from: number, record: TransformationRecord, o: number): number {
  let at = skip(source, uuid(source, skip(source, from, objectKey), record.outputObject, o * 4), revisionKey);
  at = skip(source, hash(source, at, record.outputRevision, o * 8), ours.content);
  at = skip(source, hash(source, at, record.outputContent, o * 8), ours.parents);
  at = parents(source, at, record);
  return at < 0 || source[at] !== closeBracket ? -1 : at + 1;
}

function sortedOutput(source: Uint8Array, from: number, record: TransformationRecord, o: number): number {
  let at = hash(source, skip(source, from, sorted.content), record.outputContent, o * 8);
  at = skip(source, uuid(source, skip(source, at, sorted.object), record.outputObject, o * 4), sorted.parents);
  at = skip(source, parents(source, at, record), sorted.revision);
  at = hash(source, at, record.outputRevision, o * 8);
  return at < 0 || source[at] !== quote ? -1 : at + 1;
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

/** Over a prompt's hash, where one stands, to the quote that ends it. Like the texts it is read from the ledger when shown. */
function promptHash(source: Uint8Array, at: number): number {
  const from = skip(source, at, promptKey);
  return from < 0 ? at : hash(source, from, unused, 0);
}

/** To the quote that ends the word. */
function confidence(source: Uint8Array, at: number, record: TransformationRecord): number {
  record.confidence = at < 0 ? -1 : word(source, at, confidenceWords);
  return record.confidence < 0 ? -1 : at + confidenceWords[record.confidence]!.length;
}
