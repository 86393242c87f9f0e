import type { Sizes } from '#kernel/body-field';
import { MIN_BODY_TOKENS } from '#kernel/declaration';
import type { Digest } from '#kernel/digest';

/** Lines of a file as ranges compare them: trimmed, without the empty ones, each with its number from 1. */
export interface PlainLines {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** How many lines the file has. */
  readonly count: number;
}

/** First and last line, from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The lines of a range as they were when the baseline was made. */
export interface RangeBaseline {
  readonly file: string;
  readonly lines: LineRange;
  readonly hash: string;
  /** The text of the range. */
  readonly text: string;
  /** Which of how many places in the file had this text, from 0. */
  readonly occurrence: { readonly index: number; readonly count: number };
}

/** Where a range is in its file now; null: the file is long enough, and the text stands nowhere in it. */
export type RangeInFile =
  | { readonly kind: 'here' | 'relocated'; readonly lines: LineRange }
  | { readonly kind: 'changed'; readonly lines: LineRange; readonly hash: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous'; readonly places: readonly LineRange[] };

/** Splits at every kind of line end. */
export function plainLines(text: string): PlainLines {
  const texts: string[] = [];
  const numbers: number[] = [];
  const lines = text.split(/\r\n|\r|\n/u);
  if (lines.at(-1) === '') lines.pop();
  lines.forEach((line, at) => {
    const trimmed = line.trim();
    if (trimmed === '') return;
    texts.push(trimmed);
    numbers.push(at + 1);
  });
  return { texts, numbers, count: lines.length };
}

/** The hash of lines, indentation and blank lines apart: each line with its length before it, so that no two lists have one text. */
export function rangeHash(texts: readonly string[], digest: Pick<Digest, 'sha256'> & Sizes): string {
  return digest.sha256(`lines\n${texts.map((text) => `${digest.utf8Length(text)}:${text}`).join('\n')}`);
}

/** The trimmed texts of a range of a file; null if the range is not in it, or holds nothing. */
export function rangeTexts(lines: PlainLines, { start, end }: LineRange): readonly string[] | null {
  if (start < 1 || end < start || end > lines.count) return null;
  const texts = lines.texts.filter((_, at) => lines.numbers[at]! >= start && lines.numbers[at]! <= end);
  return texts.length === 0 ? null : texts;
}

/** Every place where the texts stand, one after another. */
export function placesOf(lines: PlainLines, texts: readonly string[]): LineRange[] {
  const places: LineRange[] = [];
  for (let at = lines.texts.indexOf(texts[0]!); at >= 0; at = lines.texts.indexOf(texts[0]!, at + 1)) {
    if (!texts.every((text, offset) => lines.texts[at + offset] === text)) continue;
    places.push({ start: lines.numbers[at]!, end: lines.numbers[at + texts.length - 1]! });
  }
  return places;
}

/** Whether two ranges are the same but for blank lines at their ends. */
const covers = (outer: LineRange, inner: LineRange) => outer.start <= inner.start && inner.end <= outer.end;

/** Looks for a range in the file it was in: at its place, else where its text stands once, else where it was. */
export function findRange(baseline: RangeBaseline, lines: PlainLines, digest: Pick<Digest, 'sha256'> & Sizes): RangeInFile {
  const texts = plainLines(baseline.text).texts;
  const places = placesOf(lines, texts);
  const own = places.find((place) => covers(baseline.lines, place));
  if (own !== undefined) return { kind: 'here', lines: baseline.lines };
  const { index, count } = baseline.occurrence;
  // As many as there were: none came and none went, so that the order tells which is which.
  if (places.length === count) return { kind: 'relocated', lines: places[index]! };
  if (places.length > count) return { kind: 'ambiguous', places };
  const near = nearestLines(lines, texts, baseline.lines);
  const found = near === null ? null : rangeTexts(lines, near);
  return near === null || found === null ? { kind: 'missing' } : { kind: 'changed', lines: near, hash: rangeHash(found, digest) };
}

/** Where most of the texts stand now, in a stretch as long as they are; else the lines that had them, if the file has those. */
function nearestLines(lines: PlainLines, texts: readonly string[], before: LineRange): LineRange | null {
  const wanted = new Set(texts);
  let best = -1;
  let most = texts.length / 2 - 0.5;
  let held = 0;
  const isWanted = lines.texts.map((text) => wanted.has(text));
  for (let at = 0; at < isWanted.length; at++) {
    held += isWanted[at] ? 1 : 0;
    if (at >= texts.length) held -= isWanted[at - texts.length] ? 1 : 0;
    const start = Math.max(0, at - texts.length + 1);
    if (held > most && isWanted[start]) {
      most = held;
      best = start;
    }
  }
  if (best >= 0) {
    const last = Math.min(best + texts.length, lines.numbers.length) - 1;
    return { start: lines.numbers[best]!, end: lines.numbers[last]! };
  }
  if (before.start > lines.count) return null;
  return { start: before.start, end: Math.min(before.end, lines.count) };
}

/** Whether a range says enough to be known again in a file of another name. */
export function isTelling(text: string): boolean {
  return (text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)?.length ?? 0) >= MIN_BODY_TOKENS;
}
