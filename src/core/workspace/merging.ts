import { diffComm, diffIndices } from 'node-diff3';
import { type LineDiffer, mergeSpans } from '#kernel/line-merge';

/** A part of a join: text that all agree on or that one has changed, or a place that several have changed each in its own way. */
export type JoinPart =
  | { readonly kind: 'same'; readonly text: string }
  | { readonly kind: 'conflict'; readonly base: string; readonly sides: readonly string[] };

/**
 * Merges texts that descend from one, line by line: `sides` are two or more, `base` null where nothing is known that
 * they have in common. Conflicts are data, with what each side has, in the order of `sides`; nothing of them is marked in
 * a text.
 */
export function mergeTexts(base: string | null, sides: readonly string[]): JoinPart[] {
  const lines = sides.map(linesOf);
  const origin = base === null ? commonLines(lines[0] ?? [], lines[1] ?? []) : linesOf(base);
  const parts: JoinPart[] = [];
  for (const span of mergeSpans(differ, origin, lines)) {
    const was = origin.slice(...span.origin).join('');
    if (span.isSame) addSame(parts, was);
    else
      addRegion(
        parts,
        was,
        lines.map((side, at) => side.slice(...span.sides[at]!).join('')),
      );
  }
  return parts;
}

const differ: LineDiffer = (before, after) =>
  diffIndices([...before], [...after]).map(({ buffer1, buffer2 }) => ({ from: buffer1, to: buffer2 }));

/** Sides that say the same are one; where all that differ from the base say one thing, that is it. */
function addRegion(parts: JoinPart[], base: string, sides: readonly string[]): void {
  const said = [...new Set(sides.filter((side) => side !== base))];
  if (said.length > 1) parts.push({ kind: 'conflict', base, sides });
  else addSame(parts, said[0] ?? base);
}

function addSame(parts: JoinPart[], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === 'same') parts[parts.length - 1] = { kind: 'same', text: last.text + text };
  else if (text !== '') parts.push({ kind: 'same', text });
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];

function commonLines(a: readonly string[], b: readonly string[]): string[] {
  return diffComm([...a], [...b]).flatMap((part) => ('common' in part ? part.common : []));
}
