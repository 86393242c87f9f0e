import type { ChangeDesc, Text } from '@codemirror/state';
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
  const text = doc.sliceString(frontOf(doc)?.all.to ?? 0);
  // Less the blanks around it, each of which is one sign.
  return { words: countWords(text), characters: charactersOf(text) - (text.length - text.trim().length) };
}

/** A text that was counted, so that after a change only the lines of that have to be. */
export interface Counted {
  readonly doc: Text;
  readonly words: number;
  readonly characters: number;
}

/** A change of more characters than this is not followed. */
const followed = 10_000;

/** The count after a change, by the lines that it touched; null where all has to be counted anew: for what touches the frontmatter, and for much at once. */
export function recount({ doc: before, ...known }: Counted, changes: ChangeDesc, after: Text): Counted | null {
  const [front, frontAfter] = [frontOf(before), frontOf(after)].map((range) => range?.all.to ?? null);
  const isFrontKept = front == null || frontAfter == null ? front === frontAfter : changes.touchesRange(0, front) === false;
  if (!isFrontKept || after.length > countable) return null;
  const [old, now] = [linesTouched(before), linesTouched(after)];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    old.add(fromA, toA);
    now.add(fromB, toB);
  });
  const [less, more] = [old.sum(), now.sum()];
  if (less === null || more === null) return null;
  const blanks = blanksAround(before, front ?? 0) - blanksAround(after, frontAfter ?? 0);
  const characters = known.characters + more.characters - less.characters + after.lines - before.lines + blanks;
  return { doc: after, words: known.words + more.words - less.words, characters };
}

/** Adds up lines of a document, each once, without their breaks. */
function linesTouched(doc: Text) {
  const parts: string[] = [];
  let done = -1;
  let breaks = 0;
  return {
    add(from: number, to: number): void {
      const start = Math.max(doc.lineAt(from).from, done + 1);
      const last = doc.lineAt(to);
      if (start > last.to || done >= last.to) return;
      parts.push(doc.sliceString(start, last.to));
      breaks += last.number - doc.lineAt(start).number;
      done = last.to;
    },
    /** Null: that is much. */
    sum() {
      if (parts.reduce((length, part) => length + part.length, 0) > followed) return null;
      const all = { words: 0, characters: -breaks };
      for (const part of parts) {
        all.words += countWords(part);
        all.characters += charactersOf(part);
      }
      return all;
    },
  };
}

/** How many signs before and behind the text are blanks and breaks only. */
function blanksAround(doc: Text, start: number): number {
  const size = doc.length - start;
  const blanks = (direction: 1 | -1) => {
    let count = 0;
    for (const part of doc.iterRange(...(direction === 1 ? ([start, doc.length] as const) : ([doc.length, start] as const)))) {
      const left = direction === 1 ? part.trimStart() : part.trimEnd();
      count += part.length - left.length;
      if (left !== '') break;
    }
    return count;
  };
  const before = blanks(1);
  return before === size ? size : before + blanks(-1);
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
