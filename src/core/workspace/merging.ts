import { diffComm, diffIndices } from 'node-diff3';

/** A part of a join: text that all agree on or that one has changed, or a place that several have changed each in its own way. */
export type JoinPart =
  | { readonly kind: 'same'; readonly text: string }
  | { readonly kind: 'conflict'; readonly base: string; readonly sides: readonly string[] };

/** A change of a side: a place and a length in the origin, and those in the side. */
interface Change {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** A side by its lines, with what it has changed of the origin, in order. */
interface Side {
  readonly lines: readonly string[];
  readonly changes: readonly Change[];
}

/** Lines of the origin that at least one side has changed: from here to before there, with all changes that reach into each other or touch. */
interface Region {
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
  const origin = base === null ? commonLines(lines[0] ?? [], lines[1] ?? []) : linesOf(base);
  const changed = lines.map((side) => ({ lines: side, changes: changesOf(origin, side) }));
  const parts: JoinPart[] = [];
  let done = 0;
  for (const region of regionsOf(changed)) {
    addSame(parts, origin.slice(done, region.from).join(''));
    addRegion(
      parts,
      origin.slice(region.from, region.to).join(''),
      changed.map((side) => textIn(side, region)),
    );
    done = region.to;
  }
  addSame(parts, origin.slice(done).join(''));
  return parts;
}

const changesOf = (origin: readonly string[], side: readonly string[]): Change[] =>
  diffIndices([...origin], [...side]).map(({ buffer1, buffer2 }) => ({ from: buffer1, to: buffer2 }));

function regionsOf(sides: readonly Side[]): Region[] {
  const changes = sides.flatMap((side) => side.changes).sort((a, b) => a.from[0] - b.from[0]);
  const regions: { from: number; to: number }[] = [];
  for (const { from } of changes) {
    const last = regions.at(-1);
    const to = from[0] + from[1];
    if (last !== undefined && from[0] <= last.to) last.to = Math.max(last.to, to);
    else regions.push({ from: from[0], to });
  }
  return regions;
}

/** What a side has in the place of a region. */
function textIn({ lines, changes }: Side, { from, to }: Region): string {
  const shift = (some: readonly Change[]) => some.reduce((sum, change) => sum + change.to[1] - change.from[1], 0);
  const before = shift(changes.filter((change) => change.from[0] < from));
  const until = shift(changes.filter((change) => change.from[0] <= to));
  return lines.slice(from + before, to + until).join('');
}

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
