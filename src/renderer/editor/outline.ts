import type { Text } from '@codemirror/state';
import { frontOf } from './front.ts';

/** A heading of a document: its level, its words without marks, and its line, counted from 1. */
export interface OutlineHeading {
  readonly level: number;
  readonly words: string;
  readonly line: number;
}

/** Headings beyond this many lines are not looked for. */
const reach = 400_000;

/** The headings of a document in their order, those that are underlined too; what stands in fences or in the frontmatter is none. */
export function outlineOf(doc: Text): OutlineHeading[] {
  const headings: OutlineHeading[] = [];
  const front = frontOf(doc);
  const first = front === null ? 1 : doc.lineAt(front.all.to).number + 1;
  let fence: string | null = null;
  let before = '';
  let number = first - 1;
  if (first > doc.lines) return headings;
  for (const line of doc.iterLines(first, Math.min(doc.lines, first + reach) + 1)) {
    number++;
    const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
      before = '';
      continue;
    }
    if (mark !== undefined) fence = mark;
    const heading = mark === undefined ? (atxHeading(line) ?? setextHeading(line, before)) : null;
    if (heading !== null) headings.push({ ...heading, line: 'above' in heading ? number - 1 : number });
    before = heading === null && mark === undefined ? line : '';
  }
  return headings.map(({ level, words, line }) => ({ level, words, line }));
}

function atxHeading(line: string) {
  const met = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line);
  return met === null ? null : { level: met[1]!.length, words: bare(met[2] ?? '') };
}

function setextHeading(line: string, before: string) {
  const mark = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1];
  if (mark === undefined || before.trim() === '' || /^(\s{4,}|\t| {0,3}([-*+>|]|\d+[.)]) )/.test(before)) return null;
  return { level: mark[0] === '=' ? 1 : 2, words: bare(before), above: true as const };
}

/** A heading's words without the marks of what is in it. */
function bare(text: string): string {
  return text
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/(\*\*|__|~~|==|`+)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(^|[\s(])([*_])(?=\S)(.*?\S)\2(?=$|[\s).,;:!?])/g, '$1$3')
    .trim();
}
