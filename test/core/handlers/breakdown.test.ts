import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { capped } from '#core/handlers/breakdown';
import { afterDecision, type HeldBreakdown, pageOf, quietOf, summaryOf } from '#core/handlers/held-breakdown';
import type { BreakdownRow } from '#protocol/breakdown-calls';
import { type CallInput, type Client, callInputs } from '#protocol/calls';
import { openFace, saved } from '../../helpers/face.ts';
import { countKinds, createPlace, createTrackingPlace, entriesOf, type Place, recording } from '../../helpers/workspace.ts';

const newIdem = () => crypto.randomUUID();
const all = { offset: 0, limit: 200, state: 'all', search: '' } as const satisfies CallInput<'breakdown/page'>;

/** Sources and, resting on all of them, artifacts. */
async function createStory(sources: readonly string[], artifacts: readonly string[]): Promise<Place> {
  const place = createTrackingPlace();
  for (const path of [...sources, ...artifacts]) place.write(path, `# ${path}\n\nas it was\n`);
  const core = await place.open();
  for (const path of artifacts) await core.record(recording(path, ...sources));
  return place;
}

const edit = async (place: Place, call: Client, path: string) => saved(call, path, place.text(path).replace('as it was', 'as it is'));

async function rowsOf(call: Client, input: Partial<CallInput<'breakdown/page'>> = {}) {
  const { groups } = await call('breakdown/page', { ...all, ...input });
  return groups.flatMap(({ path, rows }) => rows.map((row) => ({ artifact: path, row })));
}

/** The one row that is shown, with an edge. */
async function onlyRow(call: Client) {
  const [found, ...others] = await rowsOf(call);
  expect(others).toEqual([]);
  const row = found!.row;
  if (row.edge === null) throw new Error('the row has no edge');
  return row;
}

const accept = (row: BreakdownRow) => ({
  edge: row.edge!,
  against: row.current!.revision,
  decision: { kind: 'accept' as const },
  idem: newIdem(),
});

describe('the breakdown', () => {
  it('says that provenance is off, and makes nothing', async () => {
    const place = createPlace();
    place.write('a.md', 'a\n');
    const { call } = await openFace(place);
    expect(await call('breakdown/refresh', {})).toMatchObject({
      initialized: false,
      setting: 'off',
      tracked: 0,
      rows: 0,
      scan: { complete: false, reason: 'provenance-off' },
    });
    expect(await call('breakdown/page', all)).toMatchObject({ total: 0, groups: [] });
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });

  it('shows what the world has moved past, once it is asked for anew and not before', async () => {
    const place = await createStory(['bible/elena.md'], ['chapters/1.md', 'chapters/2.md']);
    const { call } = await openFace(place);
    expect(await call('breakdown/refresh', {})).toMatchObject({ rows: 0, tracked: 3, initialized: true, setting: 'on' });
    await edit(place, call, 'bible/elena.md');
    expect(await rowsOf(call)).toEqual([]);
    const summary = await call('breakdown/refresh', {});
    expect(summary).toMatchObject({ rows: 2, contradicted: 0, counts: { 'version-stale': 2 }, scan: { complete: true } });
    expect(await rowsOf(call)).toMatchObject([
      { artifact: 'chapters/1.md', row: { source: { path: 'bible/elena.md' }, state: 'version-stale' } },
      { artifact: 'chapters/2.md', row: { source: { path: 'bible/elena.md' }, state: 'version-stale' } },
    ]);
    expect((await call('breakdown/page', all)).asOf).toBe(summary.asOf);
  });

  it('is computed for the first page, where nobody asked for it before', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    expect(await rowsOf(call)).toHaveLength(1);
  });

  it('shows what changed: the source as it was read and as it is, by whom, and the artifact', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const { edge } = await onlyRow(call);
    const change = await call('edge/change', { edge });
    expect(change).toMatchObject({
      before: { label: 'v1', text: '# s.md\n\nas it was\n' },
      now: { label: 'v2', agent: 'human', text: '# s.md\n\nas it is\n' },
      artifact: { path: 'a.md', text: place.text('a.md') },
      section: null,
    });
    expect(change.now!.time).toBe(entriesOf(place, 'transformation').at(-1)!.time);
    await expect(call('edge/change', { edge: { ...edge, input: 7 } })).rejects.toMatchObject({ code: 'row-gone' });
  });
});

