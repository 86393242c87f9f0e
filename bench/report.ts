import type { Timing } from './measure.ts';

/** One row of `spec/quality.md` §1 as it came out. `goal` null: a line that only stands beside. */
export interface Row {
  readonly number: string;
  readonly beside: string;
  readonly yardstick: Timing;
  readonly ours: Timing;
  readonly goal: number | null;
  /** Why it misses, where it does; said only then. */
  readonly cause?: string;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at < 3 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const marks = { pass: 'pass', miss: '**miss**' };

/** The goals of a bench with what was measured, and below it a line for each miss. Without goals only what was measured. */
export function goalTable(rows: readonly Row[], withGoals: boolean): string {
  const cells = rows.map(({ number, beside, yardstick, ours, goal }) => {
    const verdict = goal === null ? ['', ''] : [`≤ ${goal}`, ours.ratio <= goal ? marks.pass : marks.miss];
    return [number, ours.name, beside, spread(ours), spread(yardstick), short(ours.ratio), ...(withGoals ? verdict : [])];
  });
  const head = ['#', 'work', 'beside', 'ms', 'ms beside', 'ratio', ...(withGoals ? ['goal', ''] : [])];
  const missed = rows.filter(({ goal, ours }) => withGoals && goal !== null && ours.ratio > goal);
  const causes = missed.map(({ number, ours, cause }) => `- ${number}, ${ours.name}: ${cause ?? 'the cause is not known yet.'}`);
  return [table(head, cells), ...(causes.length === 0 ? [] : ['', 'Missed:', '', ...causes])].join('\n');
}

/** Row 16: the longest that each work kept the event loop, in ms. */
export function blockTable(blocks: readonly (readonly [work: string, ms: number])[], withGoals: boolean): string {
  const cells = blocks.map(([work, ms]) => ['16', work, short(ms), ...(withGoals ? ['≤ 50', ms <= 50 ? marks.pass : marks.miss] : [])]);
  return table(['#', 'work', 'ms', ...(withGoals ? ['goal', ''] : [])], cells);
}

const spread = ({ median, min, max }: Timing) => `${short(median)} (${short(min)}–${short(max)})`;

/** A number with three digits that count. */
export function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
