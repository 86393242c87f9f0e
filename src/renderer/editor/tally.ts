import type { Text } from '@codemirror/state';
import { frontOf } from './front.ts';

// Han, Hiragana and Katakana write without spaces: each of their signs counts as a word.
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+(?:['’\-‑.,][\p{L}\p{N}\p{M}]+)*/gu;

/** A document longer than this many characters is not counted. */
const countable = 5_000_000;

/** How many words a text has. */
export function countWords(text: string): number {
  let count = 0;
  for (const [found] of text.matchAll(word)) count += unspaced.test(found) ? countUnspaced(found) : 1;
  return count;
}

// Thai, Lao, Khmer and Burmese put no spaces between words either, but their words have several signs.
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function countUnspaced(text: string): number {
  let count = 0;
  for (const { isWordLike } of wordsApart.segment(text)) if (isWordLike) count++;
  return count;
}

const wordsApart = new Intl.Segmenter(undefined, { granularity: 'word' });

/** What a document holds, its frontmatter apart. */
export interface Tally {
  readonly words: number | null;
  /** As readers count them: a letter with its accents is one. */
  readonly characters: number | null;
}

/** Counts a document; nulls when it is too long to be counted while somebody types. */
export function tallyOf(doc: Text): Tally {
  if (doc.length > countable) return { words: null, characters: null };
  const text = doc.sliceString(frontOf(doc)?.all.to ?? 0).trim();
  return { words: countWords(text), characters: charactersOf(text) };
}

function charactersOf(text: string): number {
  // Most texts have nothing that is more than one sign; looking for it is much quicker than counting clusters.
  if (!/[\p{M}\p{Cf}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}]/u.test(text)) {
    const pairs = text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0;
    return text.length - pairs;
  }
  let count = 0;
  for (const _ of clusters.segment(text)) count++;
  return count;
}

const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many words somebody reads in a minute, who reads for pleasure. */
const readPerMinute = 230;

/** How many minutes a text of so many words takes to be read; at least one. */
export const minutesToRead = (words: number): number => Math.max(1, Math.round(words / readPerMinute));
