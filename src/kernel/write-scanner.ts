import { agentTypes, confidences, edgeKinds } from '#kernel/body-transformation';
import { ascii, hash, skip, text, unused, uuid, word } from '#kernel/byte-reader';
import { inputAt, isDirect, outputAt, writeAt } from '#kernel/line-batch';

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

/** Where the next input, output or parent goes; the lists of one line are written one after another. */
let next = 0;

/** Reads the body of a transformation, from its first key, into the packed line; how many words it has then, 0 where it is left to the parser. */
export function scanWrite(source: Uint8Array, from: number, end: number, words: Uint32Array, line: number): number {
  next = line + writeAt.lists;
  words[line + writeAt.inputs] = 0;
  words[line + writeAt.outputs] = 0;
  const isSorted = source[from + 1] === letterA;
  const at = isSorted ? sortedBody(source, from, end, words, line) : ourBody(source, from, end, words, line);
  return at === end ? next - line : 0;
}

function ourBody(source: Uint8Array, from: number, end: number, words: Uint32Array, line: number): number {
  let at = inputs(source, skip(source, from, ours.inputs), words, line);
  at = outputs(source, skip(source, at, ours.outputs), words, line);
  at = skip(source, at, ours.agent);
  const agent = at < 0 ? -1 : word(source, at, agents);
  if (agent < 0) return -1;
  at += agents[agent]!.length;
  const id = skip(source, at, ours.agentId);
  if (id >= 0) at = text(source, id, end);
  at = text(source, skip(source, at, ours.intent), end);
  at = promptHash(source, text(source, skip(source, at, summaryKey), end));
  at = confidence(source, skip(source, at, confidenceKey), words, line);
  return skip(source, at, ours.closing);
}

function sortedBody(source: Uint8Array, from: number, end: number, words: Uint32Array, line: number): number {
  let at = skip(source, from, sorted.agent);
  const id = skip(source, at, idKey);
  at = id < 0 ? skip(source, at, typeKey) : skip(source, text(source, id, end), sorted.agentType);
  const agent = at < 0 ? -1 : word(source, at, agents);
  if (agent < 0) return -1;
  at = confidence(source, skip(source, at + agents[agent]!.length, confidenceKey), words, line);
  at = inputs(source, skip(source, at, sorted.inputs), words, line);
  at = promptHash(source, text(source, skip(source, at, sorted.intent), end));
  at = text(source, skip(source, at, summaryKey), end);
  at = outputs(source, skip(source, at, sorted.outputs), words, line);
  return skip(source, at, sorted.closing);
}

function inputs(source: Uint8Array, from: number, words: Uint32Array, line: number): number {
  if (from < 0 || source[from] === closeBracket) return from;
  let at = from;
  for (;;) {
    if (source[at++] !== openBrace) return -1;
    const input = next;
    next += inputAt.size;
    words[line + writeAt.inputs]!++;
    words[input + inputAt.flags] = 0;
    const isKindFirst = source[at + 1] === letterK;
    if (isKindFirst) at = skip(source, inputKind(source, skip(source, at, sorted.kind), words, input), sorted.afterKind);
    at = skip(source, uuid(source, skip(source, at, objectKey), words, input + inputAt.object), revisionKey);
    at = role(source, hash(source, at, words, input + inputAt.revision), words, input);
    if (!isKindFirst && source[at] === comma) at = inputKind(source, skip(source, at, ours.kind), words, input) + 1;
    if (at <= 0 || source[at++] !== closeBrace) return -1;
    if (source[at] !== comma) return at;
    at++;
  }
}

function role(source: Uint8Array, at: number, words: Uint32Array, input: number): number {
  const direct = skip(source, at, directKey);
  if (direct < 0) return skip(source, at, contextualKey);
  words[input + inputAt.flags]! |= isDirect;
  return direct;
}

/** To the quote that ends the kind. */
function inputKind(source: Uint8Array, at: number, words: Uint32Array, input: number): number {
  const kind = at < 0 ? -1 : word(source, at, kinds);
  if (kind < 0) return -1;
  words[input + inputAt.flags]! |= kind << 1;
  return at + kinds[kind]!.length;
}

function outputs(source: Uint8Array, from: number, words: Uint32Array, line: number): number {
  let at = from;
  while (at >= 0) {
    if (source[at++] !== openBrace) return -1;
    const output = next;
    next += outputAt.list;
    words[line + writeAt.outputs]!++;
    words[output + outputAt.parents] = 0;
    at = source[at + 1] === letterC ? sortedOutput(source, at, words, output) : ourOutput(source, at, words, output);
    if (at < 0 || source[at++] !== closeBrace) return -1;
    if (source[at] !== comma) return at;
    at++;
  }
  return -1;
}

function ourOutput(source: Uint8Array, from: number, words: Uint32Array, output: number): number {
  let at = skip(source, uuid(source, skip(source, from, objectKey), words, output + outputAt.object), revisionKey);
  at = skip(source, hash(source, at, words, output + outputAt.revision), ours.content);
  at = skip(source, hash(source, at, words, output + outputAt.content), ours.parents);
  at = parents(source, at, words, output);
  return at < 0 || source[at] !== closeBracket ? -1 : at + 1;
}

function sortedOutput(source: Uint8Array, from: number, words: Uint32Array, output: number): number {
  let at = hash(source, skip(source, from, sorted.content), words, output + outputAt.content);
  at = skip(source, uuid(source, skip(source, at, sorted.object), words, output + outputAt.object), sorted.parents);
  at = skip(source, parents(source, at, words, output), sorted.revision);
  at = hash(source, at, words, output + outputAt.revision);
  return at < 0 || source[at] !== quote ? -1 : at + 1;
}

function parents(source: Uint8Array, from: number, words: Uint32Array, output: number): number {
  if (from < 0 || source[from] === closeBracket) return from;
  let at = from;
  for (;;) {
    at = hash(source, skip(source, at, parentKey), words, next + 1);
    next += outputAt.parent;
    words[output + outputAt.parents]!++;
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
function confidence(source: Uint8Array, at: number, words: Uint32Array, line: number): number {
  const found = at < 0 ? -1 : word(source, at, confidenceWords);
  if (found < 0) return -1;
  words[line + writeAt.confidence] = found;
  return at + confidenceWords[found]!.length;
}
