import { diffArrays, diffLines } from 'diff';
import { resolveSection } from '#kernel/section';
import { type Fold, foldUnchanged } from '#renderer/breakdown/fold.ts';

/** A stretch that both texts have, or that only the earlier (`removed`) or only the later one (`added`) has. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Two versions of a source, compared: the section that the row rests on first, if it stands in both, then all the rest. */
export interface Comparison {
  readonly section: readonly Fold[] | null;
  readonly rest: readonly Fold[];
  /** Changed words of the section if there is one, else of the whole text. */
  readonly words: number;
  /** Changed words outside the section; 0 without one. */
  readonly elsewhere: number;
}

/** Beyond this many edits two stretches are shown as replaced: nobody reads a finer answer, and it costs the square of it. */
const finestEdit = 1500;

/**
 * The later text against the earlier one, by words where lines differ. The pieces of kinds `same` and `removed` joined give
 * `before`, those of `same` and `added` give `now`. A removed piece stands before the added one that replaces it.
 */
export function compareTexts(before: string, now: string): Piece[] {
  if (before === now) return before === '' ? [] : [{ kind: 'same', text: before }];
  const lines = diffLines(before, now, { maxEditLength: finestEdit });
  if (lines === undefined) return replaced(before, now);
  return coalesced(refined(lines.map(pieceOf)));
}

function pieceOf({ added, removed, value }: { added: boolean; removed: boolean; value: string }): Piece {
  return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value };
}

function replaced(before: string, now: string): Piece[] {
  const pieces: Piece[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: now },
  ];
  return pieces.filter(({ text }) => text !== '');
}

/** Lines that replace others, compared by words. */
function refined(lines: readonly Piece[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const next = lines[at + 1];
    if (line.kind !== 'removed' || next?.kind !== 'added') {
      pieces.push(line);
      continue;
    }
    const words = diffArrays(tokensOf(line.text), tokensOf(next.text), { maxEditLength: finestEdit });
    const inWords = words?.map(({ value, ...change }) => pieceOf({ ...change, value: value.join('') }));
    pieces.push(...(inWords ?? replaced(line.text, next.text)));
    at++;
  }
  return pieces;
}

/** One removed and one added piece for each change; blanks between two changed words belong to the change. */
function coalesced(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let removed = '';
  let added = '';
  const close = () => {
    joined.push(...withoutCommonBlanks(removed, added));
    removed = '';
    added = '';
  };
  pieces.forEach(({ kind, text }, at) => {
    const isChanging = removed !== '' || added !== '';
    const isGap = kind === 'same' && isChanging && /^[^\S\n]+$/u.test(text) && (pieces[at + 1]?.kind ?? 'same') !== 'same';
    if (kind === 'removed' || isGap) removed += text;
    if (kind === 'added' || isGap) added += text;
    if (kind !== 'same' || isGap) return;
    close();
    joined.push({ kind, text });
  });
  close();
  return merged(joined);
}

/** Neighbours that both texts have become one. */
function merged(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.kind === 'same' && piece.kind === 'same') joined[joined.length - 1] = { kind: 'same', text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}

/** A change without the blanks that both sides begin or end with: they did not change. */
function withoutCommonBlanks(removed: string, added: string): Piece[] {
  const head = commonBlanks(removed, added, (text, at) => text[at]);
  const tail = commonBlanks(removed.slice(head), added.slice(head), (text, at) => text.at(-1 - at));
  const middle = (text: string) => text.slice(head, text.length - tail);
  const blanks = (text: string): Piece[] => (text === '' ? [] : [{ kind: 'same', text }]);
  return [...blanks(removed.slice(0, head)), ...replaced(middle(removed), middle(added)), ...blanks(removed.slice(removed.length - tail))];
}

/** How many blanks both texts have in common, taken one by one in the order of `markAt`. */
function commonBlanks(a: string, b: string, markAt: (text: string, at: number) => string | undefined): number {
  let count = 0;
  for (let mark = markAt(a, 0); mark !== undefined && mark === markAt(b, count) && /[^\S\n]/u.test(mark); mark = markAt(a, count)) count++;
  return count;
}

