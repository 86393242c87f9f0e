import type { Resolution } from '#kernel/body-act';
import { confidences, edgeKinds, type Transformation } from '#kernel/body-transformation';
import type { Entry } from '#kernel/entry';
import { parseInstant } from '#kernel/instant';
import { wordsFromHex } from '#kernel/key-table';

/** What a packed line is: one of two kinds whose fields are all there as words, or any other, whose bytes follow. */
export const lineKinds = { transformation: 0, resolution: 1, other: 2 } as const;

/** Where the words of a packed line stand, from its first. Times and expiries take two. */
export const lineAt = { size: 0, kind: 1, offset: 2, length: 3, time: 4, id: 6, idem: 10, body: 14 } as const;
/** Of a transformation, from its first word; its inputs follow, then its outputs. */
export const writeAt = { confidence: 14, inputs: 15, outputs: 16, lists: 17 } as const;
/** Of an input, from its first word. Before each revision is room for the number of its object. */
export const inputAt = { object: 0, node: 4, revision: 5, flags: 13, size: 14 } as const;
/** Of an output, from its first word; its parents follow, each a revision with room before it. */
export const outputAt = { object: 0, node: 4, revision: 5, content: 13, isRight: 21, parents: 22, list: 23, parent: 9 } as const;
/** Of a ratification or a waiver, from its first word. */
export const resolutionAt = { input: 14, flags: 15, expires: 16, txf: 18, source: 22, node: 26, against: 27, size: 35 } as const;
/** Of a line that is kept as its bytes. */
export const bytesAt = 4;

/** Set in the flags of an input that makes an edge; its kind stands above. */
export const isDirect = 1;
/** Set in the flags of a resolution. */
export const isWaiver = 1;
/** Set in the flags of a resolution that an agent made under a grant. */
export const isDelegated = 2;

/**
 * Lines of one segment as words, one after another: what a ledger says without a text or an object, in an array that one
 * thread can fill and another read. Whoever reads a ledger fills the same batch again and again.
 */
export class LineBatch {
  words: Uint32Array;
  /** Where the next line goes. */
  end = 0;

  constructor(words: Uint32Array = new Uint32Array(1024)) {
    this.words = words;
  }

  /** Makes room for a line of so many bytes, which never takes more words than that; what is there stays. */
  reserve(bytes: number): void {
    const needed = this.end + wordsOf(bytes);
    if (needed <= this.words.length) return;
    const wider = new Uint32Array(Math.max(needed, this.words.length * 2));
    wider.set(this.words.subarray(0, this.end));
    this.words = wider;
  }

  /** Adds the bytes of a line that is neither a transformation nor a resolution, or is not written as those mostly are. */
  addBytes(source: Uint8Array, start: number, end: number, offset: number): void {
    const { words } = this;
    const line = this.end;
    const size = bytesAt + ((end - start + 3) >> 2);
    words[line + lineAt.size] = size;
    words[line + lineAt.kind] = lineKinds.other;
    words[line + lineAt.offset] = offset;
    words[line + lineAt.length] = end - start;
    bytesOf(words, line).set(source.subarray(start, end));
    this.end += size;
  }
}

/** The most words that a line of so many bytes takes. */
export const wordsOf = (bytes: number) => (bytes >> 2) + 64;

/** The bytes of a line that is kept as such. */
export function bytesOf(words: Uint32Array, line: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + (line + bytesAt) * 4, words[line + lineAt.length]!);
}

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);

/** Puts a number into two words. */
export function putFloat(words: Uint32Array, at: number, value: number): void {
  float[0] = value;
  words[at] = halves[0]!;
  words[at + 1] = halves[1]!;
}

/** The number that stands in two words. */
export function floatAt(words: Uint32Array, at: number): number {
  halves[0] = words[at]!;
  halves[1] = words[at + 1]!;
  return float[0]!;
}

/** An entry that was parsed the slow way, as words; only the head of one that is neither a transformation nor a resolution. */
export function packedEntry(entry: Entry, place: { offset: number; length: number }): Uint32Array {
  const words = new Uint32Array(sizeOf(entry));
  words[lineAt.size] = words.length;
  words[lineAt.kind] = lineKinds.other;
  words[lineAt.offset] = place.offset;
  words[lineAt.length] = place.length;
  putFloat(words, lineAt.time, entry.instant);
  wordsFromHex(entry.id, 0, 4, words, lineAt.id);
  wordsFromHex(entry.idem, 0, 4, words, lineAt.idem);
  if (entry.kind === 'transformation') putTransformation(words, entry.body);
  else if (entry.kind === 'ratification' || entry.kind === 'waiver') putResolution(words, entry.body, entry.kind === 'waiver');
  return words;
}

function sizeOf(entry: Entry): number {
  if (entry.kind !== 'transformation') return resolutionAt.size;
  const { inputs, outputs } = entry.body;
  const parents = outputs.reduce((sum, output) => sum + output.parents.length, 0);
  return writeAt.lists + inputs.length * inputAt.size + outputs.length * outputAt.list + parents * outputAt.parent;
}

function putTransformation(words: Uint32Array, { inputs, outputs, confidence }: Transformation): void {
  words[lineAt.kind] = lineKinds.transformation;
  words[writeAt.confidence] = confidences.indexOf(confidence);
  words[writeAt.inputs] = inputs.length;
  words[writeAt.outputs] = outputs.length;
  let at: number = writeAt.lists;
  for (const { object, revision, role, kind } of inputs) {
    wordsFromHex(object, 0, 4, words, at + inputAt.object);
    wordsFromHex(revision, 5, 8, words, at + inputAt.revision);
    words[at + inputAt.flags] = (role === 'direct' ? isDirect : 0) | (edgeKinds.indexOf(kind) << 1);
    at += inputAt.size;
  }
  for (const { object, revision, content_hash, parents } of outputs) {
    wordsFromHex(object, 0, 4, words, at + outputAt.object);
    wordsFromHex(revision, 5, 8, words, at + outputAt.revision);
    wordsFromHex(content_hash, 7, 8, words, at + outputAt.content);
    words[at + outputAt.parents] = parents.length;
    at += outputAt.list;
    for (const parent of parents) {
      wordsFromHex(parent, 5, 8, words, at + 1);
      at += outputAt.parent;
    }
  }
}

function putResolution(words: Uint32Array, body: Resolution, waives: boolean): void {
  words[lineAt.kind] = lineKinds.resolution;
  words[resolutionAt.input] = body.edge.input;
  words[resolutionAt.flags] = (waives ? isWaiver : 0) | (body.actor.type === 'human' ? 0 : isDelegated);
  putFloat(words, resolutionAt.expires, body.expires === null ? Number.NaN : (parseInstant(body.expires) ?? -1));
  wordsFromHex(body.edge.txf, 0, 4, words, resolutionAt.txf);
  wordsFromHex(body.upstream_object, 0, 4, words, resolutionAt.source);
  wordsFromHex(body.resolved_against, 5, 8, words, resolutionAt.against);
}
