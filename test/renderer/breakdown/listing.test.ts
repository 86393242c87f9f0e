import { describe, expect, it } from 'vitest';
import type { BreakdownRow, ResolvedEdge } from '#protocol/breakdown-calls';
import type { CallInput, Client } from '#protocol/calls';
import { Fault } from '#protocol/fault';
import { closeInnermost, step, takeBack, toggle } from '#renderer/breakdown/cursor.ts';
import { decide, flush, letPass } from '#renderer/breakdown/decision.ts';
import {
  choose,
  createListing,
  groupsOf,
  hasMore,
  pageLength,
  refresh,
  showMore,
  shownRows,
  type World,
} from '#renderer/breakdown/listing.ts';
import { edgeRow, revision } from './row.ts';

const noCounts = {
  'version-stale': 0,
  diverged: 0,
  'diverged-multi-head': 0,
  waived: 0,
  unpinnable: 0,
  'anchor-lost': 0,
  'parallel-versions': 0,
  'finished-changed': 0,
  silenced: 0,
};

/** A core in memory: rows of one state each, that leave when they are accepted and are waived when they are waived. */
function createWorld(
  count: number,
  answer: (input: CallInput<'edge/resolve'>) => ResolvedEdge | Fault = () => ({ kind: 'resolved', entry: 'e' }),
) {
  let rows: BreakdownRow[] = Array.from({ length: count }, (_, input) => edgeRow({ input }));
  const written: CallInput<'edge/resolve'>[] = [];
  const clock = { now: 0, ids: 0 };
  const scan = { complete: true, documents: 0, external: 0, navigations: 0, absent: 0, diagnostics: [] };
  const answers = {
    'breakdown/refresh': () => ({
      asOf: clock.now,
      initialized: true,
      setting: 'on',
      tracked: 9,
      scan,
      counts: { ...noCounts, 'version-stale': rows.length },
      contradicted: 0,
      rows: rows.length,
      silenced: [],
      sourceGone: [],
      provenanceUnknown: [],
      finished: [],
      code: { waiting: 0 },
      pairs: { waiting: 0 },
    }),
    'breakdown/page': ({ offset, limit, state }: CallInput<'breakdown/page'>) => {
      const passing = rows.filter((row) => state === 'all' || (state === 'waived') === (row.state === 'waived'));
      const page = passing.slice(offset, offset + limit);
      const half = Math.floor(page.length / 2);
      const groups = [page.slice(0, half), page.slice(half)].map((part, at) => ({
        object: `o${at}`,
        path: `a${at}.md`,
        lifecycle: 'live',
        rows: part,
      }));
      return { asOf: clock.now, total: passing.length, groups: groups.filter((group) => group.rows.length > 0) };
    },
    'edge/change': () => ({ before: null, now: { revision: revision('9'), label: 'v9' }, artifact: {}, section: null }),
    'edge/resolve': (input: CallInput<'edge/resolve'>) => {
      written.push(input);
      const outcome = answer(input);
      if (outcome instanceof Fault) throw outcome;
      if (outcome.kind !== 'resolved') return outcome;
      const isIt = (row: BreakdownRow) => row.edge?.input === input.edge.input;
      rows =
        input.decision.kind === 'accept'
          ? rows.filter((row) => !isIt(row))
          : rows.map((row) => (isIt(row) ? edgeRow({ input: input.edge.input, state: 'waived' }) : row));
      return outcome;
    },
  };
  const call = (async (name: keyof typeof answers, input: never) => answers[name](input)) as unknown as Client;
  const world: World = { call, now: () => clock.now, newId: () => `id-${++clock.ids}`, reconnected: async () => undefined };
  return { world, clock, written };
}

async function opened(count: number, answer?: Parameters<typeof createWorld>[1]) {
  const made = createWorld(count, answer);
  const store = createListing();
  await refresh(store, made.world);
  const rowAt = (at: number) => shownRows(store.getState())[at]!;
  const settle = async (ms: number) => {
    made.clock.now += ms;
    await letPass(store, made.world);
  };
  return { ...made, store, rowAt, settle };
}

const shown = revision('2');