/** What one side of a comparison reads. */
export function sideOf(pieces: readonly Piece[], side: 'before' | 'now'): string {
  const hidden = side === 'before' ? 'added' : 'removed';
  return pieces
    .filter(({ kind }) => kind !== hidden)
    .map(({ text }) => text)
    .join('');
}

/** How many words changed: of each change the greater of what went and what came, so that a word in place of another counts once. */
export function changedWords(pieces: readonly Piece[]): number {
  let count = 0;
  let removed = 0;
  for (const { kind, text } of pieces) {
    const words = kind === 'same' ? 0 : wordsIn(text);
    count += kind === 'added' ? Math.max(0, words - removed) : words;
    removed = kind === 'removed' ? words : 0;
  }
  return count;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const jointOnly = /^[-\u2010\u2011'\u2019]$/u;
const endsInWord = /[\p{L}\p{N}]$/u;

interface Token {
  readonly text: string;
  readonly isWord: boolean;
}

/** What stands in a text, word by word; underscores at the ends of a word are marks of emphasis, and no part of it. */
function* segmented(text: string): Generator<{ readonly segment: string; readonly isWordLike: boolean }> {
  for (const { segment, isWordLike = false } of segmenter.segment(text)) {
    if (!isWordLike || !(segment.startsWith('_') || segment.endsWith('_'))) yield { segment, isWordLike };
    else for (const part of segment.split(/(^_+|_+$)/u)) if (part !== '') yield { segment: part, isWordLike: !part.startsWith('_') };
  }
}

/** The words of a text, in any script, and what stands between them; a compound (left-handed, l’homme) is one word. */
function* segmentsOf(text: string): Generator<Token> {
  let word: string | null = null;
  let joint: string | null = null;
  for (const { segment, isWordLike } of segmented(text)) {
    if (isWordLike && joint !== null) word += joint + segment;
    else if (!isWordLike && joint === null && word !== null && endsInWord.test(word) && jointOnly.test(segment)) {
      joint = segment;
      continue;
    } else {
      if (word !== null) yield { text: word, isWord: true };
      if (joint !== null) yield { text: joint, isWord: false };
      word = isWordLike ? segment : null;
      if (!isWordLike) yield { text: segment, isWord: false };
    }
    joint = null;
  }
  if (word !== null) yield { text: word, isWord: true };
  if (joint !== null) yield { text: joint, isWord: false };
}

const tokensOf = (text: string) => [...segmentsOf(text)].map((token) => token.text);

/** How many words a text has, in any script; a compound is one. */
export function wordsIn(text: string): number {
  let count = 0;
  for (const { isWord } of segmentsOf(text)) if (isWord) count++;
  return count;
}

/** Compares two versions of a source; a section is looked for in both by its heading path. */
export function compareVersions(before: string, now: string, section: readonly string[] | null): Comparison {
  const there = section === null ? null : sectionIn(before, section);
  const here = section === null ? null : sectionIn(now, section);
  if (there === null || here === null) {
    const pieces = compareTexts(before, now);
    return { section: null, rest: foldUnchanged(pieces), words: changedWords(pieces), elsewhere: 0 };
  }
  const inside = compareTexts(before.slice(there.start, there.end), now.slice(here.start, here.end));
  const outside = [
    ...compareTexts(before.slice(0, there.start), now.slice(0, here.start)),
    ...compareTexts(before.slice(there.end), now.slice(here.end)),
  ];
  return {
    section: foldUnchanged(inside),
    rest: foldUnchanged(outside),
    words: changedWords(inside),
    elsewhere: changedWords(outside),
  };
}

const encoder = new TextEncoder();

function sectionIn(text: string, path: readonly string[]): { start: number; end: number } | null {
  const outcome = resolveSection(text, path, (segment) => encoder.encode(segment).length);
  return outcome.kind === 'found' ? outcome : null;
}
