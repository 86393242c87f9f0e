import type { ContentHash } from '#kernel/revision';
import { isWhiteSpace, trimWhite, trimWhiteEnd } from '#kernel/text';

/** An ATX heading and its section: `start` is the first character of its line, `end` that of the next heading of its level or above, or the text's end. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Where a heading path leads: one section, from `start` to before `end`, or why not. */
export type SectionOutcome =
  | { readonly kind: 'found'; readonly start: number; readonly end: number }
  | { readonly kind: 'not-found' | 'ambiguous' | 'invalid' };

/** The section of one text: its hash, or why there is none. */
export type SectionInText =
  | { readonly kind: 'found'; readonly hash: ContentHash }
  | { readonly kind: 'not-found' | 'ambiguous' | 'invalid' | 'content-unavailable' };

/** What is known of the anchored source at its selection: its section, or why there is none to compare. */
export type SectionReading = SectionInText | { readonly kind: 'no-single-head' };

/** What a section anchor says about its row. */
export type SectionStatus = 'anchor-unchanged' | 'anchor-changed' | 'anchor-lost' | 'content-unavailable';

interface Fence {
  readonly mark: string;
  readonly length: number;
}

const maxSegments = 16;
const maxSegmentBytes = 512;

function fenceAt(line: string): (Fence & { readonly info: string }) | null {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line);
  return match === null ? null : { mark: match[1]!.charAt(0), length: match[1]!.length, info: match[2]! };
}

/** The fence that is open after `line`, `open` being the one open before it. */
function fenceAfter(line: string, open: Fence | null): Fence | null {
  const fence = fenceAt(line);
  if (fence === null || open === null) return open ?? fence;
  const closes = fence.mark === open.mark && fence.length >= open.length && trimWhite(fence.info) === '';
  return closes ? null : open;
}

function headingAt(line: string): { level: number; text: string } | null {
  const match = /^ {0,3}(#{1,6})([^#].*)?$/s.exec(line);
  if (match === null) return null;
  const rest = match[2] ?? '';
  if (rest !== '' && !isWhiteSpace(rest.charCodeAt(0))) return null;
  return { level: match[1]!.length, text: trimWhite(withoutClosingHashes(trimWhiteEnd(rest))) };
}

function withoutClosingHashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '#') end--;
  return text.slice(0, end);
}

/** The ATX headings of a canonical text outside fences, in order (vmark.md §3.5). Lines end at LF only; setext headings are none. */
export function headings(text: string): Heading[] {
  const found: { level: number; text: string; start: number; end: number }[] = [];
  const open: (typeof found)[number][] = [];
  let fence: Fence | null = null;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const line = text.slice(start, newline === -1 ? text.length : newline);
    const heading = fence === null ? headingAt(line) : null;
    fence = fenceAfter(line, fence);
    if (heading !== null) {
      while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop()!.end = start;
      const section = { ...heading, start, end: text.length };
      found.push(section);
      open.push(section);
    }
    start = newline === -1 ? text.length : newline + 1;
  }
  return found;
}

function isPath(path: readonly string[], utf8Length: (text: string) => number): boolean {
  if (path.length === 0 || path.length > maxSegments) return false;
  return path.every((segment) => trimWhite(segment) !== '' && utf8Length(segment) <= maxSegmentBytes);
}

function resolveAmong(all: readonly Heading[], path: readonly string[]): SectionOutcome {
  let within = all;
  let chosen: Heading | null = null;
  for (const segment of path) {
    const wanted = trimWhite(segment);
    const [match, second] = within.filter((heading) => heading.text === wanted);
    if (second !== undefined) return { kind: 'ambiguous' };
    if (match === undefined) return { kind: 'not-found' };
    if (chosen !== null && within.some((heading) => heading.level < match.level)) return { kind: 'not-found' };
    chosen = match;
    within = within.filter((heading) => heading.start > match.start && heading.start < match.end);
  }
  return chosen === null ? { kind: 'invalid' } : { kind: 'found', start: chosen.start, end: chosen.end };
}

/**
 * Finds the section that a path of heading texts names in a masked text. The first may stand at any depth, each later one only at the shallowest
 * level inside the one before; a second heading of the same text inside that one is ambiguous at any level (vmark.md §3.5).
 */
export function resolveSection(masked: string, path: readonly string[], utf8Length: (text: string) => number): SectionOutcome {
  return isPath(path, utf8Length) ? resolveAmong(headings(masked), path) : { kind: 'invalid' };
}

/** For each section, in order, its full path from a topmost heading: those that resolve to it alone and are within bounds. */
export function sectionPaths(masked: string, utf8Length: (text: string) => number): string[][] {
  const all = headings(masked);
  const open: Heading[] = [];
  const paths: string[][] = [];
  for (const heading of all) {
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
    open.push(heading);
    const path = open.map(({ text }) => text);
    if (!isPath(path, utf8Length)) continue;
    const outcome = resolveAmong(all, path);
    if (outcome.kind === 'found' && outcome.start === heading.start) paths.push(path);
  }
  return paths;
}

/** What the section says about a row anchored at `anchored`; null when the edge is not anchored or the source has no single selection. */
export function sectionStatus(anchored: ContentHash | null, reading: SectionReading): SectionStatus | null {
  if (anchored === null || reading.kind === 'no-single-head') return null;
  if (reading.kind === 'content-unavailable') return 'content-unavailable';
  if (reading.kind !== 'found') return 'anchor-lost';
  return reading.hash === anchored ? 'anchor-unchanged' : 'anchor-changed';
}
