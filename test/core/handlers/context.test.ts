import { describe, expect, it } from 'vitest';
import type { Client } from '#protocol/calls';
import { outputs } from '#protocol/outputs';
import { openFace, saved } from '../../helpers/face.ts';
import { createPlace, createTrackingPlace, type Place, recording } from '../../helpers/workspace.ts';

const newIdem = () => crypto.randomUUID();
const all = { offset: 0, limit: 200, state: 'all', search: '' } as const;
const inAWeek = () => new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString();

/** `a.md` and `b.md` rest on `s.md`, which has changed since. */
async function createStory() {
  const place = createTrackingPlace();
  place.write('s.md', '# One\n\nas it was\n\n# Two\n\nthe same\n');
  for (const path of ['a.md', 'b.md']) place.write(path, `${path}\n`);
  const core = await place.open();
  for (const path of ['a.md', 'b.md']) await core.record(recording(path, 's.md'));
  const { call } = await openFace(place);
  await edit(place, call, 'as it was', 'as it is');
  const versions = (await core.logFile('s.md')).revisions.map(({ revision }) => revision);
  return { place, call, object: (await core.logFile('s.md')).object, versions };
}

const edit = (place: Place, call: Client, from: string, to: string) => saved(call, 's.md', place.text('s.md').replace(from, to));

async function rowsIn(call: Client, context?: string) {
  const named = context === undefined ? {} : { context };
  const { groups } = await call('breakdown/page', { ...all, ...named });
  return groups.flatMap(({ object, path, rows }) => rows.map((row) => ({ object, path, row })));
}

describe('contexts', () => {
  it('are made, pinned and looked through, each with a breakdown of its own', async () => {
    const { call, object, versions } = await createStory();
    expect(await call('context/make', { name: 'past', parent: null, branch: 'main' })).toMatchObject({ kind: 'made' });
    const pins = [{ object, chosen: versions[0]! }];
    expect(await call('context/change', { context: 'past', pins })).toEqual({ kind: 'changed' });
    expect(await call('breakdown/refresh', { context: 'past' })).toMatchObject({ rows: 0, context: { name: 'past' } });
    expect(await call('breakdown/refresh', {})).toMatchObject({ rows: 2, context: { name: 'default' } });
    expect([(await rowsIn(call, 'past')).length, (await rowsIn(call)).length]).toEqual([0, 2]);
    const [first] = await rowsIn(call);
    const { edge, current } = first!.row;
    const decision = { edge: edge!, against: current!.revision, decision: { kind: 'accept' as const }, idem: newIdem() };
    expect(await call('edge/resolve', { ...decision, context: 'past' })).toEqual({ kind: 'moved', current: versions[0] });
    expect(await call('edge/resolve', decision)).toMatchObject({ kind: 'resolved' });
    expect([(await rowsIn(call, 'past')).length, (await rowsIn(call)).length]).toEqual([0, 1]);
    expect((await call('edge/change', { edge: edge!, context: 'past' })).now).toMatchObject({ label: 'v1' });
    expect(await call('context/list', {})).toMatchObject({
      contexts: [{ name: 'default' }, { name: 'past', branch: 'main', pins: [{ object, path: 's.md', chosen: { label: 'v1' } }] }],
      unreadable: [],
    });
    await expect(call('breakdown/refresh', { context: 'nowhere' })).rejects.toMatchObject({ code: 'context-unknown' });
    expect(await call('context/remove', { context: 'past' })).toEqual({ kind: 'removed' });
  });

  it('are refused where what is asked makes no sense', async () => {
    const { call, object } = await createStory();
    for (const pins of [[{ object, chosen: 'newest' }], [{ object: 'x', chosen: 'live' }]]) {
      await expect(call('context/change', { context: 'default', pins } as never)).rejects.toMatchObject({ code: 'call-invalid' });
    }
    expect(await call('context/change', { context: 'default', enforcement: 'enforcing' })).toEqual({ kind: 'default-enforced' });
  });
});

describe('what a person says of a row', () => {
  it('is on it at once: judged, narrowed and widened again', async () => {
    const { call } = await createStory();
    const [{ row }] = (await rowsIn(call)) as [Awaited<ReturnType<typeof rowsIn>>[number]];
    const edge = row.edge!;
    expect(await call('edge/judge', { edge, judgment: 'noise', note: '', idem: newIdem() })).toMatchObject({ kind: 'done' });
    expect((await rowsIn(call))[0]?.row.judgment).toBe('noise');
    expect(await call('edge/sections', { edge })).toEqual({ sections: [['One'], ['Two']], section: null });
    expect(await call('edge/narrow', { edge, headings: ['Two'], idem: newIdem() })).toMatchObject({ kind: 'done' });
    expect((await rowsIn(call)).map(({ path }) => path)).toEqual(['b.md']);
    expect(await call('edge/narrow', { edge, headings: [], idem: newIdem() })).toMatchObject({ kind: 'done' });
    expect((await rowsIn(call)).map(({ path }) => path)).toEqual(['a.md', 'b.md']);
    const log = await call('coherence/log', { offset: 0, limit: 10 });
    expect(outputs['coherence-log'].parse(log)).toEqual(log);
    expect(log).toMatchObject({
      total: 1,
      rows: [{ judgment: 'noise', acts: [{ kind: 'judgment' }, { kind: 'anchor' }, { kind: 'anchor' }] }],
    });
  });

  it('of a document that is finished takes its rows away, and gives them back', async () => {
    const { place, call } = await createStory();
    const [first] = await rowsIn(call);
    const finish = (state: 'finished' | 'live') => call('document/finish', { object: first!.object, state, reason: '', idem: newIdem() });
    // An edit that nobody has seen yet came before the document was finished.
    place.write('a.md', place.text('a.md').replace('a.md\n', 'a.md, corrected\n'));
    expect(await finish('finished')).toMatchObject({ kind: 'done' });
    expect((await rowsIn(call)).map(({ path }) => path)).toEqual(['b.md']);
    expect(await finish('live')).toMatchObject({ kind: 'done' });
  });
});

describe('grants', () => {
  it('are given until a time, listed, and taken back', async () => {
    const { call } = await createStory();
    const give = { agent: 'codex', scope: ['resolve.waive' as const], expires: inAWeek(), idem: newIdem() };
    const given = await call('grant/give', give);
    expect(await call('grant/give', give)).toEqual(given);
    const [grant] = (await call('grant/list', {})).grants;
    expect(grant).toMatchObject({ agent: 'codex', scope: ['resolve.waive'], state: 'live', by: expect.any(String), resolved: [] });
    expect(await call('grant/revoke', { grant: grant!.grant, idem: newIdem() })).toMatchObject({ kind: 'done' });
    expect((await call('grant/list', {})).grants).toMatchObject([{ state: 'revoked' }]);
  });
});

it('nothing of this makes a ledger', async () => {
  const place = createPlace();
  place.write('a.md', 'a\n');
  const { call } = await openFace(place);
  expect(await call('context/list', {})).toMatchObject({ contexts: [{ name: 'default', pins: [] }] });
  expect(await call('context/make', { name: 'a', parent: null, branch: null })).toEqual({ kind: 'no-ledger' });
  expect(await call('claim/list', {})).toEqual({ claims: [] });
  expect(await call('grant/list', {})).toEqual({ grants: [] });
  expect(await call('workspace/merge', {})).toEqual({ merge: null });
  expect(await call('grant/give', { agent: 'a', scope: ['resolve.waive'], expires: inAWeek(), idem: newIdem() })).toEqual({
    kind: 'no-ledger',
  });
  expect([...place.tree().keys()]).toEqual(['a.md']);
});
