import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { entryLine } from '#kernel/entry';
import { createFolder, createTrackingPlace, inputOf, type Place, savingFrom, savingOf } from '../../helpers/workspace';

const ledgerOf = (place: Place) => join(place.folder, '.vmark', 'ledger');
const segmentOf = (place: Place) => join(ledgerOf(place), readdirSync(ledgerOf(place)).find((name) => name.endsWith('.jsonl'))!);
const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

/** All that a core says of its ledger. */
async function answerOf(core: Core) {
  const { counts, ledger, quarantined, tracked } = await core.status();
  const { entries } = await core.log();
  const { artifacts, silenced, provenanceUnknown } = await core.breakdown({ all: true, scan: false });
  return { counts, ledger, quarantined, tracked, entries, artifacts, silenced, provenanceUnknown };
}

async function createStory() {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'source.md', 'source\n'));
  await core.save(savingFrom(place, 'a.md', 'one\n', [await inputOf(core, 'source.md')]));
  await core.save(savingOf(place, 'source.md', place.text('source.md').replace('source', 'changed')));
  expect((await answerOf(core)).counts['version-stale']).toBe(1);
  return { place, core };
}

/** What may happen to a ledger while a core has it open: git, a sync client, another program, a person. */
const happenings: Readonly<Record<string, (place: Place) => void | Promise<void>>> = {
  'grew by another program': async (place) => {
    const other = await place.open({ home: createFolder('home') });
    await other.save(savingOf(place, 'b.md', 'other\n'));
  },
  'was replaced by one with another beginning': (place) => {
    const file = segmentOf(place);
    writeFileSync(`${file}.new`, `${linesOf(file).slice(1).join('\n')}\n`);
    renameSync(`${file}.new`, file);
  },
  'was replaced by the same': (place) => {
    const file = segmentOf(place);
    writeFileSync(`${file}.new`, readFileSync(file));
    renameSync(`${file}.new`, file);
  },
  'was cut to whole lines': (place) => {
    const file = segmentOf(place);
    truncateSync(file, Buffer.byteLength(`${linesOf(file).slice(0, 2).join('\n')}\n`));
  },
  'was cut in the middle of a line': (place) => truncateSync(segmentOf(place), readFileSync(segmentOf(place)).length - 7),
  'was emptied': (place) => truncateSync(segmentOf(place), 0),
  'was rewritten with the same size': (place) => {
    const text = readFileSync(segmentOf(place), 'utf8');
    writeFileSync(segmentOf(place), text.replaceAll('written by a model', 'written by a human'));
  },
  'was rewritten with another beginning and grew': (place) => {
    const file = segmentOf(place);
    const lines = linesOf(file);
    writeFileSync(file, `${[...lines.slice(1), lines[0]!.replace('"format":0', '"format": 0'), ''].join('\n')}`);
  },
  'got a broken line in its middle': (place) => {
    const lines = linesOf(segmentOf(place));
    writeFileSync(segmentOf(place), `${[lines[0], '{"format":0,', ...lines.slice(1)].join('\n')}\n`);
  },
  'was deleted': (place) => rmSync(segmentOf(place)),
  'was split in two segments': (place) => {
    const file = segmentOf(place);
    const lines = linesOf(file);
    writeFileSync(join(ledgerOf(place), 'from-elsewhere.jsonl'), `${lines.slice(0, 2).join('\n')}\n`);
    writeFileSync(file, `${lines.slice(2).join('\n')}\n`);
  },
  'got an earlier entry of an idem that it has': (place) => {
    const entry = place.entries().find(({ kind }) => kind === 'transformation')!;
    const earlier = { ...entry, time: '2020-01-01T00:00:00.000Z', id: entry.writer };
    writeFileSync(join(ledgerOf(place), 'from-elsewhere.jsonl'), entryLine(earlier));
  },
  'got the same lines once more': (place) => appendFileSync(segmentOf(place), readFileSync(segmentOf(place))),
};

describe('a ledger that, under an open core,', () => {
  it.each(Object.entries(happenings))('%s: the answer is that of a fresh core, and what is saved then is not lost', async (_, happen) => {
    const { place, core } = await createStory();
    await happen(place);
    expect(await answerOf(core)).toEqual(await answerOf(await place.open()));
    const saved = await core.save(savingOf(place, 'new.md', 'new\n'));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded', entry: expect.any(String) } });
    const fresh = await place.open();
    expect(await answerOf(core)).toEqual(await answerOf(fresh));
    expect((await fresh.logFile('new.md')).revisions).toHaveLength(1);
    const [registration, transformation] = place.entries().slice(-2);
    expect([registration?.kind, transformation?.kind]).toEqual(['object-registered', 'transformation']);
    expect(saved).toMatchObject({ recorded: { entry: transformation?.id } });
  });

  it('was taken away whole: what is saved then begins a new one', async () => {
    const { place, core } = await createStory();
    rmSync(join(place.folder, '.vmark'), { recursive: true });
    expect(await core.save(savingOf(place, 'a.md', place.text('a.md').replace('one', 'two')))).toMatchObject({
      recorded: { kind: 'recorded' },
    });
    const fresh = await place.open();
    expect((await core.logFile('a.md')).revisions).toHaveLength(1);
    expect(await answerOf(core)).toEqual(await answerOf(fresh));
  });

  it('was taken away whole while the setting is off: nothing comes back', async () => {
    const { place, core } = await createStory();
    place.setting(false);
    rmSync(join(place.folder, '.vmark'), { recursive: true });
    const saved = await core.save(savingOf(place, 'a.md', place.text('a.md').replace('one', 'two')));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'off' } });
    await expect(core.scan()).rejects.toMatchObject({ code: 'no-workspace-record' });
    expect([...place.tree().keys()]).toEqual(['a.md', 'source.md']);
  });

  it('changes while many ask and one saves: each answer is whole, and the save rests on what was there', async () => {
    const { place, core } = await createStory();
    for (let turn = 0; turn < 6; turn++) {
      const lines = [...place.segments().values()].flatMap((bytes) => bytes.toString('utf8').split('\n').filter(Boolean));
      for (const name of place.segments().keys()) rmSync(join(ledgerOf(place), name));
      for (const [number, line] of lines.entries())
        appendFileSync(join(ledgerOf(place), `${(number + turn) % 5}-${turn}.jsonl`), `${line}\n`);
      const asking = Array.from({ length: 6 }, async (_, wait) => {
        for (let ticks = 0; ticks < wait; ticks++) await setImmediate();
        return core.breakdown({ all: true, scan: false });
      });
      const saved = await core.save(savingOf(place, 'a.md', `${place.text('a.md')}more\n`));
      expect(saved).toMatchObject({ recorded: { kind: 'recorded' } });
      for (const { artifacts, provenanceUnknown } of await Promise.all(asking)) expect(artifacts.length + provenanceUnknown.length).toBe(1);
    }
    const { heads, revisions } = await core.logFile('a.md');
    expect([heads.length, revisions.length, revisions.at(-1)?.label]).toEqual([1, 7, 'v7']);
  });
});