/** A core one call of which waits: before it is asked, or with its answer in hand. `reached` once it waits. */
function lateCore(name: 'headCommit' | 'rowNow') {
  const [reached, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isNext = false;
  const around = (core: Core): Core => ({
    ...core,
    [name]: async (...args: unknown[]) => {
      if (isNext) {
        isNext = false;
        reached.resolve();
        await free.promise;
      }
      return (core[name] as (...args: unknown[]) => unknown)(...args);
    },
  });
  const waiting = <T>(act: () => Promise<T>) => {
    isNext = true;
    return { act: act(), reached: reached.promise };
  };
  return { around, waiting, free: () => free.resolve() };
}

describe('answers that cross', () => {
  it('a decision is in an answer that was computed before it and comes after it', async () => {
    const place = await createStory(['s.md'], ['a.md', 'b.md']);
    const { around, waiting, free } = lateCore('headCommit');
    const { call } = await openFace(place, around);
    await edit(place, call, 's.md');
    const [first] = await rowsOf(call);
    const refreshing = waiting(() => call('breakdown/refresh', {}));
    await refreshing.reached;
    expect(await call('edge/resolve', accept(first!.row))).toMatchObject({ kind: 'resolved' });
    free();
    expect(await refreshing.act).toMatchObject({ rows: 1 });
    expect((await rowsOf(call)).map(({ artifact }) => artifact)).toEqual(['b.md']);
  });

  it('a decision takes its row out of the answer that came meanwhile, and brings no older one back', async () => {
    const place = await createStory(['s.md', 't.md'], ['a.md', 'b.md']);
    const { around, waiting, free } = lateCore('rowNow');
    const { call } = await openFace(place, around);
    await edit(place, call, 's.md');
    const [first] = await rowsOf(call);
    const deciding = waiting(() => call('edge/resolve', accept(first!.row)));
    await deciding.reached;
    await edit(place, call, 't.md');
    expect(await call('breakdown/refresh', {})).toMatchObject({ rows: 3 });
    free();
    expect(await deciding.act).toMatchObject({ kind: 'resolved' });
    expect(await rowsOf(call)).toHaveLength(3);
  });

  it('an answer that was asked for earlier and comes later is not held', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { around, waiting, free } = lateCore('headCommit');
    const { call } = await openFace(place, around);
    const first = waiting(() => call('breakdown/refresh', {}));
    await first.reached;
    await edit(place, call, 's.md');
    expect(await call('breakdown/refresh', {})).toMatchObject({ rows: 1 });
    free();
    await first.act;
    expect(await rowsOf(call)).toHaveLength(1);
  });

  it('an act that moves rows is in the next page, although an older answer comes after it', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { around, waiting, free } = lateCore('headCommit');
    const { call } = await openFace(place, around);
    await edit(place, call, 's.md');
    expect(await rowsOf(call)).toHaveLength(1);
    const { object } = (await call('breakdown/page', all)).groups[0]!;
    const refreshing = waiting(() => call('breakdown/refresh', {}));
    await refreshing.reached;
    await call('document/finish', { object, state: 'finished', reason: 'done', idem: newIdem() });
    free();
    await refreshing.act;
    expect(await rowsOf(call)).toEqual([]);
  });
});

