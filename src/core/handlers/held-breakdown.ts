import type { EdgeRef } from '#kernel/body-field';
import { edgeKey } from '#kernel/facts';
import type { Outputs } from '#protocol';
import type { BreakdownGroup, BreakdownPage, BreakdownRow, BreakdownSummary, CallInput } from '#protocol/calls';

type Breakdown = Outputs['breakdown'];
type Filter = CallInput<'breakdown/page'>['state'];

/** A breakdown as it was computed, from which pages are cut until it is computed again. */
export interface HeldBreakdown {
  readonly asOf: number;
  readonly breakdown: Breakdown;
  readonly initialized: boolean;
  readonly setting: 'on' | 'off';
  readonly tracked: number;
}

/** What a breakdown says without its rows. */
export function summaryOf({ breakdown, ...held }: HeldBreakdown): BreakdownSummary {
  const { context, scan, artifacts, silenced, sourceGone, provenanceUnknown, counts } = breakdown;
  const rows = artifacts.flatMap((artifact) => artifact.rows);
  const contradicted = rows.filter((row) => passes(row, 'contradicted')).length;
  return { ...held, context, scan, counts, contradicted, rows: rows.length, silenced, sourceGone, provenanceUnknown };
}

const statesOf: Readonly<Record<Exclude<Filter, 'all' | 'contradicted'>, readonly BreakdownRow['state'][]>> = {
  // A changed section is a `version-stale` row too.
  changed: ['version-stale', 'anchor-lost'],
  diverged: ['diverged', 'diverged-multi-head', 'parallel-versions'],
  waived: ['waived'],
};

function passes(row: BreakdownRow, filter: Filter): boolean {
  if (filter === 'all') return true;
  return filter === 'contradicted' ? row.check?.verdict === 'contradicted' : statesOf[filter].includes(row.state);
}

/** The rows from `offset` that the filter lets through, at most `limit`, under their artifacts, in the breakdown's own order. */
export function pageOf({ asOf, breakdown }: HeldBreakdown, { offset, limit, state, search }: CallInput<'breakdown/page'>): BreakdownPage {
  const wanted = search.trim().toLowerCase();
  const mentions = (path: string | null) => path?.toLowerCase().includes(wanted) === true;
  const groups: BreakdownGroup[] = [];
  let total = 0;
  for (const artifact of breakdown.artifacts) {
    const isWanted = wanted === '' || mentions(artifact.path);
    const rows = artifact.rows.filter((row) => passes(row, state) && (isWanted || mentions(row.source?.path ?? null)));
    const shown = rows.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total));
    if (shown.length > 0) groups.push({ ...artifact, rows: shown });
    total += rows.length;
  }
  return { asOf, total, groups };
}

/** The same breakdown after a decision about one row: as that row is now, or without it. Everything else stays as it was computed. */
export function afterDecision(held: HeldBreakdown, edge: EdgeRef, now: BreakdownRow | null): HeldBreakdown {
  const counts = { ...held.breakdown.counts };
  const key = edgeKey(edge);
  const changed = (row: BreakdownRow): BreakdownRow[] => {
    if (row.edge === null || edgeKey(row.edge as EdgeRef) !== key) return [row];
    counts[row.state] = (counts[row.state] ?? 0) - 1;
    if (now === null) return [];
    counts[now.state] = (counts[now.state] ?? 0) + 1;
    return [now];
  };
  const artifacts = held.breakdown.artifacts.map((artifact) => ({ ...artifact, rows: artifact.rows.flatMap(changed) }));
  return { ...held, breakdown: { ...held.breakdown, counts, artifacts: artifacts.filter(({ rows }) => rows.length > 0) } };
}
