import type { EdgeRef } from '#kernel/body-field';
import { edgeKey } from '#kernel/facts';
import type { Outputs } from '#protocol';
import type { BreakdownGroup, BreakdownPage, BreakdownRow, BreakdownSummary, QuietPage } from '#protocol/breakdown-calls';
import type { CallInput } from '#protocol/calls';
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

type Summary = Omit<BreakdownSummary, 'code' | 'pairs'>;

const summaries = new WeakMap<HeldBreakdown, Summary>();

/** What a breakdown says without its rows; every row is looked at once. */
export function summaryOf(held: HeldBreakdown): Summary {
  const known = summaries.get(held) ?? summarized(held);
  summaries.set(held, known);
  return known;
}

function summarized({ breakdown, merge, ...held }: HeldBreakdown): Summary {
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

/** The rows that a filter and a search let through, and where those of each artifact begin among all of them. */
interface Matching {
  readonly filter: string;
  readonly artifacts: readonly Group[];
  readonly starts: readonly number[];
  readonly total: number;
}

type Group = Omit<BreakdownGroup, 'origin'>;

/** Of each held breakdown what was asked for last: whoever turns pages asks for the same again. */
const lastMatching = new WeakMap<HeldBreakdown, Matching>();

function matchingOf(held: HeldBreakdown, { state, search }: Pick<CallInput<'breakdown/page'>, 'state' | 'search'>): Matching {
  const wanted = search.trim().toLowerCase();
  const filter = `${state} ${wanted}`;
  const known = lastMatching.get(held);
  if (known?.filter === filter) return known;
  const { breakdown, merge } = held;
  const mentions = (path: string | null) => path?.toLowerCase().includes(wanted) === true;
  const artifacts: Group[] = [];
  const starts: number[] = [];
  let total = 0;
  for (const artifact of breakdown.artifacts) {
    const isWanted = wanted === '' || mentions(artifact.path);
    const rows = artifact.rows.filter(
      (row) => passes({ row, path: artifact.path, merge }, state) && (isWanted || mentions(row.source?.path ?? null)),
    );
    if (rows.length === 0) continue;
    artifacts.push({ ...artifact, rows });
    starts.push(total);
    total += rows.length;
  }
  const matching = { filter, artifacts, starts, total };
  lastMatching.set(held, matching);
  return matching;
}

/** The rows from `offset` that the filter lets through, at most `limit`, under their artifacts, in the breakdown's own order. */
export function pageOf(
  held: HeldBreakdown,
  { offset, limit, ...asked }: CallInput<'breakdown/page'>,
): Omit<BreakdownPage, 'groups'> & { groups: Group[] } {
  const { artifacts, starts, total } = matchingOf(held, asked);
  const groups: Group[] = [];
  const first = starts.findLastIndex((start) => start <= offset);
  for (let at = Math.max(0, first); at < artifacts.length && starts[at]! < offset + limit; at++) {
    const artifact = artifacts[at]!;
    const rows = artifact.rows.slice(Math.max(0, offset - starts[at]!), offset + limit - starts[at]!);
    if (rows.length > 0) groups.push({ ...artifact, rows });
  }
  return { asOf: held.asOf, total, groups };
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
