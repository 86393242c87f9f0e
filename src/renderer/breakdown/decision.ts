import type { BreakdownRow, BreakdownSummary, ResolvedEdge } from '#protocol/breakdown-calls';
import { askTwice } from '#renderer/breakdown/acts.ts';
import {
  faultOf,
  type ListedRow,
  type Listing,
  type ListingStore,
  type Said,
  type Settlement,
  shownRows,
  type World,
} from '#renderer/breakdown/listing.ts';
import { type Act, decided, flushed, type PendingStep, waited } from '#renderer/breakdown/pending.ts';

/** What a person decides about a row. */
export type Decision = { readonly kind: 'accept' } | { readonly kind: 'waive'; readonly reason: string; readonly expires: string | null };

/** A row as it was shown: with the revision of the source that is decided about. */
export interface ShownRow {
  readonly row: ListedRow;
  readonly revision: string;
}

/** Lets a decision about an open row wait, against the revision of the source that was shown. */
export function decide(store: ListingStore, world: World, row: ListedRow, shown: string, decision: Decision): void {
  decideSeveral(store, world, [{ row, revision: shown }], decision);
}

/** Lets one decision about several rows wait; what waited before is written now. The rows close, and the keys stay where they are. */
export function decideSeveral(store: ListingStore, world: World, shown: readonly ShownRow[], decision: Decision): void {
  const acts = shown.flatMap(({ row: { key, row }, revision }) =>
    row.edge === null ? [] : [{ key, row, resolution: { edge: row.edge, against: revision, decision, idem: world.newId() } }],
  );
  if (acts.length === 0) return;
  const step = decided(store.getState().pending, acts, world.now());
  store.setState(({ settled, current }) => ({
    pending: step.pending,
    settled: acts.reduce((known, { key }) => withoutSaid(known, key), settled),
    open: null,
    shown: null,
    waiving: null,
    selected: new Set<string>(),
    current: acts.length === 1 ? acts[0]!.key : current,
    said: { kind: 'words', key: `pending.said-${decision.kind}`, detail: { count: acts.length } },
  }));
  void write(store, world, step.write);
}

/** What was said at a row is answered by a new decision about it. */
function withoutSaid(settled: Listing['settled'], key: string): Listing['settled'] {
  const known = settled.get(key);
  return known === undefined ? settled : new Map(settled).set(key, { ...known, said: null });
}

/** Lets the time pass: what has waited long enough is written. */
export function letPass(store: ListingStore, world: World): Promise<void> {
  return take(store, world, waited(store.getState().pending, world.now()));
}

/** Writes what waits: on close, quit, refresh. */
export function flush(store: ListingStore, world: World): Promise<void> {
  return take(store, world, flushed(store.getState().pending));
}

function take(store: ListingStore, world: World, step: PendingStep): Promise<void> {
  if (step.write.length === 0) return Promise.resolve();
  store.setState({ pending: step.pending });
  return write(store, world, step.write);
}

/** All are sent at once: a page that is being closed has no time to wait for one before the next. */
async function write(store: ListingStore, world: World, acts: readonly Act[]): Promise<void> {
  await Promise.all(
    acts.map(async (act) => {
      try {
        await settle(store, world, act, await askTwice(world, 'edge/resolve', act.resolution));
      } catch (error) {
        say(store, act.key, { kind: 'unrecorded', fault: faultOf(error) }, { row: null, closed: false });
      }
    }),
  );
}

async function settle(store: ListingStore, world: World, act: Act, outcome: ResolvedEdge): Promise<void> {
  const { key, row } = act;
  const { decision } = act.resolution;
  if (outcome.kind === 'resolved')
    return settleResolved(store, key, row, decision.kind === 'accept' ? null : waivedRow(row, decision, world.now()));
  if (outcome.kind !== 'moved')
    return say(
      store,
      key,
      { kind: 'words', key: `outcome.${outcome.kind}` },
      { row: null, closed: outcome.kind !== 'blank-reason' && outcome.kind !== 'no-end' },
    );
  say(store, key, { kind: 'words', key: 'outcome.moved' }, { row: movedRow(row, outcome.current, null), closed: false });
  await label(store, world, act);
}

/** A moved row shows the newest version by its revision at once, and by its label as soon as that is known. */
async function label(store: ListingStore, world: World, act: Act): Promise<void> {
  const { now } = await world.call('edge/change', { edge: act.resolution.edge });
  if (now !== null)
    say(store, act.key, { kind: 'words', key: 'outcome.moved' }, { row: movedRow(act.row, now.revision, now.label), closed: false });
}

/** The row leaves, or stays as waived; the counts follow. */
function settleResolved(store: ListingStore, key: string, row: BreakdownRow, waived: BreakdownRow | null): void {
  const source = row.source?.path ?? row.source?.object ?? '';
  const said: Said = { kind: 'words', key: waived === null ? 'outcome.accepted' : 'outcome.waived', detail: { source } };
  store.setState((state) => ({
    ...afterLeaving(state, waived === null ? key : null),
    settled: new Map(state.settled).set(key, { left: waived === null, row: waived, said: null, closed: false }),
    summary: state.summary === null ? null : recounted(state.summary, row, waived),
    total: state.total - (waived === null || (state.filter !== 'all' && state.filter !== 'waived') ? 1 : 0),
    said,
  }));
}

/** When the current row leaves, the keys go to the one after it, else to the one before. */
function afterLeaving(state: Listing, key: string | null): Partial<Listing> {
  if (key === null || state.current !== key) return {};
  const rows = shownRows(state);
  const at = rows.findIndex((row) => row.key === key);
  return { current: (rows[at + 1] ?? rows[at - 1])?.key ?? null };
}

function say(store: ListingStore, key: string, said: Said, change: Pick<Settlement, 'row' | 'closed'>): void {
  store.setState(({ settled }) => ({ settled: new Map(settled).set(key, { left: false, said, ...change }), said }));
}

function waivedRow(row: BreakdownRow, { reason, expires }: Extract<Decision, { kind: 'waive' }>, now: number): BreakdownRow {
  if (row.edge === null) return row;
  // Who waived it is known to core; until the next refresh the row tells reason and time.
  const waiver = { reason: reason.trim(), by: '', at: new Date(now).toISOString(), expires };
  return { ...row, state: 'waived', check: null, waiver, resolutions: row.resolutions + 1 };
}

function movedRow(row: BreakdownRow, revision: string, label: string | null): BreakdownRow {
  return row.edge === null ? row : { ...row, current: { revision, label } };
}

function recounted(summary: BreakdownSummary, row: BreakdownRow, waived: BreakdownRow | null): BreakdownSummary {
  const counts = { ...summary.counts, [row.state]: Math.max(0, (summary.counts[row.state] ?? 0) - 1) };
  if (waived !== null) counts.waived += 1;
  const contradicted = summary.contradicted - (row.check?.verdict === 'contradicted' ? 1 : 0);
  return { ...summary, counts, contradicted, rows: summary.rows - (waived === null ? 1 : 0) };
}
