import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import type { Resolving } from '#core/workspace/resolve';
import { faultFromSystem } from '#protocol';
import { dieAtEveryCall, expectPrefix, heal, killed, torn } from '../../helpers/death';
import { expectGoesOn, expectSentence, failAtEveryCall } from '../../helpers/failing';
import { namedUuid } from '../../helpers/history';
import { createTrackingPlace, entriesOf, inputOf, type Place, recording, savingFrom, savingOf } from '../../helpers/workspace';

/** A stale row that is narrowed to a section: accepting it appends two entries at once. */
async function createStale() {
  const place = createTrackingPlace();
  const core = await place.open({ git: false });
  await core.save(savingOf(place, 'source.md', '# Tide\n\nHigh.\n'));
  await core.save(savingFrom(place, 'a.md', 'one\n', [await inputOf(core, 'source.md')]));
  const listed = async () => (await core.breakdown({ all: true, scan: true })).artifacts[0]!.rows[0]!;
  const edge = (await listed()).edge as Resolving['edge'];
  expect(await core.narrow({ edge, headings: ['Tide'] })).toMatchObject({ kind: 'done' });
  await core.save(savingOf(place, 'source.md', place.text('source.md').replace('High', 'Low')));
  const against = (await listed()).current!.revision as Resolving['against'];
  const accept: Resolving = { edge, against, decision: { kind: 'accept' }, idem: namedUuid('accept') };
  const waive: Resolving = { ...accept, decision: { kind: 'waive', reason: 'an old draft', expires: null } };
  return { place, accept, waive };
}

const stateOf = async (core: Core) => (await core.breakdown({ all: true, scan: true })).artifacts.flatMap(({ rows }) => rows)[0]!.state;
/** The section is accepted with the row: the next change of another section is none to it. */
const renewed = (place: Place) => new Set(entriesOf(place, 'edge-anchor').map(({ body }) => body.anchored_hash)).size;
const decisions = (place: Place) => [...entriesOf(place, 'ratification'), ...entriesOf(place, 'waiver')].length;

describe('one call of the disk fails', () => {
  it.each(['accept', 'waive'] as const)('in %s: it is recorded or not, that is said, and asked again it is there once', async (how) => {
    const made = await createStale();
    const { place } = made;
    const before = place.segments();
    const failed = await failAtEveryCall(
      place,
      (core) => core.resolve(made[how]),
      {},
      async (settled, core, where) => {
        expectPrefix(place, before, where);
        if (settled.status === 'rejected') expectSentence(faultFromSystem(settled.reason, '.vmark'), where);
        else expect(settled.value, where).toMatchObject({ kind: 'resolved' });
        expect(await core.resolve(made[how]), where).toMatchObject({ kind: 'resolved' });
        expect(decisions(place), where).toBe(1);
        expect(renewed(place), where).toBe(how === 'accept' ? 2 : 1);
        expect(await stateOf(core), where).toBe(how === 'accept' ? 'fresh' : 'waived');
        await expectGoesOn(place, core, where);
      },
    );
    expect(failed).toBeGreaterThan(20);
  });

  it('in a scan: what was found is recorded or found again, nothing is taken for gone, and no text is touched', async () => {
    const { place, before } = await createEdited();
    const files = () => ['a.md', 'b.md', 'new.md'].map((path) => place.text(path));
    const written = files();
    const failed = await failAtEveryCall(
      place,
      (core) => core.scan(),
      {},
      async (settled, core, where) => {
        expectPrefix(place, before, where);
        if (settled.status === 'rejected') expectSentence(faultFromSystem(settled.reason, '.vmark'), where);
        expect(files(), where).toEqual(written);
        await core.scan();
        await expectScanned(place, core, where);
        await expectGoesOn(place, core, where);
      },
    );
    expect(failed).toBeGreaterThan(40);
  });
});

/** Two edits and a new document that other programs wrote. */
async function createEdited() {
  const place = createTrackingPlace();
  const core = await place.open({ git: false });
  await core.save(savingOf(place, 'a.md', 'one\n'));
  await core.save(savingOf(place, 'b.md', 'one\n'));
  for (const path of ['a.md', 'b.md']) place.write(path, place.text(path).replace('one', 'two'));
  place.write('new.md', place.text('a.md').replace(/id: .*/u, `id: ${namedUuid('new')}`));
  return { place, before: place.segments() };
}

/** Each edit is one version, once. */
async function expectScanned(place: Place, core: Core, where: string) {
  const seen = entriesOf(place, 'transformation').filter(({ body }) => body.intent.kind === 'observed-external-edit');
  expect(seen.length, where).toBe(3);
  expect(await core.scan(), where).toMatchObject({ complete: true, external: 0, adopted: 0, unchanged: 3 });
}

describe('a write that is short', () => {
  it.each([
    ['a record', (core: Core) => core.record(recording('a.md', 'b.md'))],
    ['a scan', (core: Core) => core.scan()],
  ] as const)('in %s, at any write, is finished', async (_, act) => {
    const { place } = await createEdited();
    const written = await failAtEveryCall(
      place,
      act,
      { kind: 'writeSync' },
      async (settled, core, where) => {
        expect(settled.status, where).toBe('fulfilled');
        expect((await core.verify({ restoreLines: false })).problems, where).toEqual([]);
        await expectGoesOn(place, core, where);
      },
      ['short'],
    );
    expect(written).toBeGreaterThan(1);
  });
});

describe('a process that dies at any call of the disk', () => {
  it.each(['accept', 'waive'] as const)('in %s leaves it recorded or not, and asked again it is there once', async (how) => {
    const made = await createStale();
    const { place } = made;
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (core) => core.resolve(made[how]),
      async (answer, where) => {
        expectPrefix(place, before, where);
        if (answer !== null) expect(decisions(place), where).toBe(1);
        const core = await heal(place, where);
        expect(await core.resolve(made[how]), where).toMatchObject({ kind: 'resolved' });
        expect(decisions(place), where).toBe(1);
        expect(renewed(place), where).toBe(how === 'accept' ? 2 : 1);
        expect(await stateOf(core), where).toBe(how === 'accept' ? 'fresh' : 'waived');
      },
      [killed, torn],
    );
    expect(died).toBeGreaterThan(4);
  });
});
