import { diff3Merge, diffComm, diffIndices } from 'node-diff3';

/** A part of a join: text that all agree on or that one has changed, or a place that several have changed each in its own way. */
export type JoinPart =
  | { readonly kind: 'same'; readonly text: string }
  | { readonly kind: 'conflict'; readonly base: string; readonly sides: readonly string[] };

/** Lines of the text that all sides come from, which several of them changed. */
interface Conflict {
  readonly from: number;
  readonly to: number;
}

/**
 * Merges texts that descend from one, line by line: `sides` are two or more, `base` null where nothing is known that
 * they have in common. Conflicts are data, with what each side has, in the order of `sides`; nothing of them is marked in
 * a text.
 */
export function mergeTexts(base: string | null, sides: readonly string[]): JoinPart[] {
  const lines = sides.map(linesOf);
  const [first = [], second = []] = lines;
  const origin = base === null ? commonLines(first, second) : linesOf(base);
  const conflicts: Conflict[] = [];
  const merged = lines.slice(1).reduce((before, side) => mergeOne(before, origin, side, conflicts), first);
  const changes = lines.map((side) => diffIndices(origin, side).map(({ buffer1, buffer2 }) => ({ from: buffer1, to: buffer2 })));
  const textOf = (side: number, conflict: Conflict) => rangeIn(lines[side]!, changes[side]!, conflict).join('');
  return partsOf(merged, conflicts, (conflict) => ({
    base: origin.slice(conflict.from, conflict.to).join(''),
    sides: lines.map((_, side) => textOf(side, conflict)),
  }));
}

/** The lines with one more side in them; each conflict stands there as one token. */
function mergeOne(merged: readonly string[], origin: readonly string[], side: readonly string[], conflicts: Conflict[]): string[] {
  const lines: string[] = [];
  for (const { ok, conflict } of diff3Merge([...merged], [...origin], [...side], { excludeFalseConflicts: true })) {
    if (ok !== undefined) lines.push(...ok);
    if (conflict === undefined) continue;
    lines.push(tokenOf(conflicts.length));
    conflicts.push({ from: conflict.oIndex, to: conflict.oIndex + conflict.o.length });
  }
  return lines;
}

/** A change of a side: a place and a length in the origin, and those in the side. */
interface Difference {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** What a side has in the place of some lines of the origin, with all changes that reach into them or touch them: a merge takes those together. */
function rangeIn(side: readonly string[], changes: readonly Difference[], { from, to }: Conflict): readonly string[] {
  const before = changes.filter(({ from: [at, length] }) => at + length < from || (at + length === from && length > 0));
  const until = changes.filter(({ from: [at, length] }) => at < to || (at === to && length === 0));
  const shift = (some: readonly Difference[]) => some.reduce((sum, change) => sum + change.to[1] - change.from[1], 0);
  return side.slice(from + shift(before), to + shift(until));
}

/** A line has no newline but at its end: no line is a token. */
const tokenOf = (conflict: number) => `\n\n${conflict}`;

function partsOf(
  merged: readonly string[],
  conflicts: readonly Conflict[],
  say: (conflict: Conflict) => { readonly base: string; readonly sides: readonly string[] },
): JoinPart[] {
  const parts: JoinPart[] = [];
  const same: string[] = [];
  const flush = () => {
    if (same.length > 0) parts.push({ kind: 'same', text: same.splice(0).join('') });
  };
  for (const token of merged) {
    if (!token.startsWith('\n\n')) {
      same.push(token);
      continue;
    }
    flush();
    parts.push({ kind: 'conflict', ...say(conflicts[Number(token.slice(2))]!) });
  }
  flush();
  return parts;
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];

function commonLines(a: readonly string[], b: readonly string[]): string[] {
  return diffComm([...a], [...b]).flatMap((part) => ('common' in part ? part.common : []));
}
