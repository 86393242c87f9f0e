import { diffIndices } from 'node-diff3';
import { type LineDiffer, type LineRange, mergeSpans } from '#kernel/line-merge';

/** A place that at least one of the two changed, with what stood there; texts have their own line breaks. */
export interface Hunk {
  readonly kind: 'hunk';
  /** `conflict`: both changed it, each in its own way. */
  readonly by: 'mine' | 'theirs' | 'conflict';
  readonly before: string;
  readonly mine: string;
  readonly theirs: string;
  /** Both changes in one text; null where they change the same words. */
  readonly woven: string | null;
}

/** A part of a merge: text that is settled, or a place to choose for. */
export type MergePart = { readonly kind: 'same'; readonly text: string } | Hunk;

/** What is taken for a place. `both`: woven where that can be, else one after the other. */
export type HunkChoice = 'mine' | 'theirs' | 'both' | 'before';

/** What was chosen otherwise than by itself, by the number of the part. */
export type HunkChoices = ReadonlyMap<number, HunkChoice>;

const differ: LineDiffer = (before, after) =>
  diffIndices([...before], [...after]).map(({ buffer1, buffer2 }) => ({ from: buffer1, to: buffer2 }));

const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu) ?? [];
const plain = (line: string) => line.replace(/\r\n?$/u, '\n');
const mark = '\ufeff';

/** What two made of a file, place by place. A line break of another kind is no change of a line: each line keeps the one that somebody gave it. */
export function mergeParts(...texts: readonly [base: string, mine: string, theirs: string]): MergePart[] {
  const [base, mine, theirs] = withBreaksConverted(...texts);
  const [before, ours, other] = [base, mine, theirs].map((text) => linesOf(text.startsWith(mark) ? text.slice(1) : text)) as Three<
    string[]
  >;
  const has = [base, mine, theirs].map((text) => (text.startsWith(mark) ? mark : '')) as Three<string>;
  const parts: MergePart[] = [];
  settle(parts, settled(...has));
  for (const span of mergeSpans(differ, before.map(plain), [ours.map(plain), other.map(plain)])) {
    const [own, their] = span.sides as [LineRange, LineRange];
    const lines: Three<string[]> = [before.slice(...span.origin), ours.slice(...own), other.slice(...their)];
    if (span.isSame) settle(parts, lines[0].map((line, at) => settled(line, lines[1][at]!, lines[2][at]!)).join(''));
    else addHunk(parts, lines);
  }
  return parts;
}

/** Where one of the two gave all lines another kind of break, those of the other have it too. */
function withBreaksConverted(base: string, mine: string, theirs: string): Three<string> {
  const [was, own, other] = [base, mine, theirs].map(onlyBreak) as Three<string | null>;
  if (was === null || own === null || other === null || (own !== was && other !== was)) return [base, mine, theirs];
  const now = own === was ? other : own;
  return [base, mine, theirs].map((text) => text.replace(/\r\n|\r|\n/gu, now)) as Three<string>;
}

function onlyBreak(text: string): string | null {
  const kinds = new Set(text.match(/\r\n|\r|\n/gu));
  return kinds.size === 1 ? [...kinds][0]! : null;
}

type Three<Item> = [Item, Item, Item];

/** Where one left it as it was, the other's counts. */
const settled = (before: string, mine: string, theirs: string) => (mine === before ? theirs : mine);

function settle(parts: MergePart[], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === 'same') parts[parts.length - 1] = { kind: 'same', text: last.text + text };
  else if (text !== '') parts.push({ kind: 'same', text });
}

function addHunk(parts: MergePart[], lines: Three<string[]>): void {
  const [before, mine, theirs] = lines.map((some) => some.join('')) as Three<string>;
  const [was, own, other] = lines.map((some) => some.map(plain).join('')) as Three<string>;
  if (own === other) {
    settle(parts, mine);
    return;
  }
  const by = own === was ? 'theirs' : other === was ? 'mine' : 'conflict';
  parts.push({ kind: 'hunk', by, before, mine, theirs, woven: by === 'conflict' ? weave(before, mine, theirs) : null });
}

/** A place of more words than this is not woven. */
const wovenTo = 5000;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\r\n|\s|./gsu) ?? [];

/** Two changes of the same lines that touch different words, in one text. */
function weave(...texts: Three<string>): string | null {
  const [before, mine, theirs] = texts.map(wordsOf) as Three<string[]>;
  if (before.length === 0 || Math.max(before.length, mine.length, theirs.length) > wovenTo) return null;
  const woven = mergeSpans(differ, before, [mine, theirs]).map((span): string | null => {
    const was = before.slice(...span.origin).join('');
    const [own, other] = [mine.slice(...span.sides[0]!).join(''), theirs.slice(...span.sides[1]!).join('')];
    if (own === was || own === other) return other;
    return other === was ? own : null;
  });
  return woven.every((part) => part !== null) ? woven.join('') : null;
}

/** What is taken for a place: as it was chosen, else what the only one who changed it wrote; null: to be chosen. */
export function choiceOf({ by }: Hunk, chosen: HunkChoice | undefined): HunkChoice | null {
  return chosen ?? (by === 'conflict' ? null : by);
}

/** What a place reads with a choice. */
export function hunkText({ before, mine, theirs, woven }: Hunk, choice: HunkChoice): string {
  if (choice === 'before') return before;
  if (choice === 'both') return woven ?? (/[^\r\n]$/u.test(mine) ? `${mine}${breakIn(theirs) ?? breakIn(before) ?? '\n'}` : mine) + theirs;
  return choice === 'mine' ? mine : theirs;
}

const breakIn = (text: string) => /\r\n|\r|\n/u.exec(text)?.[0] ?? null;

/** The merged file; null while something is still to be chosen. */
export function mergedText(parts: readonly MergePart[], choices: HunkChoices): string | null {
  const texts = parts.map((part, at) => {
    if (part.kind === 'same') return part.text;
    const choice = choiceOf(part, choices.get(at));
    return choice === null ? null : hunkText(part, choice);
  });
  return texts.every((text) => text !== null) ? texts.join('') : null;
}

/** How many places are still to be chosen. */
export const openHunks = (parts: readonly MergePart[], choices: HunkChoices): number =>
  parts.filter((part, at) => part.kind === 'hunk' && choiceOf(part, choices.get(at)) === null).length;

/** The choices that hold for a merge made anew, since somebody wrote again: those of places that are as they were. */
export function choicesAfter(before: readonly MergePart[], choices: HunkChoices, after: readonly MergePart[]): HunkChoices {
  const known = new Map<string, HunkChoice>();
  before.forEach((part, at) => {
    const chosen = choices.get(at);
    if (chosen !== undefined) known.set(JSON.stringify(part), chosen);
  });
  return new Map(after.flatMap((part, at) => (known.has(JSON.stringify(part)) ? [[at, known.get(JSON.stringify(part))!] as const] : [])));
}
