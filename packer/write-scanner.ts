import { anyHash, hash, skip, text, uuid, word } from './byte-reader';
import {
  inputFlags,
  inputNode,
  inputObject,
  inputRevision,
  inputSize,
  isDirect,
  outputContent,
  outputIsRight,
  outputList,
  outputNode,
  outputObject,
  outputParents,
  outputRevision,
  parentSize,
  writeConfidence,
  writeInputs,
  writeLists,
  writeOutputs,
} from './line-batch';
import { checkOutput } from './revision-check';

// As in the kernel's `body-transformation.ts`.
const agents: StaticArray<string> = ['human', 'model', 'external', 'git'];
const kinds: StaticArray<string> = ['dependency', 'conformance', 'supersession', 'part-of', 'mention'];
const confidences: StaticArray<string> = ['exact', 'inferred', 'unknown'];

const comma: u8 = 0x2c;
const quote: u8 = 0x22;
const openBrace: u8 = 0x7b;
const closeBrace: u8 = 0x7d;
const closeBracket: u8 = 0x5d;
const letterA: u8 = 0x61;
const letterC: u8 = 0x63;
const letterK: u8 = 0x6b;

/** Where the next input, output or parent goes; the lists of one line are written one after another. */
let next: i32 = 0;

/** Whether the last line has an output whose name was left to be checked. */
export let hasUnchecked: bool = false;

// Where the digits of an output's name and content stand, and those of its last parent.
let name: i32 = 0;
let content: i32 = 0;
let parent: i32 = 0;

/** Reads the body of a transformation, from its first key, into the packed line; how many bytes that has then, 0 where it is left to the parser. */
export function scanWrite(from: i32, end: i32, line: i32): i32 {
  next = line + writeLists;
  hasUnchecked = false;
  store<u32>(line + writeInputs, 0);
  store<u32>(line + writeOutputs, 0);
  const at = load<u8>(from + 1) === letterA ? sortedBody(from, end, line) : ourBody(from, end, line);
  return at === end ? next - line : 0;
}

function ourBody(from: i32, end: i32, line: i32): i32 {
  let at = inputs(skip(from, '"inputs":['), line);
  at = outputs(skip(at, '],"outputs":['), line);
  at = agent(skip(at, '],"agent":{"type":"'));
  const id = skip(at, '","id":"');
  if (id >= 0) at = text(id, end);
  at = text(skip(at, '"},"intent":{"kind":"'), end);
  at = promptHash(text(skip(at, '","summary":"'), end));
  at = confidence(skip(at, '"},"confidence":"'), line);
  return skip(at, '"}}');
}

/** The body as VMark writes it, in the order of the alphabet. */
function sortedBody(from: i32, end: i32, line: i32): i32 {
  let at = skip(from, '"agent":{');
  const id = skip(at, '"id":"');
  at = agent(id < 0 ? skip(at, '"type":"') : skip(text(id, end), '","type":"'));
  at = confidence(skip(at, '"},"confidence":"'), line);
  at = inputs(skip(at, '","inputs":['), line);
  at = promptHash(text(skip(at, '],"intent":{"kind":"'), end));
  at = text(skip(at, '","summary":"'), end);
  at = outputs(skip(at, '"},"outputs":['), line);
  return skip(at, ']}}');
}

function agent(at: i32): i32 {
  const found = at < 0 ? -1 : word(at, agents);
  return found < 0 ? -1 : at + unchecked(agents[found]).length;
}

