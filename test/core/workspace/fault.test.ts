import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { readDocument } from '#core/document';
import type { SaveOutcome } from '#core/workspace/save';
import { faultFromSystem } from '#protocol';
import { expectGoesOn, expectSentence, failAtEveryCall } from '../../helpers/failing';
import { createFaultyDisk, type Failure, type FaultyDisk } from '../../helpers/faulty-disk';
import { createTrackingPlace, entriesOf, inputOf, type Place, recording, savingFrom, savingOf } from '../../helpers/workspace';

const leftovers = (place: Place) => readdirSync(place.folder).filter((name) => name.endsWith('.stemma-tmp'));
async function createStory() {
  const place = createTrackingPlace();
  const core = await place.open({ git: false });
  await core.save(savingOf(place, 'source.md', 'source\n'));
  await core.save(savingOf(place, 'a.md', 'one\n'));
  await core.save(savingOf(place, 'other.md', 'other\n'));
  return { place, core, input: await inputOf(core, 'source.md'), next: place.text('a.md').replace('one', 'two') };
}

describe('one call of the disk fails', () => {
  it('in a save: the file is old or new, that is said, and the next save works', async () => {
    const { place, input, next } = await createStory();
    const old = place.text('a.md');
    const failed = await failAtEveryCall(
      place,
      (core) => core.save(savingFrom(place, 'a.md', next, [input])),
      {},
      async (settled, core, where) => {
        if (settled.status === 'fulfilled') expectSaved(place, settled.value as SaveOutcome, next, where);
        else {
          expectSentence(faultFromSystem(settled.reason, 'a.md'), where);
          expect(place.text('a.md'), where).toBe(old);
        }
        if (!where.includes('unlinkSync')) expect(leftovers(place), where).toEqual([]);
        await expectGoesOn(place, core, where);
      },
    );
    expect(failed).toBeGreaterThan(60);
  });

  it('in a record: the document is as it was or stamped, that is said, and the next record works', async () => {
    const { place } = await createStory();
    place.write('out.md', '# Out\n');
    place.write('new.md', 'new\n');
    const failed = await failAtEveryCall(
      place,
      (core) => core.record(recording('out.md', 'new.md')),
      { onlyChanges: true },
      async (settled, core, where) => {
        if (settled.status === 'rejected') expectSentence(faultFromSystem(settled.reason, 'out.md'), where);
        for (const path of ['out.md', 'new.md'])
          expect(place.text(path), where).toMatch(/^(---\nvmark:\n {2}id: .{36}\n---\n)?(# Out|new)\n$/u);
        const again = await core.record(recording('out.md', 'new.md'));
        expect(again, where).toMatchObject({ dropped: [], inputs: [{ path: 'new.md' }] });
        await expectGoesOn(place, core, where);
      },
    );
    expect(failed).toBeGreaterThan(40);
  });
});

function expectSaved(place: Place, outcome: SaveOutcome, text: string, where: string) {
  expect(outcome, where).toMatchObject({ kind: 'saved', bytes: Buffer.from(text) });
  expect(place.text('a.md'), where).toBe(text);
  if (outcome.kind === 'saved' && outcome.recorded.kind === 'failed') expectSentence(outcome.recorded, where);
}

describe('a disk that stays', () => {
  const full = async (failure: Failure, path: RegExp, act: (place: Place, core: Core, faulty: FaultyDisk) => Promise<void>) => {
    const { place } = await createStory();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk, git: false });
    faulty.plan({ at: 0, failure, kind: 'writeSync', path, lasting: true });
    await act(place, core, faulty);
  };

  it.each([
    ['ENOSPC', 'disk-full'],
    ['EROFS', 'read-only'],
    ['EACCES', 'permission'],
    ['EIO', 'io'],
  ] as const)('%s under the ledger never keeps a text from being saved, and what it rests on is recorded later', async (failure, code) => {
    await full(failure, /ledger/u, async (place, core, faulty) => {
      const input = await inputOf(core, 'source.md');
      const next = place.text('a.md').replace('one', 'two');
      const saved = await core.save(savingFrom(place, 'a.md', next, [input]));
      expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'failed', code } });
      expect(place.text('a.md')).toBe(next);
      faulty.plan(null);
      expect(await core.save(savingOf(place, 'a.md', next.replace('two', 'three')))).toMatchObject({ recorded: { kind: 'recorded' } });
      const made = entriesOf(place, 'transformation').filter(
        ({ body }) => body.outputs[0]!.object === (saved.kind === 'saved' && readDocument(saved.bytes, 'a.md').identity!.id),
      );
      expect(made.map(({ body }) => [body.agent.type, body.inputs.length])).toEqual([
        ['human', 0],
        ['model', 1],
        ['human', 0],
      ]);
    });
  });

  it('full all over refuses a save, keeps the old text, and takes it when there is room again', async () => {
    await full('ENOSPC', /./u, async (place, core, faulty) => {
      const [old, next] = [place.text('a.md'), place.text('a.md').replace('one', 'two')];
      const request = savingOf(place, 'a.md', next);
      await expect(core.save(request)).rejects.toMatchObject({ code: 'disk-full', detail: { path: 'a.md' } });
      expect(place.text('a.md')).toBe(old);
      faulty.plan(null);
      expect(await core.save(request)).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
      expect(leftovers(place)).toEqual([]);
    });
  });

  it('writing short writes all the same', async () => {
    const { place, input, next } = await createStory();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk, git: false });
    faulty.plan({ at: 0, failure: 'short', kind: 'writeSync', lasting: true });
    expect(await core.save(savingFrom(place, 'a.md', next, [input]))).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    faulty.plan(null);
    expect(place.text('a.md')).toBe(next);
    expect((await core.scan()).external).toBe(0);
    expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: true, problems: [] });
  });
});

/** Puts a folder where the file of the lock, or the folder of locks, should be. */
function blockLock(folder: string, name: string) {
  rmSync(join(folder, name), { recursive: true, force: true });
  if (name === 'locks') writeFileSync(join(folder, name), 'a file in the way');
  else mkdirSync(join(folder, name));
}

describe('a lock that cannot be had', () => {
  it('in the ledger is taken in the app data, and nothing is kept from being saved', async () => {
    const { place } = await createStory();
    blockLock(place.folder, '.vmark/index.db-lock');
    const core = await place.open({ git: false });
    expect(await core.save(savingOf(place, 'a.md', place.text('a.md').replace('one', 'two')))).toMatchObject({
      kind: 'saved',
      recorded: { kind: 'recorded' },
    });
  });

  it('anywhere does not keep a text from being saved', async () => {
    const { place } = await createStory();
    blockLock(place.folder, '.vmark/index.db-lock');
    const core = await place.open({ git: false });
    blockLock(place.home, 'locks');
    const next = place.text('a.md').replace('one', 'two');
    expect(await core.save(savingOf(place, 'a.md', next))).toMatchObject({ kind: 'saved' });
    expect(place.text('a.md')).toBe(next);
  });
});
