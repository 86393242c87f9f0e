import type { FoundFile, FoundMatch, SearchPart } from '#protocol/search-calls';

/** Start, end, line, and how long each of the three texts is. */
const width = 6;

/**
 * A part of an answer on its way from one thread to another: all numbers of its matches in one array, all their texts in one.
 * To clone them object by object takes as long as to find them.
 */
export interface Parcel {
  /** The part without its matches. */
  readonly part: SearchPart;
  /** How many matches each file has, in order. */
  readonly counts: readonly number[];
  /** Its buffer may be handed over instead of cloned. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  readonly words: string;
}

/** Packs a part. */
export function packed(part: SearchPart): Parcel {
  if (part.kind !== 'found') return { part, counts: [], numbers: new Uint32Array(), words: '' };
  const matches = part.files.flatMap((file) => file.matches);
  const numbers = new Uint32Array(matches.length * width);
  let words = '';
  for (const [at, { start, end, line, before, text, behind }] of matches.entries()) {
    numbers.set([start, end, line, before.length, text.length, behind.length], at * width);
    words += before + text + behind;
  }
  const files = part.files.map((file) => ({ ...file, matches: [] }));
  return { part: { ...part, files }, counts: part.files.map((file) => file.matches.length), numbers, words };
}

/** The part that was packed. */
export function unpacked({ part, counts, numbers, words }: Parcel): SearchPart {
  if (part.kind !== 'found') return part;
  const number = numbers.values();
  const next = (): number => number.next().value!;
  let place = 0;
  const text = (length: number): string => {
    place += length;
    return words.slice(place - length, place);
  };
  const match = (): FoundMatch => {
    const places = { start: next(), end: next(), line: next() };
    const lengths = [next(), next(), next()] as const;
    return { ...places, before: text(lengths[0]), text: text(lengths[1]), behind: text(lengths[2]) };
  };
  const files = part.files.map((file, at): FoundFile => ({ ...file, matches: Array.from({ length: counts[at]! }, match) }));
  return { ...part, files };
}