describe('a listing', () => {
  it('comes in pages, each row once, under its artifact', async () => {
    const { store, world } = await opened(450);
    expect(store.getState().rows.length).toBe(pageLength);
    await showMore(store, world);
    await showMore(store, world);
    expect(hasMore(store.getState())).toBe(false);
    expect(new Set(store.getState().rows.map(({ key }) => key)).size).toBe(450);
    expect(groupsOf(shownRows(store.getState())).flatMap(({ rows }) => rows)).toEqual(shownRows(store.getState()));
  });

  it('skips no row when some were decided before the next page', async () => {
    const { store, world, rowAt, settle } = await opened(450);
    await choose(store, world, { filter: 'changed' });
    decide(store, world, rowAt(0), shown, { kind: 'accept' });
    await settle(10_000);
    decide(store, world, rowAt(0), shown, { kind: 'waive', reason: 'because', expires: null });
    await settle(10_000);
    while (hasMore(store.getState())) await showMore(store, world);
    expect(new Set(store.getState().rows.map(({ key }) => key)).size).toBe(450);
    expect(shownRows(store.getState()).length).toBe(449);
  });

  it('steps through the rows and stops at both ends', async () => {
    const { store, rowAt } = await opened(3);
    expect([step(store, 1), step(store, 1), step(store, 1), step(store, 1)]).toEqual(
      [rowAt(0), rowAt(1), rowAt(2), rowAt(2)].map(({ key }) => key),
    );
    expect([step(store, -1), step(store, -1), step(store, -1)]).toEqual([rowAt(1), rowAt(0), rowAt(0)].map(({ key }) => key));
  });

  it('closes the waiver first, then the row, then nothing', async () => {
    const { store, rowAt } = await opened(1);
    toggle(store, rowAt(0).key);
    store.setState({ waiving: rowAt(0).key });
    expect([
      closeInnermost(store),
      store.getState().open === rowAt(0).key,
      closeInnermost(store),
      store.getState().open,
      closeInnermost(store),
    ]).toEqual([true, true, true, null, false]);
  });
});

describe('a decision', () => {
  it('is written after ten seconds with the revision that was shown; the row leaves, and the keys go on', async () => {
    const { store, world, rowAt, settle, written } = await opened(3);
    const [first, second] = [rowAt(0), rowAt(1)];
    decide(store, world, first, shown, { kind: 'accept' });
    await settle(9999);
    expect(written).toEqual([]);
    await settle(1);
    expect(written).toEqual([{ edge: first.row.edge, against: shown, decision: { kind: 'accept' }, idem: 'id-1' }]);
    expect(shownRows(store.getState()).map(({ key }) => key)).not.toContain(first.key);
    expect(store.getState()).toMatchObject({ current: second.key, total: 2, summary: { rows: 2, counts: { 'version-stale': 2 } } });
  });

  it('that is taken back is not written', async () => {
    const { store, world, rowAt, settle, written } = await opened(2);
    decide(store, world, rowAt(0), shown, { kind: 'accept' });
    takeBack(store, rowAt(0).key);
    await settle(60_000);
    await flush(store, world);
    expect(written).toEqual([]);
  });

  it('is written by the next one, and by a flush', async () => {
    const { store, world, rowAt, written } = await opened(3);
    const [first, second] = [rowAt(0), rowAt(1)];
    decide(store, world, first, shown, { kind: 'accept' });
    decide(store, world, second, shown, { kind: 'waive', reason: ' why ', expires: null });
    expect(written.map(({ edge }) => edge)).toEqual([first.row.edge]);
    await flush(store, world);
    expect(written.map(({ edge }) => edge)).toEqual([first.row.edge, second.row.edge]);
    const waived = shownRows(store.getState()).find(({ key }) => key === second.key)!;
    expect(waived.row).toMatchObject({ state: 'waived', waiver: { reason: 'why' } });
    expect(store.getState().summary?.counts).toMatchObject({ waived: 1, 'version-stale': 1 });
  });

  it('about a source that moved changes nothing but what the row shows', async () => {
    const { store, world, rowAt } = await opened(1, () => ({ kind: 'moved', current: revision('9') }));
    decide(store, world, rowAt(0), shown, { kind: 'accept' });
    await flush(store, world);
    expect(rowAt(0).row).toMatchObject({ state: 'version-stale', current: { revision: revision('9'), label: 'v9' } });
    expect(store.getState().said).toEqual({ kind: 'words', key: 'outcome.moved' });
    expect(store.getState().summary?.rows).toBe(1);
  });

  it.each(['gone', 'undecidable'] as const)('about a row that is %s is said and closes the row to decisions', async (kind) => {
    const { store, world, rowAt } = await opened(1, () => ({ kind }));
    decide(store, world, rowAt(0), shown, { kind: 'accept' });
    await flush(store, world);
    expect(store.getState().settled.get(rowAt(0).key)).toMatchObject({ left: false, closed: true, said: { key: `outcome.${kind}` } });
  });

  it('whose answer was lost is asked again with the same idem', async () => {
    let isFirst = true;
    const { store, world, rowAt, written } = await opened(1, () => {
      if (!isFirst) return { kind: 'resolved', entry: 'e' };
      isFirst = false;
      return new Fault('core-restarted', {});
    });
    decide(store, world, rowAt(0), shown, { kind: 'accept' });
    await flush(store, world);
    expect(written.map(({ idem }) => idem)).toEqual(['id-1', 'id-1']);
    expect(shownRows(store.getState())).toEqual([]);
  });

  it('that core refuses is said at its row, which stays', async () => {
    const { store, world, rowAt } = await opened(1, () => new Fault('git-busy', {}));
    decide(store, world, rowAt(0), shown, { kind: 'accept' });
    await flush(store, world);
    expect(store.getState().said).toEqual({ kind: 'unrecorded', fault: { kind: 'fault', code: 'git-busy', detail: {} } });
    expect(shownRows(store.getState()).length).toBe(1);
  });
});
