import type { EncodedRange, Encoding } from '#kernel/declaration-encoding';

/** Lowercase hex SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export type Sha256 = (data: Uint8Array | string) => string;

/** What a declaration's hashes are made of. */
export interface HashedParts {
  readonly encoding: Encoding;
  /** What it does; empty if it has no body. */
  readonly body: readonly EncodedRange[];
  /** How it is called: parameters, types, modifiers, decorators. */
  readonly shape: readonly EncodedRange[];
  readonly visibility: string;
  /** Its own name and its container's, as `encodedName`. */
  readonly names: readonly Uint8Array[];
}

/** The hashes of a `Declaration`. */
export interface Hashes {
  readonly bodyHash: string;
  readonly shapeHash: string;
  readonly signatureHash: string;
  readonly tokenHash: string;
}

/** Hashes body and signature, apart and together. */
export function hashParts({ encoding, body, shape, visibility, names }: HashedParts, sha256: Sha256): Hashes {
  const written = (ranges: readonly EncodedRange[]) =>
    ranges.filter(({ from, to }) => to > from).map((range) => encoding.bytes(range, names));
  const bodyHash = sha256(joined(written(body)));
  const shapeHash = sha256(joined(written(shape)));
  const signatureHash = sha256(`signature ${shapeHash} ${visibility}`);
  return { bodyHash, shapeHash, signatureHash, tokenHash: sha256(`declaration ${signatureHash} ${bodyHash}`) };
}

/** Parts one after the other, each with its length in front, and before all a byte that no single part begins with. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 4, 1));
  const view = new DataView(out.buffer);
  out[0] = 6;
  let at = 1;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    out.set(part, at + 4);
    at += part.length + 4;
  }
  return out;
}

/** Room for the grams of one body while they are sorted; used again and again. */
let room = { grams: new Uint32Array(1024), other: new Uint32Array(1024), places: new Uint32Array(257) };

/** The token trigrams of a body, hashed and sorted; a body of one or two tokens has one gram. */
export function trigramsOf(encoding: Encoding, body: readonly EncodedRange[], names: readonly Uint8Array[]): Uint32Array {
  const count = body.reduce((sum, { firstToken, lastToken }) => sum + lastToken - firstToken, 0);
  if (count + 2 > room.grams.length) room = { ...room, grams: new Uint32Array(count * 2), other: new Uint32Array(count * 2) };
  const { grams } = room;
  let at = 0;
  for (const range of body) {
    encoding.hashes(range, names, grams, at);
    at += range.lastToken - range.firstToken;
  }
  grams.fill(0, count, count + 2);
  const length = Math.max(Math.min(count, 1), count - 2);
  // In place: a gram is made of tokens that stand at its own place and after it.
  for (let i = 0; i < length; i++) {
    let hash = grams[i] as number;
    hash = Math.imul(hash ^ (grams[i + 1] as number), 0x85ebca6b) ^ (hash >>> 13);
    hash = Math.imul(hash ^ (grams[i + 2] as number), 0xc2b2ae35) ^ (hash >>> 16);
    grams[i] = hash;
  }
  if (length < 64) return grams.slice(0, length).sort();
  sort(length);
  return grams.slice(0, length);
}

/** Sorts the first grams as `sort` does it: by one byte after the other, where comparing takes longer. */
function sort(length: number): void {
  const { places } = room;
  let { grams: from, other: to } = room;
  for (let shift = 0; shift < 32; shift += 8) {
    places.fill(0);
    for (let i = 0; i < length; i++) places[(((from[i] as number) >>> shift) & 0xff) + 1]!++;
    for (let byte = 1; byte < 256; byte++) places[byte]! += places[byte - 1]!;
    for (let i = 0; i < length; i++) {
      const number = from[i] as number;
      to[places[(number >>> shift) & 0xff]!++] = number;
    }
    [from, to] = [to, from];
  }
}
