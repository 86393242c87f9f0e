import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BreakdownGroup, BreakdownRow, BreakdownSummary } from '#protocol/breakdown-calls';
import type { CallInput, Client } from '#protocol/calls';
import { Fault, type FaultDetail, problemOf } from '#protocol/fault';
import type { Pending } from '#renderer/breakdown/pending.ts';
import { rowKey } from '#renderer/breakdown/row-words.ts';

/** Which rows are shown. */
export type Filter = CallInput<'breakdown/page'>['state'];

/** What core could not do. */
export interface SaidFault {
  readonly kind: 'fault';
  readonly code: string;
  readonly detail: FaultDetail;
}

/** Something to be said: a key of the words, a fault, or that a fault kept a decision from being recorded. */
export type Said =
  | { readonly kind: 'words'; readonly key: string; readonly detail?: Readonly<Record<string, unknown>> }
  | SaidFault
  | { readonly kind: 'unrecorded'; readonly fault: SaidFault };

/** A row with the artifact that it stands under. */
export interface ListedRow {
  readonly key: string;
  readonly artifact: Omit<BreakdownGroup, 'rows'>;
  readonly row: BreakdownRow;
}

/** What became of a row here since the breakdown was computed: it left, or it reads otherwise, or something is to be said at it. */
export interface Settlement {
  readonly left: boolean;
  readonly row: BreakdownRow | null;
  readonly said: Said | null;
  /** Nothing more can be decided about it. */
  readonly closed: boolean;
}

/** What is asked or shown over the page. */
export type Question =
  | { readonly kind: 'several'; readonly decision: 'accept' | 'waive' }
  | { readonly kind: 'finish'; readonly document: NamedDocument }
  | { readonly kind: 'sections'; readonly row: ListedRow }
  | { readonly kind: 'touch'; readonly document: NamedDocument }
  | { readonly kind: 'join'; readonly path: string; readonly copy: string | null };

/** A document by its id, and where it is. */
export interface NamedDocument {
  readonly object: string;
  readonly path: string | null;
}

/** Everything that the breakdown window shows. */
export interface Listing {
  readonly phase:
    | { readonly kind: 'working'; readonly since: number }
    | { readonly kind: 'ready' }
    | { readonly kind: 'failed'; readonly said: Said };
  readonly summary: BreakdownSummary | null;
  readonly filter: Filter;
  readonly search: string;
  /** As core answered, in its order; `settled` is laid over it. */
  readonly rows: readonly ListedRow[];
  /** How many rows the filter lets through. */
  readonly total: number;
  readonly isLoading: boolean;
  readonly settled: ReadonlyMap<string, Settlement>;
  /** The row that the keys act on. */
  readonly current: string | null;
  readonly open: string | null;
  /** The version of the source that the open row shows, once it was read. */
  readonly shown: { readonly key: string; readonly revision: string } | null;
  /** The row whose waiver is being written. */
  readonly waiving: string | null;
  readonly pending: Pending | null;
  /** The rows that are to be decided together, by their keys. */
  readonly selected: ReadonlySet<string>;
  /** What is asked or shown over the page. */
  readonly dialog: Question | null;
  /** What could not be done; it stays on the page until the next act. */
  readonly trouble: Said | null;
  /** For the live region; a new object for each thing said. */
  readonly said: Said | null;
}

/** What the breakdown needs of the world. */
export interface World {
  readonly call: Client;
  /** ms since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Resolves when core can be asked again after it was lost. */
  readonly reconnected: () => Promise<void>;
}

/** A store that only the verbs of this folder change. */
export type ListingStore = StoreApi<Listing>;

/** How many rows come in one page. */
export const pageLength = 200;

/** An empty store: nothing was computed yet. */
export function createListing(): ListingStore {
  return createStore<Listing>()(() => ({
    phase: { kind: 'ready' },
    summary: null,
    filter: 'all',
    search: '',
    rows: [],
    total: 0,
    isLoading: false,
    settled: new Map(),
    current: null,
    open: null,
    shown: null,
    waiving: null,
    pending: null,
    selected: new Set(),
    dialog: null,
    trouble: null,
    said: null,
  }));
}

/** Computes the breakdown anew; what was settled here is then part of the answer. A second call while one works does nothing. */
export async function refresh(store: ListingStore, world: World): Promise<void> {
  if (store.getState().phase.kind === 'working') return;
  store.setState({ phase: { kind: 'working', since: world.now() }, waiving: null, trouble: null });
  try {
    const summary = await world.call('breakdown/refresh', {});
    const { filter, search } = store.getState();
    const page = summary.rows === 0 ? null : await world.call('breakdown/page', { offset: 0, limit: pageLength, state: filter, search });
    store.setState((state) => ({
      ...firstPage(state, page?.groups ?? [], page?.total ?? 0),
      phase: { kind: 'ready' },
      summary,
      settled: new Map(),
      said: { kind: 'words', key: 'working.done', detail: { count: summary.rows + summary.code.waiting + summary.pairs.waiting } },
    }));
  } catch (error) {
    store.setState({ phase: { kind: 'failed', said: faultOf(error) }, said: faultOf(error) });
  }
}

