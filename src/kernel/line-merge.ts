/** One difference between two lists of lines: a place and a length in the first, and those in the second. */
export interface LineChange {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** Compares two lists of lines; differences come in their order. */
export type LineDiffer = (before: readonly string[], after: readonly string[]) => readonly LineChange[];

/** Lines from here to before there. */
export type LineRange = readonly [number, number];

/** A stretch of a merge: its lines in the origin, and those that each side has in their place. `isSame`: no side changed any. */
export interface MergeSpan {
  readonly isSame: boolean;
  readonly origin: LineRange;
  readonly sides: readonly LineRange[];
}

/**
 * Takes texts apart that descend from one: stretches that no side changed, and between them those that at least one did. Changes that
 * reach into each other or touch are one stretch. Every line of every text stands in one stretch, in order.
 */
export function mergeSpans(differ: LineDiffer, origin: readonly string[], sides: readonly (readonly string[])[]): MergeSpan[] {
  const changed = sides.map((side) => changesOf(differ, origin, side));
  const spans: MergeSpan[] = [];
  let done = 0;
  const add = (isSame: boolean, to: number) => {
    const before = spans.at(-1);
    const range: LineRange = [done, to];
    const within = changed.map((changes, side): LineRange => {
      const from = before?.sides[side]?.[1] ?? 0;
      return [from, from + to - done + growthOf(changes, isSame ? null : range)];
    });
    if (!isSame || to > done) spans.push({ isSame, origin: range, sides: within });
    done = to;
  };
  for (const region of regionsOf(changed.flat())) {
    add(true, region[0]);
    add(false, region[1]);
  }
  add(true, origin.length);
  return spans;
}

/** By how many lines a side is longer in a changed stretch than the origin. */
function growthOf(changes: readonly LineChange[], range: LineRange | null): number {
  if (range === null) return 0;
  const inside = changes.filter(({ from }) => from[0] >= range[0] && from[0] + from[1] <= range[1]);
  return inside.reduce((sum, { from, to }) => sum + to[1] - from[1], 0);
}

function regionsOf(changes: readonly LineChange[]): LineRange[] {
  const regions: [number, number][] = [];
  for (const { from } of changes.toSorted((a, b) => a.from[0] - b.from[0])) {
    const last = regions.at(-1);
    const to = from[0] + from[1];
    if (last !== undefined && from[0] <= last[1]) last[1] = Math.max(last[1], to);
    else regions.push([from[0], to]);
  }
  return regions;
}

/** What both begin and end with needs no comparison, which costs more than its length where lines repeat. */
function changesOf(differ: LineDiffer, before: readonly string[], after: readonly string[]): LineChange[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const found = differ(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return found.map(({ from, to }) => ({ from: [from[0] + head, from[1]], to: [to[0] + head, to[1]] }));
}
