/**
 * The normalised form of code as bytes: a tree in which every node carries its class and every text its length, so that two
 * different trees never give the same bytes. Tokens (the leaves) are also listed, for own names and for similarity.
 */
export interface Encoding {
  /** Forgets what was written, and keeps the room for it. */
  clear(): void;
  /** How many bytes were written. */
  length(): number;
  /** How many tokens were written. */
  tokens(): number;
  /** Begins a node of a class. */
  open(tag: number): void;
  /** Ends the node that was begun last. */
  close(): void;
  /** A token without text: its class says all. */
  mark(tag: number): void;
  /** A token with a text; `reference` if it may name the declaration itself. CRLF counts as LF. */
  leaf(tag: number, text: string, from: number, to: number, reference: boolean): void;
  /** The hash of the token that is `back` tokens before the next one; 0 if there is none. */
  recent(back: number): number;
  /** The bytes from `from` to `to`, with each reference to one of `names` replaced by its place in that list. */
  bytes(range: EncodedRange, names: readonly Uint8Array[]): Uint8Array;
  /** Writes the hashes of the tokens of a range, references to `names` replaced, into `out` from `at` on. */
  hashes(range: EncodedRange, names: readonly Uint8Array[], out: Uint32Array, at: number): void;
}

/** A part of an encoding: bytes and tokens. */
export interface EncodedRange {
  readonly from: number;
  readonly to: number;
  readonly firstToken: number;
  readonly lastToken: number;
}

const OPEN = 1;
const CLOSE = 2;
const MARK = 3;
const LEAF = 4;
const OWN = 5;

/** The class of a node, from its name: the same in every grammar that uses the name. 32 bits (FNV-1a). */
export function tagOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const mixed = (tag: number, hash: number): number => Math.imul(tag ^ (hash >>> 15) ^ hash, 0x9e3779b1) >>> 0;

/** The hash that `recent` and `hashes` give for a token with this class and text. */
export const tokenHash = (tag: number, text: string): number => mixed(tag, text === '' ? 0 : tagOf(text));

/** An empty encoding. It grows as needed. */
export function createEncoding(): Encoding {
  let bytes = new Uint8Array(1024);
  let at = 0;
  let count = 0;
  let tokenHashes = new Uint32Array(64);
  let tokenStarts = new Uint32Array(64);
  /** Where the text of a reference begins; 0 for all other tokens. */
  let textStarts = new Uint32Array(64);

  function reserve(more: number): void {
    if (at + more > bytes.length) {
      const larger = new Uint8Array(Math.max(bytes.length * 2, at + more));
      larger.set(bytes);
      bytes = larger;
    }
    if (count === tokenHashes.length) {
      tokenHashes = grown(tokenHashes);
      tokenStarts = grown(tokenStarts);
      textStarts = grown(textStarts);
    }
  }

  function head(marker: number, tag: number): void {
    bytes[at++] = marker;
    bytes[at++] = tag;
    bytes[at++] = tag >>> 8;
    bytes[at++] = tag >>> 16;
    bytes[at++] = tag >>> 24;
  }

  function token(tag: number, hash: number, start: number, textStart: number): void {
    tokenHashes[count] = mixed(tag, hash);
    tokenStarts[count] = start;
    textStarts[count++] = textStart;
  }

  function isName(index: number, name: Uint8Array): boolean {
    const start = textStarts[index] as number;
    if (start === 0) return false;
    const end = index + 1 < count ? (tokenStarts[index + 1] as number) : at;
    if (readLength(bytes, start - 4) !== name.length || start + name.length > end) return false;
    for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
    return true;
  }

  function which(index: number, names: readonly Uint8Array[]): number {
    if (textStarts[index] === 0) return -1;
    for (let name = 0; name < names.length; name++) if (isName(index, names[name] as Uint8Array)) return name;
    return -1;
  }

  return {
    clear() {
      at = 0;
      count = 0;
    },
    length: () => at,
    tokens: () => count,
    open(tag) {
      reserve(5);
      head(OPEN, tag);
    },
    close() {
      reserve(1);
      bytes[at++] = CLOSE;
    },
    mark(tag) {
      reserve(5);
      token(tag, 0, at, 0);
      head(MARK, tag);
    },
    leaf(tag, text, from, to, reference) {
      reserve(9 + (to - from) * 3);
      const start = at;
      head(LEAF, tag);
      at += 4;
      const textStart = at;
      let hash = 0x811c9dc5;
      for (let i = from; i < to; i++) {
        const code = text.charCodeAt(i);
        if (code === 13 && text.charCodeAt(i + 1) === 10) continue;
        hash = Math.imul(hash ^ code, 0x01000193);
        if (code < 0x80) bytes[at++] = code;
        else at = writeWide(bytes, at, code);
      }
      writeLength(bytes, textStart - 4, at - textStart);
      token(tag, hash >>> 0, start, reference ? textStart : 0);
    },
    recent: (back) => (back > count ? 0 : (tokenHashes[count - back] as number)),
    bytes(range, names) {
      const found: [token: number, name: number][] = [];
      if (names.length > 0)
        for (let i = range.firstToken; i < range.lastToken; i++) {
          const name = which(i, names);
          if (name >= 0) found.push([i, name]);
        }
      if (found.length === 0) return bytes.subarray(range.from, range.to);
      const out = new Uint8Array(range.to - range.from + found.length * 2);
      let length = 0;
      let copied = range.from;
      for (const [index, name] of found) {
        const start = tokenStarts[index] as number;
        out.set(bytes.subarray(copied, start), length);
        length += start - copied;
        out[length++] = OWN;
        out[length++] = name;
        const text = textStarts[index] as number;
        copied = text + readLength(bytes, text - 4);
      }
      out.set(bytes.subarray(copied, range.to), length);
      return out.subarray(0, length + range.to - copied);
    },
    hashes({ firstToken, lastToken }, names, out, at) {
      for (let i = firstToken; i < lastToken; i++) {
        const name = which(i, names);
        out[at + i - firstToken] = name >= 0 ? name : (tokenHashes[i] as number);
      }
    },
  };
}

function grown(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(column.length * 2);
  larger.set(column);
  return larger;
}

function writeLength(bytes: Uint8Array, at: number, length: number): void {
  bytes[at] = length;
  bytes[at + 1] = length >>> 8;
  bytes[at + 2] = length >>> 16;
  bytes[at + 3] = length >>> 24;
}

const readLength = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24)) >>> 0;

/** One UTF-16 unit as two or three bytes: surrogates one by one, so that half a pair can be told from none. */
function writeWide(bytes: Uint8Array, at: number, code: number): number {
  let to = at;
  if (code < 0x800) bytes[to++] = 0xc0 | (code >> 6);
  else {
    bytes[to++] = 0xe0 | (code >> 12);
    bytes[to++] = 0x80 | ((code >> 6) & 0x3f);
  }
  bytes[to++] = 0x80 | (code & 0x3f);
  return to;
}

/** A name as the bytes that an encoding holds for it. */
export function encodedName(name: string): Uint8Array {
  const bytes = new Uint8Array(name.length * 3);
  let at = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code < 0x80) bytes[at++] = code;
    else at = writeWide(bytes, at, code);
  }
  return bytes.subarray(0, at);
}