/** Shows other rows of the same breakdown: nothing is computed. */
export async function choose(store: ListingStore, world: World, wanted: { filter?: Filter; search?: string }): Promise<void> {
  store.setState({ ...wanted, waiving: null });
  const { filter, search, summary } = store.getState();
  if (summary === null || summary.rows === 0) return;
  store.setState({ isLoading: true });
  try {
    const page = await world.call('breakdown/page', { offset: 0, limit: pageLength, state: filter, search });
    const now = store.getState();
    // An answer to an older question is not shown.
    if (now.filter === filter && now.search === search) store.setState(firstPage(now, page.groups, page.total));
  } catch (error) {
    store.setState({ said: faultOf(error), isLoading: false });
  }
}

/** Appends the next page, if there is one and none is under way. */
export async function showMore(store: ListingStore, world: World): Promise<void> {
  const { filter, search, isLoading, summary } = store.getState();
  if (isLoading || !hasMore(store.getState())) return;
  store.setState({ isLoading: true });
  try {
    const page = await world.call('breakdown/page', { offset: stillListed(store.getState()), limit: pageLength, state: filter, search });
    const now = store.getState();
    if (now.filter !== filter || now.search !== search || now.summary?.asOf !== summary?.asOf) return;
    const known = new Set(now.rows.map(({ key }) => key));
    store.setState({
      rows: [...now.rows, ...listed(page.groups).filter(({ key }) => !known.has(key))],
      total: page.total,
      isLoading: false,
    });
  } catch (error) {
    store.setState({ said: faultOf(error), isLoading: false });
  }
}

/** Which states a filter lets through; core filters by the same table. */
export const statesOf: Readonly<Record<Exclude<Filter, 'all' | 'contradicted' | 'merged' | 'code'>, readonly BreakdownRow['state'][]>> = {
  changed: ['version-stale', 'anchor-lost'],
  diverged: ['diverged', 'diverged-multi-head', 'parallel-versions'],
  waived: ['waived'],
  other: ['unpinnable', 'finished-changed'],
};

function passes(row: BreakdownRow, filter: Filter): boolean {
  // What a merge touched does not change with a decision.
  if (filter === 'all' || filter === 'merged') return true;
  if (filter === 'code') return false;
  return filter === 'contradicted' ? row.check?.verdict === 'contradicted' : statesOf[filter].includes(row.state);
}

/** How many of the rows that came are still in core's list: a decided row has left it, or fails the filter as it reads now. */
function stillListed({ rows, settled, filter }: Listing): number {
  return shownRows({ rows, settled }).filter(({ row }) => passes(row, filter)).length;
}

/** Whether there are rows that did not come yet. */
export function hasMore(state: Listing): boolean {
  return state.rows.length > 0 && stillListed(state) < state.total;
}

function firstPage(state: Listing, groups: readonly BreakdownGroup[], total: number): Partial<Listing> {
  const rows = listed(groups);
  const has = (key: string | null) => rows.some((row) => row.key === key);
  return {
    rows,
    total,
    isLoading: false,
    open: has(state.open) ? state.open : null,
    current: has(state.current) ? state.current : null,
    selected: new Set([...state.selected].filter(has)),
  };
}

function listed(groups: readonly BreakdownGroup[]): ListedRow[] {
  return groups.flatMap(({ rows, ...artifact }) => rows.map((row) => ({ key: rowKey(row, artifact.object), artifact, row })));
}

/** A fault as something to be said. */
export function faultOf(error: unknown): SaidFault {
  if (error instanceof Fault) return { kind: 'fault', code: error.code, detail: error.detail };
  return { kind: 'fault', code: 'bug', detail: { problem: problemOf(error) } };
}

/** The rows as they are to be shown, in order: without those that left, and as they read since something was decided. */
export function shownRows({ rows, settled }: Pick<Listing, 'rows' | 'settled'>): ListedRow[] {
  return rows.flatMap((listedRow) => {
    const settlement = settled.get(listedRow.key);
    if (settlement?.left) return [];
    return [settlement?.row == null ? listedRow : { ...listedRow, row: settlement.row }];
  });
}

/** Rows under their artifacts; the rows of an artifact stand beside each other. */
export function groupsOf(rows: readonly ListedRow[]): { artifact: ListedRow['artifact']; rows: ListedRow[] }[] {
  const groups: { artifact: ListedRow['artifact']; rows: ListedRow[] }[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.artifact.object === row.artifact.object) last.rows.push(row);
    else groups.push({ artifact: row.artifact, rows: [row] });
  }
  return groups;
}
