import { describe, expect, it } from 'vitest';
import type { Client } from '#protocol/calls';
import { Fault } from '#protocol/fault';
import { finish, judge, narrow } from '#renderer/breakdown/acts.ts';
import { closeInnermost, select } from '#renderer/breakdown/cursor.ts';
import { decideSeveral, flush } from '#renderer/breakdown/decision.ts';
import { markOf } from '#renderer/breakdown/dismissal.ts';
import { createListing, type ListedRow, shownRows } from '#renderer/breakdown/listing.ts';
import { sayAct } from '#renderer/breakdown/log-words.ts';
import { decidable, selectedRows } from '#renderer/breakdown/page-verbs.ts';
import { breakdownWords } from '#renderer/breakdown/words.ts';
import { documentRow, edgeRow, revision } from './row.ts';

const artifact = { object: 'o', path: 'a.md', lifecycle: 'live' as const, origin: null };
const listed = (row: ListedRow['row']): ListedRow => ({ key: row.edge === null ? 'document' : `${row.edge.input}`, artifact, row });

/** A page with some rows, and a core that answers each call as told and keeps what it was asked. */
function pageOf(rows: readonly ListedRow[], ...answers: readonly unknown[]) {
  const store = createListing();
  store.setState({ rows });
  const asked: [string, unknown][] = [];
  const left = [...answers];
  const call = (async (name: string, input: unknown) => {
    asked.push([name, input]);
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  }) as unknown as Client;
  let ids = 0;
  const world = { call, now: () => 1000, newId: () => `id-${ids++}`, reconnected: async () => undefined };
  return { store, world, asked };
}

describe('an act about a row', () => {
  it('is asked for again with the same idem when the answer was lost', async () => {
    const row = listed(edgeRow({}));
    const { store, world, asked } = pageOf([row], new Fault('core-restarted', {}), { kind: 'done', entry: 'e' });
    await judge(store, world, row, 'noise');
    const request = ['edge/judge', { edge: row.row.edge, judgment: 'noise', note: '', idem: 'id-0' }];
    expect(asked).toEqual([request, request]);
    expect(shownRows(store.getState())[0]?.row.judgment).toBe('noise');
    expect(store.getState().said).toMatchObject({ key: 'judge.done' });
  });

  it('says what kept it from being recorded, and leaves that on the page', async () => {
    const row = listed(edgeRow({}));
    const { store, world } = pageOf([row], { kind: 'ambiguous' }, new Fault('ledger-busy', {}), { kind: 'unchanged' });
    expect(await narrow(store, world, row, ['A'])).toBe(false);
    expect(store.getState().trouble).toMatchObject({ key: 'anchor.ambiguous' });
    expect(await narrow(store, world, row, [])).toBe(false);
    expect(store.getState().trouble).toMatchObject({ kind: 'unrecorded', fault: { code: 'ledger-busy' } });
    expect(await finish(store, world, artifact, 'finished', '')).toBe(false);
    expect(store.getState().trouble).toMatchObject({ key: 'finish.unchanged', detail: { path: 'a.md' } });
  });
});

describe('several rows', () => {
  const rows = [
    listed(edgeRow({ input: 0 })),
    listed(edgeRow({ input: 1, state: 'unpinnable', current: null, actions: { accept: false, revise: true, waive: false } })),
    listed(documentRow()),
    listed(edgeRow({ input: 3 })),
  ];

  it('are selected one by one, but for those without an edge, and let go by Escape', () => {
    const { store } = pageOf(rows);
    for (const row of rows) select(store, row);
    expect(selectedRows(store.getState()).map(({ key }) => key)).toEqual(['0', '1', '3']);
    select(store, rows[0]!);
    expect(selectedRows(store.getState()).map(({ key }) => key)).toEqual(['1', '3']);
    expect(closeInnermost(store)).toBe(true);
    expect(store.getState().selected.size).toBe(0);
    expect(closeInnermost(store)).toBe(false);
  });

  it('are decided each against the version that it names; what cannot be decided is left out', () => {
    const { store, world } = pageOf(rows);
    for (const row of rows) select(store, row);
    const able = decidable(selectedRows(store.getState()));
    expect(able.map(({ row, revision: against }) => [row.key, against])).toEqual([
      ['0', revision('2')],
      ['3', revision('2')],
    ]);
    decideSeveral(store, world, able, { kind: 'accept' });
    const { pending, selected } = store.getState();
    expect(pending?.acts.map(({ key, resolution }) => [key, resolution.idem])).toEqual([
      ['0', 'id-0'],
      ['3', 'id-1'],
    ]);
    expect(selected.size).toBe(0);
  });
});

describe('decisions that wait together', () => {
  it('are all sent before any is answered, for the page may be going', async () => {
    const rows = [0, 1, 2].map((input) => listed(edgeRow({ input })));
    const { store, world, asked } = pageOf(rows, ...rows.map(() => ({ kind: 'resolved', entry: 'e' })));
    decideSeveral(store, world, decidable(rows), { kind: 'accept' });
    const done = flush(store, world);
    expect(asked.map(([name]) => name)).toEqual(Array(3).fill('edge/resolve'));
    await done;
    expect(shownRows(store.getState())).toEqual([]);
  });
});

describe('the log', () => {
  const about = { id: 'i', time: '2026-11-30T10:00:00.000Z' };
  const words = breakdownWords('en');

  it('keeps the answer of a model that was below the threshold', () => {
    const downgraded = { verdict: 'contradiction', reason: 'below-threshold', tau: 0.8, evidence: [] };
    const kind = 'check' as const;
    const check = { ...about, kind, model: 'm', verdict: 'unknown' as const, confidence: 0.71, downgraded, evidence: [] };
    expect(sayAct(check, words)).toBe('checked by m: it said contradicted with 71 %, too unsure to be taken, so nothing was decided');
    expect(sayAct({ ...check, downgraded: null, verdict: 'no-contradiction' }, words)).toBe('checked: verified valid (m)');
  });

  it('tells a person from an agent, and an anchor that was carried from one that was set', () => {
    const waiver = { ...about, kind: 'waiver', against: 'r', reason: 'old', expires: null, grant: null } as const;
    expect(sayAct({ ...waiver, by: { type: 'human', id: 'Ana' } }, words)).toBe('waived by Ana: “old”');
    expect(sayAct({ ...waiver, by: { type: 'agent', id: 'bot' } }, words)).toBe('waived by bot, an agent: “old”');
    const anchor = { ...about, kind: 'anchor' as const, path: ['A', 'B'], carried: true };
    expect(sayAct(anchor, words)).toBe('anchor § A › B carried from an earlier version');
    expect(sayAct({ ...anchor, carried: false }, words)).toBe('anchored to § A › B');
    expect(sayAct({ ...anchor, path: [] }, words)).toBe('anchor: whole file');
  });
});

describe('what was dismissed', () => {
  it('is known by a short mark that differs by commit', () => {
    const marks = Array.from({ length: 5000 }, (_, at) => markOf(`/book ${at.toString(16)} merge`));
    expect(new Set(marks).size).toBe(marks.length);
    for (const mark of marks) expect(mark).toMatch(/^[0-9a-z]{1,10}$/u);
  });
});