function inputs(from: i32, line: i32): i32 {
  if (from < 0 || load<u8>(from) === closeBracket) return from;
  let at = from;
  while (true) {
    if (load<u8>(at++) !== openBrace) return -1;
    const input = next;
    next += inputSize;
    store<u32>(line + writeInputs, load<u32>(line + writeInputs) + 1);
    store<u32>(input + inputNode, 0);
    store<u32>(input + inputFlags, 0);
    const isKindFirst = load<u8>(at + 1) === letterK;
    if (isKindFirst) at = skip(inputKind(skip(at, '"kind":"'), input), '",');
    at = skip(uuid(skip(at, '"object":"'), input + inputObject), '","revision":"rev1:');
    at = role(hash(at, input + inputRevision), input);
    if (at >= 0 && !isKindFirst && load<u8>(at) === comma) at = skip(inputKind(skip(at, ',"kind":"'), input), '"');
    if (at < 0 || load<u8>(at++) !== closeBrace) return -1;
    if (load<u8>(at++) !== comma) return at - 1;
  }
}

function role(at: i32, input: i32): i32 {
  const direct = skip(at, '","role":"direct"');
  if (direct < 0) return skip(at, '","role":"contextual"');
  store<u32>(input + inputFlags, load<u32>(input + inputFlags) | isDirect);
  return direct;
}

/** To the quote that ends the kind. */
function inputKind(at: i32, input: i32): i32 {
  const kind = at < 0 ? -1 : word(at, kinds);
  if (kind < 0) return -1;
  store<u32>(input + inputFlags, load<u32>(input + inputFlags) | (kind << 1));
  return at + unchecked(kinds[kind]).length;
}

function outputs(from: i32, line: i32): i32 {
  if (from < 0) return -1;
  let at = from;
  while (true) {
    if (load<u8>(at++) !== openBrace) return -1;
    const output = next;
    next += outputList;
    store<u32>(line + writeOutputs, load<u32>(line + writeOutputs) + 1);
    store<u32>(output + outputNode, 0);
    store<u32>(output + outputIsRight, 0);
    store<u32>(output + outputParents, 0);
    at = load<u8>(at + 1) === letterC ? sortedOutput(at, output) : ourOutput(at, output);
    if (at < 0 || load<u8>(at++) !== closeBrace) return -1;
    if (!checkOutput(output, name, content, parent)) hasUnchecked = true;
    if (load<u8>(at++) !== comma) return at - 1;
  }
}

function ourOutput(from: i32, output: i32): i32 {
  let at = skip(uuid(skip(from, '"object":"'), output + outputObject), '","revision":"rev1:');
  name = at;
  at = skip(hash(at, output + outputRevision), '","content_hash":"sha256:');
  content = at;
  at = skip(hash(at, output + outputContent), '","parents":[');
  at = parents(at, output);
  return at < 0 || load<u8>(at) !== closeBracket ? -1 : at + 1;
}

function sortedOutput(from: i32, output: i32): i32 {
  content = skip(from, '"content_hash":"sha256:');
  let at = hash(content, output + outputContent);
  at = skip(uuid(skip(at, '","object":"'), output + outputObject), '","parents":[');
  at = skip(parents(at, output), '],"revision":"rev1:');
  name = at;
  at = hash(at, output + outputRevision);
  return at < 0 || load<u8>(at) !== quote ? -1 : at + 1;
}

function parents(from: i32, output: i32): i32 {
  if (from < 0 || load<u8>(from) === closeBracket) return from;
  let at = from;
  while (true) {
    store<u32>(next, 0);
    parent = skip(at, '"rev1:');
    at = hash(parent, next + 4);
    next += parentSize;
    store<u32>(output + outputParents, load<u32>(output + outputParents) + 1);
    if (at < 0 || load<u8>(at) !== quote) return -1;
    if (load<u8>(at + 1) !== comma) return at + 1;
    at += 2;
  }
}

/** Over a prompt's hash, where one stands, to the quote that ends it. */
function promptHash(at: i32): i32 {
  const from = skip(at, '","prompt_hash":"sha256:');
  return from < 0 ? at : anyHash(from);
}

/** To the quote that ends the word. */
function confidence(at: i32, line: i32): i32 {
  const found = at < 0 ? -1 : word(at, confidences);
  if (found < 0) return -1;
  store<u32>(line + writeConfidence, found);
  return at + unchecked(confidences[found]).length;
}