describe('a decision', () => {
  it('takes its row away at once, and nothing else', async () => {
    const place = await createStory(['s.md'], ['a.md', 'b.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const [first] = await rowsOf(call);
    expect(await call('edge/resolve', accept(first!.row))).toMatchObject({ kind: 'resolved' });
    expect((await rowsOf(call)).map(({ artifact }) => artifact)).toEqual(['b.md']);
    expect(await call('breakdown/refresh', {})).toMatchObject({ rows: 1 });
  });

  it('asked for again with its idem is one entry', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const request = accept(await onlyRow(call));
    const first = await call('edge/resolve', request);
    expect(await call('edge/resolve', request)).toEqual(first);
    expect(countKinds(place).ratification).toBe(1);
  });

  it('leaves a waived row, with its reason', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const decision = { kind: 'waive' as const, reason: 'Only a comma.', expires: null };
    expect(await call('edge/resolve', { ...accept(await onlyRow(call)), decision: { ...decision, reason: ' ' } })).toEqual({
      kind: 'blank-reason',
    });
    await call('edge/resolve', { ...accept(await onlyRow(call)), decision });
    expect(await onlyRow(call)).toMatchObject({ state: 'waived', waiver: { reason: 'Only a comma.' } });
    expect(await rowsOf(call, { state: 'waived' })).toHaveLength(1);
    expect(await rowsOf(call, { state: 'changed' })).toEqual([]);
  });

  it('records nothing when the source moved since, also by another program, and the row is then as it is now', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const row = await onlyRow(call);
    place.write('s.md', place.text('s.md').replace('as it is', 'as it will be'));
    const answer = await call('edge/resolve', accept(row));
    expect(answer).toMatchObject({ kind: 'moved' });
    expect(countKinds(place).ratification).toBeUndefined();
    expect(await onlyRow(call)).toMatchObject({ current: { revision: (answer as { current: string }).current, label: 'v3' } });
  });

  it('about a row that is listed no more is answered so', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const row = await onlyRow(call);
    await edit(place, call, 'a.md');
    expect(await call('edge/resolve', accept(row))).toEqual({ kind: 'gone' });
    expect(await rowsOf(call)).toEqual([]);
  });
});

