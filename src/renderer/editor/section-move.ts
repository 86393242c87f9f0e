import { type ChangeSpec, Text } from '@codemirror/state';
import { type OutlineHeading, outlineOf } from './outline.ts';

/** A section that goes to another place: what changes, and the line that its heading is in then, counted from 1. */
export interface SectionMove {
  readonly changes: ChangeSpec;
  readonly line: number;
}

/** The first heading behind the section of the heading `at`: the next one that is not deeper. */
export function sectionEnd(headings: readonly OutlineHeading[], at: number): number {
  const level = headings[at]?.level ?? 0;
  const next = headings.findIndex((heading, index) => index > at && heading.level <= level);
  return next < 0 ? headings.length : next;
}

/** Before which heading a section stands that goes one place up: before the section, or the part of one, above it; null: it is the first. */
export function placeAbove(headings: readonly OutlineHeading[], at: number): number | null {
  const level = headings[at]?.level ?? 0;
  const above = headings.findLastIndex((heading, index) => index < at && heading.level <= level);
  return above >= 0 ? above : at > 0 ? 0 : null;
}

/** Before which heading a section stands that goes one place down: behind the next section of its level, or into the next higher one; null: it is the last. */
export function placeBelow(headings: readonly OutlineHeading[], at: number): number | null {
  const next = sectionEnd(headings, at);
  if (next >= headings.length) return null;
  return headings[next]!.level === headings[at]!.level ? sectionEnd(headings, next) : next + 1;
}

/**
 * Moves the section of the heading `at`, with all that is below it, before the heading `before` (their number: to the end). Only the section
 * is taken out and put in; what it passes is not touched. Null where it stands there already, where `before` is inside of it, and where
 * the document would not have the same headings afterwards, as when a fence is left open.
 */
export function moveSection(doc: Text, at: number, before: number, headings = outlineOf(doc)): SectionMove | null {
  const end = sectionEnd(headings, at);
  if (headings[at] === undefined || before < 0 || before > headings.length || (before >= at && before <= end)) return null;
  const isUp = before < at;
  const [first, middle, last] = isUp ? [before, at, end] : [at, end, before];
  const upper = bodyOf(doc, headings, first, middle);
  const lower = bodyOf(doc, headings, middle, last);
  const gap = breaksBetween(doc, upper.to, lower.from);
  const tail = last < headings.length ? missingBreaks(doc, lower.to, lineStart(doc, headings, last)) : '';
  const mover = isUp ? lower : upper;
  const text = doc.sliceString(mover.from, mover.to);
  const changes = isUp
    ? [
        { from: upper.from, insert: text + gap },
        { from: upper.to, to: lower.to, insert: tail },
      ]
    : [
        { from: upper.from, to: lower.from },
        { from: lower.to, insert: gap + text + tail },
      ];
  const place = isUp ? upper.from : upper.from + (lower.to - lower.from) + gap.length;
  return checked(doc, headings, changes, [first, middle, last], place);
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const lineStart = (doc: Text, headings: readonly OutlineHeading[], at: number) => doc.line(headings[at]!.line).from;

/** The lines from one heading to before another, without the blank ones at the end, which stay where they are. */
function bodyOf(doc: Text, headings: readonly OutlineHeading[], at: number, next: number): Stretch {
  const from = lineStart(doc, headings, at);
  let line = next < headings.length ? headings[next]!.line - 1 : doc.lines;
  while (line > headings[at]!.line && doc.line(line).text.trim() === '') line--;
  return { from, to: doc.line(line).to };
}

/** What parts two sections: as it was, but at least one blank line, for a text would join what is underlined below it. */
const breaksBetween = (doc: Text, from: number, to: number) => doc.sliceString(from, to) + missingBreaks(doc, from, to);

function missingBreaks(doc: Text, from: number, to: number): string {
  return doc.lineAt(to).number - doc.lineAt(from).number > 1 ? '' : '\n';
}

/** The move, if the headings are the same ones in the order that was asked for. */
function checked(
  doc: Text,
  headings: readonly OutlineHeading[],
  changes: readonly { readonly from: number; readonly to?: number; readonly insert?: string }[],
  [first, middle, last]: readonly [number, number, number],
  place: number,
): SectionMove | null {
  let after = doc;
  for (const { from, to = from, insert = '' } of changes.toReversed()) after = after.replace(from, to, Text.of(insert.split('\n')));
  const wanted = [...headings.slice(0, first), ...headings.slice(middle, last), ...headings.slice(first, middle), ...headings.slice(last)];
  const found = outlineOf(after);
  const isSame =
    found.length === wanted.length && found.every(({ level, words }, at) => level === wanted[at]!.level && words === wanted[at]!.words);
  return isSame ? { changes, line: after.lineAt(place).number } : null;
}
