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

/** Lowercase hex of `count` words at `from`. */
export function hexFromWords(words: Uint32Array, from: number, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += words[from + i]!.toString(16).padStart(8, '0');
  return text;
}

/**
 * Numbers keys of a fixed width (in 32-bit words) in the order of their first appearance: UUIDs, hashes and
 * pairs become small integers once, and are compared as such ever after.
 */
export class KeyTable {
  readonly width: number;
  size = 0;
  keys: Uint32Array;
  #slots: Uint32Array;

  constructor(width: number, capacity = 1024) {
    this.width = width;
    this.keys = new Uint32Array(capacity * width);
    this.#slots = new Uint32Array(capacity * 2);
  }

  /** The number of the key that stands in `words` at `at`, given now if it is new. */
  intern(words: Uint32Array, at = 0): number {
    const slot = this.#slot(words, at);
    const found = this.#slots[slot]!;
    if (found !== 0) return found - 1;
    return this.#insert(words, at, slot);
  }

  /** The number of a key, or `none`. */
  find(words: Uint32Array, at = 0): number {
    const found = this.#slots[this.#slot(words, at)]!;
    return found === 0 ? none : found - 1;
  }

  /** All keys as one array of words, in the order of their numbers; a view. */
  view(): Uint32Array {
    return this.keys.subarray(0, this.size * this.width);
  }

  /** The probing table, so that an index can be opened without hashing every key anew; a view. */
  slots(): Uint32Array {
    return this.#slots;
  }

  /** Takes over what `view` and `slots` gave earlier. */
  fill(keys: Uint32Array, slots: Uint32Array): void {
    this.keys = keys.slice();
    this.size = keys.length / this.width;
    this.#slots = slots.slice();
  }

  #slot(words: Uint32Array, at: number): number {
    const { keys, width } = this;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = this.#hash(words, at) & mask;
    for (;;) {
      const found = slots[slot]!;
      if (found === 0) return slot;
      let from = (found - 1) * width;
      let word = 0;
      while (word < width && keys[from] === words[at + word]) {
        from++;
        word++;
      }
      if (word === width) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #hash(words: Uint32Array, at: number): number {
    const mixed = Math.imul(words[at]! ^ Math.imul(words[at + this.width - 1]!, 0x9e3779b1), 0x85ebca6b) ^ words[at + 1]!;
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  #insert(words: Uint32Array, at: number, slot: number): number {
    const { width } = this;
    const number = this.size++;
    const from = number * width;
    if (from + width > this.keys.length) {
      const wider = new Uint32Array(Math.max(this.keys.length * 2, 64 * width));
      wider.set(this.keys);
      this.keys = wider;
    }
    for (let word = 0; word < width; word++) this.keys[from + word] = words[at + word]!;
    this.#slots[slot] = number + 1;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hash(this.keys, number * this.width) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
