/** What an index column holds where there is no row. */
export const none = 0xffffffff;

const hexValue = new Uint8Array(256).fill(0xff);
for (let i = 0; i < 16; i++) hexValue['0123456789abcdef'.charCodeAt(i)] = i;

/**
 * Reads eight lowercase hex digits, four at `high` and four at `low`, as one 32-bit word into `out` at `to`;
 * false where one of them is none.
 */
export function wordFromBytes(source: Uint8Array, high: number, low: number, out: Uint32Array, to: number): boolean {
  const a = hexValue[source[high]!]!;
  const b = hexValue[source[high + 1]!]!;
  const c = hexValue[source[high + 2]!]!;
  const d = hexValue[source[high + 3]!]!;
  const e = hexValue[source[low]!]!;
  const f = hexValue[source[low + 1]!]!;
  const g = hexValue[source[low + 2]!]!;
  const h = hexValue[source[low + 3]!]!;
  out[to] = (a << 28) | (b << 24) | (c << 20) | (d << 16) | (e << 12) | (f << 8) | (g << 4) | h;
  return (a | b | c | d | e | f | g | h) < 16;
}

/** Reads `count` words from a text whose digits are known to be lowercase hex; hyphens are passed over. */
export function wordsFromHex(text: string, from: number, count: number, out: Uint32Array, to: number): void {
  for (let word = 0; word < count; word++) {
    let value = 0;
    for (let digits = 0; digits < 8; from++) {
      const digit = hexValue[text.charCodeAt(from)]!;
      if (digit === 0xff) continue;
      value = (value << 4) | digit;
      digits++;
    }
    out[to + word] = value;
  }
}

const digits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Lowercase hex of `count` words at `from`. */
export function hexFromWords(words: Uint32Array, from: number, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += hexFromWord(words[from + i]!);
  return text;
}

/** Ten times as fast as a number's own text, which a breakdown of thousands of rows feels. */
function hexFromWord(word: number): string {
  const digit = (shift: number) => digits[(word >>> shift) & 15]!;
  return String.fromCharCode(digit(28), digit(24), digit(20), digit(16), digit(12), digit(8), digit(4), digit(0));
}

/** A key table as an index stores it: the keys in the order of their numbers, and where each number is found. */
export interface KeyParts {
  readonly keys: Uint32Array;
  readonly slots: Uint32Array;
}

/**
 * Numbers keys of a fixed width (in 32-bit words) in the order of their first appearance: UUIDs, hashes and
 * pairs become small integers once, and are compared as such ever after.
 */
export class KeyTable {
  readonly width: number;
  size = 0;
  keys: Uint32Array;
  /**
   * Where a key may stand, by the low bits of its hash, and after that: 0 where nothing does, else its number and one in as many
   * low bits, with the other bits of its hash above. Most other keys are told apart without being looked at.
   */
  #slots: Uint32Array;

  constructor(width: number, capacity = 1024) {
    this.width = width;
    this.keys = new Uint32Array(capacity * width);
    this.#slots = new Uint32Array(capacity * 2);
  }

  /** The number of the key that stands in `words` at `at`, given now if it is new. */
  intern(words: Uint32Array, at = 0): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = this.#hash(words, at);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot]!;
      if (found === 0) return this.#insert(words, at, slot, hash);
      if (((found ^ hash) & ~mask) === 0 && this.isKey((found & mask) - 1, words, at)) return (found & mask) - 1;
    }
  }

  /** The number of a key, or `none`. */
  find(words: Uint32Array, at = 0): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = this.#hash(words, at);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot]!;
      if (found === 0) return none;
      if (((found ^ hash) & ~mask) === 0 && this.isKey((found & mask) - 1, words, at)) return (found & mask) - 1;
    }
  }

  /** Whether a number's key stands in `words` at `at`. */
  isKey(number: number, words: Uint32Array, at: number): boolean {
    const { keys, width } = this;
    const from = number * width;
    for (let word = 0; word < width; word++) if (keys[from + word] !== words[at + word]) return false;
    return true;
  }

  /** The table as it stands, with room for some more keys, so that an index can be opened without hashing every key anew; views, not copies. */
  parts(): KeyParts {
    const room = this.size + (this.size >> 5);
    return { keys: this.keys.subarray(0, room * this.width), slots: this.#slots };
  }

  /** Takes over what `parts` gave earlier of `size` keys; the arrays are the table's from now on. */
  fill({ keys, slots }: KeyParts, size: number): void {
    this.keys = keys;
    this.size = size;
    this.#slots = slots;
  }

  #hash(words: Uint32Array, at: number): number {
    const mixed = Math.imul(words[at]! ^ Math.imul(words[at + this.width - 1]!, 0x9e3779b1), 0x85ebca6b) ^ words[at + 1]!;
    return mixed ^ (mixed >>> 15);
  }

  #insert(words: Uint32Array, at: number, slot: number, hash: number): number {
    const { width } = this;
    const number = this.size++;
    const from = number * width;
    if (from + width > this.keys.length) {
      const wider = new Uint32Array(Math.max(this.keys.length * 2, 64 * width));
      wider.set(this.keys);
      this.keys = wider;
    }
    for (let word = 0; word < width; word++) this.keys[from + word] = words[at + word]!;
    this.#slots[slot] = (hash & ~(this.#slots.length - 1)) | (number + 1);
    if (this.size * 4 > this.#slots.length * 3) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      const hash = this.#hash(this.keys, number * this.width);
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = (hash & ~mask) | (number + 1);
    }
    this.#slots = slots;
  }
}