describe('a message', () => {
  it('holds at most 200 rows, whatever there is', () => {
    const rows = Array.from({ length: 450 }, (_, n) => row(n, 'version-stale', 's.md'));
    const restedBy = rows.map((one) => ({ object: 'o', path: 'a.md', row: one }));
    const answer = capped({
      asOf: 1,
      tracking: { by: 'id', reason: null },
      restsOn: rows.slice(0, 120),
      silenced: rows as never,
      restedBy,
    });
    expect([answer.restsOn.length, answer.silenced.length, answer.restedBy.length, answer.left]).toEqual([120, 80, 0, 820]);
    const breakdown = { artifacts: [], counts: {}, silenced: rows, sourceGone: [], provenanceUnknown: [], finished: [] } as never;
    const whole: HeldBreakdown = { asOf: 1, initialized: true, setting: 'on', tracked: 1, commit: null, merge: null, breakdown };
    const part = (offset: number) => quietOf(whole, { group: 'silenced', offset, limit: 200 });
    expect([0, 200, 400].map((offset) => part(offset).rows.length)).toEqual([200, 200, 50]);
    expect(Object.values(summaryOf(whole)).filter(Array.isArray)).toEqual([]);
    for (const name of ['breakdown/page', 'breakdown/quiet', 'coherence/touch', 'coherence/log', 'coherence/confirmations'] as const) {
      const most = { offset: 0, state: 'all', search: '', group: 'silenced', object: newIdem() };
      const known = Object.keys(callInputs[name].shape);
      const input = (limit: number) => Object.fromEntries(Object.entries({ ...most, limit }).filter(([key]) => known.includes(key)));
      expect([200, 201].map((limit) => callInputs[name].safeParse(input(limit)).success)).toEqual([true, false]);
    }
  });

  it('says of each group how its document came to be', async () => {
    const place = await createStory(['s.md', 't.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const { groups } = await call('breakdown/page', all);
    expect(groups).toMatchObject([{ path: 'a.md', origin: { agent: 'model', sources: 2 } }]);
  });
});

describe('a finished document', () => {
  it('can be reopened from the breakdown, whatever it rests on now; it stands behind the rows that ask nothing', async () => {
    const place = await createStory(['s.md'], ['a.md', 'b.md', 'c.md']);
    const { call } = await openFace(place);
    const finish = async (path: string, state: 'finished' | 'live') =>
      call('document/finish', { object: (await call('provenance/inputs', { path })).object, state, reason: '', idem: newIdem() });
    const quiet = async () => {
      const { silenced, finished } = await call('breakdown/refresh', {});
      const { total, rows, documents } = await call('breakdown/quiet', { group: 'silenced', offset: 0, limit: 200 });
      expect(total).toBe(silenced['document-finished'] + finished);
      return [rows.map((row) => row.artifact.path), documents.map(({ path }) => path)];
    };
    for (const path of ['a.md', 'b.md']) expect(await finish(path, 'finished')).toMatchObject({ kind: 'done' });
    expect(await quiet()).toEqual([[], ['a.md', 'b.md']]);
    await edit(place, call, 's.md');
    expect(await quiet()).toEqual([['a.md', 'b.md'], []]);
    // Edited outside, it is shown; finished again, nothing that it rests on is known any more.
    place.write('a.md', place.text('a.md').replace('as it was', 'by another program'));
    expect(await quiet()).toEqual([['b.md'], []]);
    expect(await finish('a.md', 'finished')).toMatchObject({ kind: 'done' });
    expect(await quiet()).toEqual([['b.md'], ['a.md']]);
    expect(await call('breakdown/quiet', { group: 'silenced', offset: 1, limit: 1 })).toMatchObject({
      rows: [],
      documents: [{ path: 'a.md' }],
    });
    expect(await finish('a.md', 'live')).toMatchObject({ kind: 'done' });
    expect(await quiet()).toEqual([['b.md'], []]);
    expect((await call('breakdown/refresh', {})).provenanceUnknown).toBe(1);
  });
});

describe('inputs that were lost', () => {
  it('are proposed from the newest version that had some, and confirmed for the present one', async () => {
    const place = await createStory(['s.md', 't.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 'a.md');
    const refreshed = await call('breakdown/refresh', {});
    expect(refreshed.provenanceUnknown).toBe(1);
    const quiet = await call('breakdown/quiet', { group: 'provenance-unknown', offset: 0, limit: 200 });
    expect(quiet).toMatchObject({ total: 1, documents: [{ path: 'a.md' }], rows: [] });
    const { object, head, inputs } = await call('provenance/inputs', { path: 'a.md' });
    expect(inputs).toMatchObject([
      { path: 's.md', role: 'direct' },
      { path: 't.md', role: 'direct' },
    ]);
    const named = inputs.map((input) => ({ object: input.object, role: input.role }));
    expect(await call('provenance/confirm', { object, head: head!, inputs: [] })).toEqual({ kind: 'no-inputs' });
    expect(await call('provenance/confirm', { object, head: head!, inputs: named })).toEqual({ kind: 'confirmed' });
    expect((await call('breakdown/refresh', {})).provenanceUnknown).toBe(0);
    await edit(place, call, 's.md');
    expect((await call('breakdown/refresh', {})).rows).toBe(1);
  });

  it('are none for a document that never had some', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    expect((await call('provenance/inputs', { path: 's.md' })).inputs).toEqual([]);
    await expect(call('provenance/inputs', { path: 'nowhere.md' })).rejects.toMatchObject({ code: 'file-missing' });
  });
});

describe('inputs of several documents', () => {
  it('are confirmed at once, each by itself', async () => {
    const place = await createStory(['s.md'], ['a.md', 'b.md']);
    const { call } = await openFace(place);
    for (const path of ['a.md', 'b.md']) await edit(place, call, path);
    const asked = await Promise.all(['a.md', 'b.md'].map((path) => call('provenance/inputs', { path })));
    const documents = asked.map(({ object, head, inputs }) => ({
      object,
      head: head!,
      inputs: inputs.map(({ path: _, ...input }) => input),
    }));
    await edit(place, call, 's.md');
    await saved(call, 'b.md', `${place.text('b.md')}more\n`);
    const answer = await call('provenance/confirm-several', { documents });
    expect(answer.documents.map(({ kind }) => kind)).toEqual(['confirmed', 'moved']);
    expect((await call('breakdown/refresh', {})).provenanceUnknown).toBe(1);
  });
});

describe('what a document would touch', () => {
  it('is what rests on it, near ones first, each once, and what is finished is said', async () => {
    const place = await createStory(['s.md'], ['a.md', 'b.md']);
    const { call, close } = await openFace(place);
    const core = await place.open();
    for (const [path, ...from] of [
      ['c.md', 'a.md', 'b.md'],
      ['d.md', 'c.md', 's.md'],
    ] as const) {
      place.write(path, `# ${path}\n`);
      await core.record(recording(path, ...from));
    }
    const { object } = await call('provenance/inputs', { path: 's.md' });
    const finished = await call('provenance/inputs', { path: 'd.md' });
    await call('document/finish', { object: finished.object, state: 'finished', reason: '', idem: newIdem() });
    const touched = await call('coherence/touch', { object, offset: 0, limit: 200 });
    expect(touched).toMatchObject({ total: 4, direct: 3 });
    expect(touched.documents.map(({ path, distance, through, lifecycle }) => [path, distance, through?.path ?? null, lifecycle])).toEqual([
      ['a.md', 1, null, 'live'],
      ['b.md', 1, null, 'live'],
      ['d.md', 1, null, 'finished'],
      ['c.md', 2, 'a.md', 'live'],
    ]);
    expect((await call('coherence/touch', { object, offset: 3, limit: 1 })).documents).toMatchObject([{ path: 'c.md' }]);
    expect(await call('coherence/touch', { object: newIdem(), offset: 0, limit: 1 })).toEqual({ total: 0, direct: 0, documents: [] });
    close();
  });
});

describe('the coherence of a document', () => {
  it('is what it rests on and what rests on it, fresh or not', async () => {
    const place = await createStory(['s.md', 't.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    const artifact = await call('coherence/document', { path: 'a.md' });
    expect(artifact).toMatchObject({ tracking: { by: 'id' }, restedBy: [], silenced: [] });
    expect(artifact.restsOn.map(({ source, state }) => [source?.path, state])).toEqual([
      ['s.md', 'version-stale'],
      ['t.md', 'fresh'],
    ]);
    const source = await call('coherence/document', { path: 's.md' });
    expect(source).toMatchObject({ restsOn: [], restedBy: [{ path: 'a.md', row: { state: 'version-stale' } }] });
  });

  it('sets rows apart that ask nothing', async () => {
    const place = await createStory(['s.md'], ['a.md']);
    const { call } = await openFace(place);
    await edit(place, call, 's.md');
    await saved(call, 's.md', place.text('s.md').replace('as it is', 'as it was'));
    expect(await call('coherence/document', { path: 'a.md' })).toMatchObject({
      restsOn: [],
      silenced: [{ silenced: 'same-text', artifact: { path: 'a.md' } }],
    });
  });

  it('is nothing for a document that is not tracked', async () => {
    const place = createPlace();
    place.write('a.md', 'a\n');
    const { call } = await openFace(place);
    expect(await call('coherence/document', { path: 'a.md' })).toMatchObject({ tracking: { by: null }, restsOn: [], restedBy: [] });
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });
});

const row = (n: number, state: string, source: string): BreakdownRow =>
  ({
    edge: { txf: `018f3c7a-9f2e-7cc1-b302-${String(n).padStart(12, '0')}`, input: 0 },
    source: { object: 'x', path: source },
    state,
    check: null,
  }) as never;

const held: fc.Arbitrary<HeldBreakdown> = fc
  .array(fc.array(fc.constantFrom('version-stale', 'anchor-lost', 'diverged', 'waived', 'unpinnable'), { minLength: 1, maxLength: 8 }), {
    maxLength: 8,
  })
  .map((groups) => {
    let n = 0;
    const artifacts = groups.map((states, a) => ({
      object: `o${a}`,
      path: `part-${a % 3}/${a}.md`,
      lifecycle: 'live' as const,
      rows: states.map((state, s) => row(n++, state, `source-${s % 2}.md`)),
    }));
    const counts = Object.fromEntries(
      ['version-stale', 'anchor-lost', 'diverged', 'waived', 'unpinnable'].map((state) => [
        state,
        artifacts.flatMap(({ rows }) => rows).filter((r) => r.state === state).length,
      ]),
    );
    return {
      asOf: 1,
      initialized: true,
      setting: 'on',
      tracked: 1,
      commit: null,
      merge: null,
      breakdown: { artifacts, counts, silenced: [], sourceGone: [], provenanceUnknown: [], finished: [] } as never,
    };
  });

const filter = fc.record({
  state: fc.constantFrom('all', 'changed', 'diverged', 'waived', 'other', 'contradicted'),
  search: fc.constantFrom('', 'PART-1', 'source-0', ' 2.md', 'nothing'),
});

describe('pages', () => {
  it('put together are the whole, in its order, whatever their size', () => {
    fc.assert(
      fc.property(held, filter, fc.integer({ min: 1, max: 9 }), (whole, wanted, limit) => {
        const once = pageOf(whole, { ...wanted, offset: 0, limit: 10_000 } as never);
        const pieces = [];
        for (let offset = 0; offset < once.total; offset += limit) {
          const page = pageOf(whole, { ...wanted, offset, limit } as never);
          const rows = page.groups.flatMap((group) => group.rows.map((r) => [group.object, r]));
          expect(rows.length).toBe(Math.min(limit, once.total - offset));
          expect(page.total).toBe(once.total);
          pieces.push(...rows);
        }
        expect(pieces).toEqual(once.groups.flatMap((group) => group.rows.map((r) => [group.object, r])));
        expect(pageOf(whole, { ...wanted, offset: once.total, limit } as never).groups).toEqual([]);
      }),
    );
  });

  it('of the four kinds of states are every row, none twice', () => {
    fc.assert(
      fc.property(held, (whole) => {
        const total = (state: string) => pageOf(whole, { offset: 0, limit: 1, state, search: '' } as never).total;
        expect(['changed', 'diverged', 'waived', 'other'].reduce((sum, state) => sum + total(state), 0)).toBe(total('all'));
      }),
    );
  });

  it('find a path of the artifact or of the source, in any case', () => {
    fc.assert(
      fc.property(held, filter, (whole, { search }) => {
        const found = pageOf(whole, { offset: 0, limit: 10_000, state: 'all', search });
        const text = (group: { path: string | null }, r: BreakdownRow) => `${group.path} ${r.source?.path}`.toLowerCase();
        const rows = whole.breakdown.artifacts.flatMap((group) => group.rows.map((r) => text(group, r)));
        expect(found.groups.flatMap((group) => group.rows.map((r) => text(group, r)))).toEqual(
          rows.filter((names) => names.includes(search.trim().toLowerCase())),
        );
      }),
    );
  });

  it('count after a decision what they show', () => {
    fc.assert(
      fc.property(held, fc.nat(), fc.constantFrom('waived', 'version-stale', null), (whole, pick, now) => {
        const rows = whole.breakdown.artifacts.flatMap((artifact) => artifact.rows);
        fc.pre(rows.length > 0);
        const chosen = rows[pick % rows.length]!;
        const after = afterDecision(whole, chosen.edge as never, now === null ? null : ({ ...chosen, state: now } as never));
        const left = after.breakdown.artifacts.flatMap((artifact) => artifact.rows);
        expect(left).toHaveLength(rows.length - (now === null ? 1 : 0));
        for (const [state, count] of Object.entries(after.breakdown.counts))
          expect(left.filter((r) => r.state === state).length).toBe(count);
        expect(summaryOf({ ...after, breakdown: { ...after.breakdown } }).rows).toBe(left.length);
      }),
    );
  });
});
