import type { Text } from '@codemirror/state';
import { frontOf } from './front.ts';

// Han, Hiragana and Katakana write without spaces: each of their signs counts as a word.
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+(?:['’\-‑.,][\p{L}\p{N}\p{M}]+)*/gu;

/** A document longer than this many characters is not counted. */
export const countable = 5_000_000;

/** How many words a text has. */
export function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(word)) count++;
  return count;
}

/** How many words a document has, its frontmatter apart; null when it is too long to be counted while somebody types. */
export function wordsOf(doc: Text): number | null {
  if (doc.length > countable) return null;
  return countWords(doc.sliceString(frontOf(doc)?.all.to ?? 0));
}
