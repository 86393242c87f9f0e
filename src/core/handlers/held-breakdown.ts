import type { EdgeRef } from '#kernel/body-field';
import { edgeKey } from '#kernel/facts';
import type { Outputs } from '#protocol';
import type { BreakdownGroup, BreakdownPage, BreakdownRow, BreakdownSummary, CallInput, QuietPage } from '#protocol/calls';
import { silences } from '#protocol/state';

type Breakdown = Outputs['breakdown'];
type Filter = CallInput<'breakdown/page'>['state'];

/** A breakdown as it was computed, from which pages are cut until it is computed again. */
export interface HeldBreakdown {
  readonly asOf: number;
  readonly breakdown: Breakdown;
  readonly initialized: boolean;
  readonly setting: 'on' | 'off';
  readonly tracked: number;
  readonly commit: string | null;
  /** The merge that git stands at, and the paths that it brought together. */
  readonly merge: { readonly commit: string; readonly paths: ReadonlySet<string> } | null;
}

/** What a breakdown says without its rows. */
export function summaryOf({ breakdown, merge, ...held }: HeldBreakdown): Omit<BreakdownSummary, 'code' | 'pairs'> {
  const { context, scan, artifacts, silenced, sourceGone, provenanceUnknown, finished, counts } = breakdown;
  const reasons = silences.map((reason) => [reason, silenced.filter((row) => row.silenced === reason).length]);
  const passing = (filter: Filter) =>
    artifacts.reduce((sum, { path, rows }) => sum + rows.filter((row) => passes({ row, path, merge }, filter)).length, 0);
  return {
    ...held,
    context,
    scan,
    counts,
    contradicted: passing('contradicted'),
    rows: passing('all'),
    silenced: Object.fromEntries(reasons),
    finished: finished.length,
    sourceGone: sourceGone.length,
    provenanceUnknown: provenanceUnknown.length,
    merge: merge === null ? null : { commit: merge.commit, rows: passing('merged') },
  };
}

const statesOf: Readonly<Record<Exclude<Filter, 'all' | 'contradicted' | 'merged' | 'code'>, readonly BreakdownRow['state'][]>> = {
  // A changed section is a `version-stale` row too.
  changed: ['version-stale', 'anchor-lost'],
  diverged: ['diverged', 'diverged-multi-head', 'parallel-versions'],
  waived: ['waived'],
  other: ['unpinnable', 'finished-changed'],
};

interface Passing {
  readonly row: BreakdownRow;
  readonly path: string | null;
  readonly merge: HeldBreakdown['merge'];
}

function passes({ row, path, merge }: Passing, filter: Filter): boolean {
  if (filter === 'all') return true;
  if (filter === 'code') return false;
  if (filter === 'merged') return [path, row.source?.path].some((at) => at != null && merge?.paths.has(at) === true);
  return filter === 'contradicted' ? row.check?.verdict === 'contradicted' : statesOf[filter].includes(row.state);
}

/** The rows from `offset` that the filter lets through, at most `limit`, under their artifacts, in the breakdown's own order. */
export function pageOf(
  { asOf, breakdown, merge }: HeldBreakdown,
  { offset, limit, state, search }: CallInput<'breakdown/page'>,
): Omit<BreakdownPage, 'groups'> & { groups: Omit<BreakdownGroup, 'origin'>[] } {
  const wanted = search.trim().toLowerCase();
  const mentions = (path: string | null) => path?.toLowerCase().includes(wanted) === true;
  const groups: Omit<BreakdownGroup, 'origin'>[] = [];
  let total = 0;
  for (const artifact of breakdown.artifacts) {
    const isWanted = wanted === '' || mentions(artifact.path);
    const rows = artifact.rows.filter(
      (row) => passes({ row, path: artifact.path, merge }, state) && (isWanted || mentions(row.source?.path ?? null)),
    );
    const shown = rows.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total));
    if (shown.length > 0) groups.push({ ...artifact, rows: shown });
    total += rows.length;
  }
  return { asOf, total, groups };
}

/** A part of what asks nothing. */
export function quietOf({ breakdown }: HeldBreakdown, { group, offset, limit }: CallInput<'breakdown/quiet'>): QuietPage {
  const part = <T>(all: readonly T[]) => all.slice(offset, offset + limit);
  const { silenced, sourceGone, provenanceUnknown, finished } = breakdown;
  if (group === 'provenance-unknown') return { total: provenanceUnknown.length, rows: [], documents: part(provenanceUnknown) };
  if (group === 'source-gone') return { total: sourceGone.length, rows: part(sourceGone), documents: [] };
  const [from, to] = [offset - silenced.length, offset + limit - silenced.length];
  const documents = finished.slice(Math.max(0, from), Math.max(0, to));
  return { total: silenced.length + finished.length, rows: part(silenced), documents };
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
