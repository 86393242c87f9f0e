import { diffLines, diffWordsWithSpace } from 'diff';
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
  return coalesced(wholeWords(refined(lines.map(pieceOf))));
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
    const words = diffWordsWithSpace(line.text, next.text, { maxEditLength: finestEdit });
    pieces.push(...(words === undefined ? replaced(line.text, next.text) : words.map(pieceOf)));
    at++;
  }
  return pieces;
}

const joint = String.raw`[-\u2010\u2011'\u2019]`;
const restOfWord = new RegExp(`^(?:${joint}[\\p{L}\\p{N}]+)+`, 'u');
const startOfWord = new RegExp(`(?:[\\p{L}\\p{N}]+${joint})+$`, 'u');
const jointOnly = new RegExp(`^${joint}$`, 'u');
const endsInWord = /[\p{L}\p{N}]$/u;
const beginsWithWord = /^[\p{L}\p{N}]/u;

/** A changed part of a compound (left-handed, l’homme) is a change of the whole of it. What both have goes to both sides. */
function wholeWords(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, at): Piece[] => {
    if (piece.kind !== 'same') return [piece];
    const before = pieces[at - 1];
    const after = pieces[at + 1];
    const rest = before !== undefined && endsInWord.test(before.text) ? (restOfWord.exec(piece.text)?.[0] ?? '') : '';
    const left = piece.text.slice(rest.length);
    const start = after !== undefined && beginsWithWord.test(after.text) ? (startOfWord.exec(left)?.[0] ?? '') : '';
    const middle: Piece[] = [{ kind: 'same', text: left.slice(0, left.length - start.length) }];
    return [...replaced(rest, rest), ...middle.filter(({ text }) => text !== ''), ...replaced(start, start)];
  });
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
  const head = commonBlanks([...removed], [...added]);
  const tail = commonBlanks([...removed.slice(head.length)].reverse(), [...added.slice(head.length)].reverse());
  const middle = (text: string) => text.slice(head.length, text.length - tail.length);
  const blanks = (text: string): Piece[] => (text === '' ? [] : [{ kind: 'same', text }]);
  return [...blanks(head), ...replaced(middle(removed), middle(added)), ...blanks(tail)];
}

/** Blanks are the same forwards and backwards only one by one, so what is common is compared one by one. */
function commonBlanks(a: readonly string[], b: readonly string[]): string {
  const end = a.findIndex((mark, at) => mark !== b[at] || !/[^\S\n]/u.test(mark));
  return a.slice(0, end === -1 ? a.length : end).join('');
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

/** How many words a text has, in any script; a compound is one. */
export function wordsIn(text: string): number {
  let count = 0;
  let last = '';
  let isAfterJoint = false;
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike && !isAfterJoint) count++;
    isAfterJoint = !isWordLike && jointOnly.test(segment) && endsInWord.test(last);
    last = segment;
  }
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
