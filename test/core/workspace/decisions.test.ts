import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { realChance } from '#core/core';
import { digest } from '#core/digest';
import { formatInstant } from '#kernel/instant';
import { contentHash, type RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { namedUuid } from '../../helpers/history.ts';
import {
  countKinds,
  createPlace,
  createTrackingPlace,
  entriesOf,
  inputOf,
  type Place,
  recording,
  type Surroundings,
  savingFrom,
  savingOf,
} from '../../helpers/workspace.ts';

const first = '# One\n\nas it was\n\n# Two\n\nthe same\n';

/** `a.md` rests on `source.md`, whose section One has changed since. */
async function createStory(surroundings: Surroundings = {}) {
  const place = createTrackingPlace();
  const core = await place.open(surroundings);
  await core.save(savingOf(place, 'source.md', first));
  await core.save(savingFrom(place, 'a.md', 'made\n', [await inputOf(core, 'source.md')]));
  await edit(place, core, 'source.md', 'as it was', 'as it is');
  return { place, core, ...(await rowOf(core)) };
}

const edit = (place: Place, core: Core, path: string, from: string, to: string) =>
  core.save(savingOf(place, path, place.text(path).replace(from, to)));

/** A new version of the artifact, made from the source as it is now. */
const remake = async (place: Place, core: Core, text: string) =>
  core.save(savingFrom(place, 'a.md', place.text('a.md').replace(/[^\n]*\n$/u, `${text}\n`), [await inputOf(core, 'source.md')]));

const allRows = async (core: Core) => {
  const { artifacts, silenced } = await core.breakdown({ all: true, scan: true });
  return [...artifacts.flatMap(({ rows }) => rows), ...silenced];
};

/** The one edge that is listed, and what is current of its source. */
async function rowOf(core: Core) {
  const [row] = (await allRows(core)).filter(({ edge }) => edge !== null);
  if (row === undefined || row.edge === null) throw new Error('There is no row.');
  const edge = row.edge as { txf: Uuid; input: number };
  return { row, edge, against: (row.current?.revision ?? '') as RevisionId };
}

const sectionOf = async (core: Core) => (await rowOf(core)).row.section;

describe('a section anchor', () => {
  it('holds the section as it was pinned, so that it swallows no change', async () => {
    const { place, core, edge } = await createStory();
    expect(await core.edgeSections(edge)).toEqual({ sections: [['One'], ['Two']], section: null });
    expect(await core.narrow({ edge, headings: [' One '] })).toMatchObject({ kind: 'done' });
    const anchored_hash = contentHash(digest, '# One\n\nas it was\n\n');
    expect(entriesOf(place, 'edge-anchor')[0]?.body).toEqual({ edge, headings: ['One'], anchored_hash });
    expect(await sectionOf(core)).toEqual({ path: ['One'], status: 'changed' });
    await core.narrow({ edge, headings: ['Two'] });
    expect(await rowOf(core)).toMatchObject({ row: { silenced: 'section-unchanged', section: { path: ['Two'] } } });
    expect((await core.edgeSections(edge)).section).toEqual(['Two']);
    await core.narrow({ edge, headings: [] });
    expect(await rowOf(core)).toMatchObject({ row: { silenced: null, section: null, state: 'version-stale' } });
  });

  it('is refused where it does not lead to one section of the source as pinned', async () => {
    const { place, core, edge } = await createStory();
    await edit(place, core, 'source.md', '# Two', '# New\n\n# Two');
    const before = place.segments();
    expect(await core.narrow({ edge, headings: ['New'] })).toEqual({ kind: 'not-found' });
    expect(await core.narrow({ edge, headings: ['One', ''] })).toEqual({ kind: 'invalid' });
    expect(await core.narrow({ edge: { ...edge, input: 9 }, headings: ['One'] })).toEqual({ kind: 'gone' });
    place.remove('.vmark/snapshots/sha256');
    expect(await core.narrow({ edge, headings: ['One'] })).toEqual({ kind: 'content-unavailable' });
    expect(place.segments()).toEqual(before);
  });

  it('whose text is in no snapshot is unavailable, not lost', async () => {
    const { place, core, edge } = await createStory();
    await core.narrow({ edge, headings: ['Two'] });
    place.remove('.vmark/snapshots/sha256');
    expect(await rowOf(core)).toMatchObject({ row: { state: 'version-stale', section: { status: 'unavailable' }, silenced: null } });
  });
});

describe('a section anchor of an earlier version', () => {
  it('is carried to the next one, with the section as that one read it, in an entry that says so', async () => {
    const { place, core, edge } = await createStory();
    await core.narrow({ edge, headings: ['One'] });
    await remake(place, core, 'made anew');
    const next = await rowOf(core);
    expect(next.edge).not.toEqual(edge);
    expect(entriesOf(place, 'edge-anchor').at(-1)?.body).toEqual({
      edge: next.edge,
      headings: ['One'],
      anchored_hash: contentHash(digest, '# One\n\nas it is\n\n'),
      carried_from: edge,
    });
    await edit(place, core, 'source.md', 'the same', 'another');
    expect(await rowOf(core)).toMatchObject({
      row: { silenced: 'section-unchanged', section: { path: ['One'], status: 'unchanged', carried: true } },
    });
    await edit(place, core, 'source.md', 'as it is', 'as it will be');
    expect(await sectionOf(core)).toEqual({ path: ['One'], status: 'changed', carried: true });
    await core.resolve({ ...(await rowOf(core)), decision: { kind: 'accept' } });
    expect(await core.edgeSections(next.edge)).toMatchObject({ section: ['One'] });
    await edit(place, core, 'source.md', 'another', 'yet another');
    expect(await sectionOf(core)).toEqual({ path: ['One'], status: 'unchanged' });
  });

  it('is carried over a version by hand, and by a confirmation, too', async () => {
    const { place, core, edge } = await createStory();
    await core.narrow({ edge, headings: ['One'] });
    await edit(place, core, 'a.md', 'made', 'by hand');
    const { object, head, inputs } = await core.earlierInputs('a.md');
    await core.confirmProvenance({
      object: object as Uuid,
      head: head as RevisionId,
      inputs: inputs.map((one) => ({ object: one.object as Uuid, role: one.role })),
    });
    expect(entriesOf(place, 'edge-anchor').at(-1)?.body).toMatchObject({ headings: ['One'], carried_from: edge });
    await edit(place, core, 'source.md', 'the same', 'another');
    expect(await sectionOf(core)).toEqual({ path: ['One'], status: 'unchanged', carried: true });
  });

  it('is not carried where the source as read has no such section, and that is said', async () => {
    const { place, core, edge } = await createStory();
    await core.narrow({ edge, headings: ['One'] });
    await edit(place, core, 'source.md', '# One', '# First');
    await remake(place, core, 'made anew');
    expect(entriesOf(place, 'edge-anchor')).toHaveLength(1);
    await edit(place, core, 'source.md', 'the same', 'another');
    expect((await rowOf(core)).row).toMatchObject({
      state: 'version-stale',
      section: null,
      notCarried: { path: ['One'], reason: 'not-found' },
    });
  });

  it('is carried by whoever reads, where the new version was recorded by a program that does not carry', async () => {
    const { place, core, edge } = await createStory();
    await core.narrow({ edge, headings: ['Two'] });
    await remake(place, core, 'made anew');
    const [name, bytes] = [...place.segments()][0]!;
    const kept = bytes
      .toString('utf8')
      .split('\n')
      .filter((line) => !line.includes('carried_from'));
    place.write(`.vmark/ledger/${name}`, kept.join('\n'));
    const other = await place.open();
    await edit(place, other, 'source.md', 'as it is', 'as it will be');
    expect(await rowOf(other)).toMatchObject({
      row: { silenced: 'section-unchanged', section: { path: ['Two'], status: 'unchanged', carried: true } },
    });
  });
});

describe('a judgment', () => {
  it('is recorded, may be changed, and the latest counts', async () => {
    const { place, core, edge } = await createStory();
    for (const judgment of ['noise', 'relevant'] as const)
      expect(await core.judge({ edge, judgment, note: '' })).toMatchObject({ kind: 'done' });
    expect((await rowOf(core)).row.judgment).toBe('relevant');
    expect(countKinds(place)['flag-judgment']).toBe(2);
  });

  it('is of an edge that there is, with a note that fits, once for each idem', async () => {
    const { place, core, edge } = await createStory();
    expect(await core.judge({ edge: { ...edge, input: 3 }, judgment: 'noise', note: '' })).toEqual({ kind: 'gone' });
    expect(await core.judge({ edge, judgment: 'noise', note: `${'é'.repeat(2048)}a` })).toEqual({ kind: 'note-too-long' });
    const idem = namedUuid('once');
    const done = await core.judge({ edge, judgment: 'noise', note: 'é'.repeat(2048), idem });
    expect(await core.judge({ edge, judgment: 'unsure', note: '', idem })).toEqual(done);
    expect(countKinds(place)['flag-judgment']).toBe(1);
  });
});

describe('a document', () => {
  it('that is finished asks nothing, and is shown when it is edited after all', async () => {
    const { place, core } = await createStory();
    const { object } = await core.logFile('a.md');
    const finish = (state: 'finished' | 'live') => core.finish({ object: object as Uuid, state, reason: 'printed' });
    expect(await finish('live')).toEqual({ kind: 'unchanged' });
    expect(await finish('finished')).toMatchObject({ kind: 'done' });
    expect(await finish('finished')).toEqual({ kind: 'unchanged' });
    expect((await allRows(core)).map(({ state, silenced }) => [state, silenced])).toEqual([['version-stale', 'document-finished']]);
    expect((await core.logFile('a.md')).revisions).toHaveLength(1);
    await edit(place, core, 'a.md', 'made', 'corrected');
    expect((await allRows(core)).map(({ state }) => state)).toEqual(['finished-changed']);
    expect(await finish('finished')).toMatchObject({ kind: 'done' });
    expect(await allRows(core)).toEqual([]);
    expect(await finish('live')).toMatchObject({ kind: 'done' });
  });

  it('that is finished is not edited by confirming what it rests on', async () => {
    const { place, core } = await createStory();
    await edit(place, core, 'a.md', 'made', 'by hand');
    const { object, head, inputs } = await core.earlierInputs('a.md');
    await core.finish({ object: object as Uuid, state: 'finished', reason: '' });
    await core.confirmProvenance({
      object: object as Uuid,
      head: head as RevisionId,
      inputs: inputs.map((one) => ({ object: one.object as Uuid, role: one.role })),
    });
    expect((await allRows(core)).map(({ state }) => state)).not.toContain('finished-changed');
  });

  it('that is not registered is not finished, nor with a reason that is too long', async () => {
    const { place, core } = await createStory();
    const { object } = await core.logFile('a.md');
    expect(await core.finish({ object: namedUuid('nobody'), state: 'finished', reason: '' })).toEqual({ kind: 'not-tracked' });
    expect(await core.finish({ object: object as Uuid, state: 'finished', reason: 'é'.repeat(1025) })).toEqual({ kind: 'reason-too-long' });
    expect(countKinds(place)).not.toHaveProperty('object-lifecycle');
  });
});

describe('a grant', () => {
  const inAWeek = () => formatInstant(Date.now() + 7 * 24 * 3600 * 1000);
  const both = ['resolve.accept-newer', 'resolve.waive'] as const;

  it('lets an agent decide just that, just so long, and says what it did', async () => {
    let now = Date.now();
    const { place, core, edge, against } = await createStory({ chance: { ...realChance, now: () => now } });
    const accept = { principal: 'codex-cli', edge, against, decision: { kind: 'accept' } } as const;
    expect(await core.resolveDelegated(accept)).toEqual({ kind: 'not-delegated' });
    await core.giveGrant({ agent: 'codex-cli', scope: ['resolve.accept-newer'], expires: formatInstant(now + 60_000) });
    const waive = { ...accept, decision: { kind: 'waive', reason: 'a comma', expires: null } } as const;
    expect(await core.resolveDelegated(waive)).toEqual({ kind: 'not-delegated' });
    expect(await core.resolveDelegated({ ...accept, principal: 'another' })).toEqual({ kind: 'not-delegated' });
    expect(await core.resolveDelegated(accept)).toMatchObject({ kind: 'resolved' });
    const [grant] = await core.grants();
    expect(entriesOf(place, 'ratification')[0]?.body).toMatchObject({
      actor: { type: 'agent', id: 'codex-cli' },
      delegation: grant?.grant,
    });
    expect((await rowOf(core)).row).toMatchObject({ state: 'fresh', delegated: { by: 'codex-cli', grant: grant?.grant } });
    expect(grant).toMatchObject({ agent: 'codex-cli', state: 'live', resolved: [{ edge, kind: 'ratification', reason: null }] });
    now += 60_000;
    await edit(place, core, 'source.md', 'as it is', 'as it will be');
    expect(await core.resolveDelegated({ ...accept, against: (await rowOf(core)).against })).toEqual({ kind: 'not-delegated' });
    expect(await core.grants()).toMatchObject([{ state: 'expired' }]);
  });

  it.each([
    ['none', null, 60_000],
    ['a later one', 120_000, 60_000],
    ['the same', 60_000, 60_000],
    ['an earlier one', 30_000, 30_000],
  ])('ends the waivers that were made under it: of one with %s for its end', async (_, asked, ends) => {
    let now = Date.now();
    const { place, core, edge, against } = await createStory({ chance: { ...realChance, now: () => now } });
    const start = now;
    await core.giveGrant({ agent: 'codex', scope: ['resolve.waive'], expires: formatInstant(start + 60_000) });
    const expires = asked === null ? null : formatInstant(start + asked);
    await core.resolveDelegated({ principal: 'codex', edge, against, decision: { kind: 'waive', reason: 'a comma', expires } });
    expect(entriesOf(place, 'waiver')[0]?.body.expires).toBe(formatInstant(start + ends));
    now = start + ends - 1;
    expect((await rowOf(core)).row.state).toBe('waived');
    now = start + ends;
    expect((await rowOf(core)).row.state).toBe('version-stale');
  });

  it('is taken back by naming its entry, and the row of a person is no agent’s', async () => {
    const { place, core, edge, against } = await createStory();
    await core.giveGrant({ agent: 'codex-cli', scope: both, expires: inAWeek() });
    const [{ grant }] = (await core.grants()) as unknown as [{ grant: string }];
    expect(await core.revokeGrant({ grant })).toMatchObject({ kind: 'done' });
    expect(await core.revokeGrant({ grant })).toEqual({ kind: 'unchanged' });
    expect(await core.revokeGrant({ grant: namedUuid('none') })).toEqual({ kind: 'unknown' });
    const [given, revoked] = entriesOf(place, 'delegation');
    expect(revoked?.body).toMatchObject({ delegation: grant, scope: [], supersedes: given?.id, delegate: { id: 'codex-cli' } });
    expect(await core.grants()).toMatchObject([{ grant, state: 'revoked', resolved: [] }]);
    expect(await core.resolveDelegated({ principal: 'codex-cli', edge, against, decision: { kind: 'accept' } })).toEqual({
      kind: 'not-delegated',
    });
    await core.resolve({ edge, against, decision: { kind: 'waive', reason: 'mine', expires: null } });
    expect((await rowOf(core)).row.delegated).toBeUndefined();
  });

  it('needs an agent, a scope and an end that is to come, and a ledger', async () => {
    const { place, core } = await createStory();
    const give = (asked: object) => core.giveGrant({ agent: 'codex', scope: both, expires: inAWeek(), ...asked });
    expect(await give({ agent: ' ' })).toEqual({ kind: 'nobody' });
    expect(await give({ scope: [] })).toEqual({ kind: 'nothing' });
    for (const expires of ['never', formatInstant(Date.now() - 1)]) expect(await give({ expires })).toEqual({ kind: 'no-end' });
    expect(countKinds(place)).not.toHaveProperty('delegation');
    const bare = createPlace();
    expect(await (await bare.open()).giveGrant({ agent: 'codex', scope: both, expires: inAWeek() })).toEqual({ kind: 'no-ledger' });
    expect([...bare.tree().keys()]).toEqual([]);
  });
});

describe('the coherence log', () => {
  it('says everything that was said of each edge, with names', async () => {
    const { place, core, edge, against } = await createStory();
    const waive = (reason: string) => core.resolve({ edge, against, decision: { kind: 'waive', reason, expires: null } });
    await waive('a comma');
    await waive('only a comma');
    await core.narrow({ edge, headings: ['One'] });
    await core.judge({ edge, judgment: 'noise', note: 'a comma' });
    const downgraded = { verdict: 'contradiction', reason: 'below-tau', tau: 0.9, evidence: [{ quote: 'as it is', loc: '' }] };
    const check = { edge, pinned: against, checked_against: against, verdict: 'unknown', confidence: 0.71, model: 'm', downgraded };
    const envelope = {
      format: 0,
      id: namedUuid('check'),
      idem: namedUuid('check'),
      writer: namedUuid('w'),
      time: formatInstant(Date.now() + 60_000),
    };
    appendFileSync(
      join(place.folder, '.vmark/ledger/other.jsonl'),
      `${JSON.stringify({ ...envelope, kind: 'check-result', body: check })}\n`,
    );
    const log = await core.coherenceLog({ offset: 0, limit: 10 });
    expect(log).toMatchObject({ total: 1, resolvedAgain: 1, tally: { relevant: 0, noise: 1, unsure: 0, unjudged: 0 } });
    expect(log.rows[0]).toMatchObject({
      edge,
      artifact: { path: 'a.md' },
      source: { path: 'source.md' },
      section: ['One'],
      listed: true,
      resolutions: 2,
      lastResolution: 'waiver',
      judgment: 'noise',
      acts: [
        { kind: 'waiver', reason: 'a comma', by: { type: 'human' }, against, grant: null },
        { kind: 'waiver', reason: 'only a comma' },
        { kind: 'anchor', path: ['One'], carried: false },
        { kind: 'judgment', judgment: 'noise', note: 'a comma' },
        { kind: 'check', verdict: 'unknown', confidence: 0.71, downgraded: { verdict: 'contradiction', reason: 'below-tau', tau: 0.9 } },
      ],
    });
  });

  it('comes in pages, each row once, in the order of first activity', async () => {
    const place = createTrackingPlace();
    for (const path of ['s.md', 'a.md', 'b.md', 'c.md']) place.write(path, `${path}\n`);
    const core = await place.open();
    for (const path of ['a.md', 'b.md', 'c.md']) await core.record(recording(path, 's.md'));
    const rows = (await allRows(core)).map(({ edge }) => edge as { txf: Uuid; input: number });
    for (const edge of rows.toReversed()) await core.judge({ edge, judgment: 'relevant', note: 'with "edge" in it' });
    const pages = await Promise.all([0, 1, 2, 3].map((offset) => core.coherenceLog({ offset, limit: 1 })));
    expect(pages.map((page) => page.rows.map(({ artifact }) => artifact?.path))).toEqual([['c.md'], ['b.md'], ['a.md'], []]);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
  });

  it('is empty where there is no ledger, and makes none', async () => {
    const place = createPlace();
    expect(await (await place.open()).coherenceLog({ offset: 0, limit: 10 })).toMatchObject({ total: 0, rows: [] });
    expect([...place.tree().keys()]).toEqual([]);
  });
});

it('notes and reasons of any text are recorded whole, or refused', async () => {
  const { place, core, edge } = await createStory();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (note) => {
      const said = await core.judge({ edge, judgment: 'unsure', note });
      expect(said.kind).toBe('done');
      expect(entriesOf(place, 'flag-judgment').at(-1)?.body.note).toBe(note.toWellFormed());
    }),
    { numRuns: 15 },
  );
});
