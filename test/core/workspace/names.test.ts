import { readdirSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { realChance } from '#core/core';
import { realDisk } from '#core/storage/disk';
import { confine } from '#core/workspace/place';
import type { Uuid } from '#kernel/uuid';
import { namedUuid } from '../../helpers/history';
import { createTrackingPlace, entriesOf, inputOf, type Place, recording, savingFrom, savingOf, stamped } from '../../helpers/workspace';

const [composed, decomposed] = ['caf\u00e9.md', 'cafe\u0301.md'] as const;
const move = (place: Place, from: string, to: string) => renameSync(join(place.folder, from), join(place.folder, to));
const documents = (place: Place) => readdirSync(place.folder).filter((name) => !name.startsWith('.'));

/** Documents that carry their id, and one that is tracked by its path: a byte order mark leaves no place for a block. */
const kinds: readonly (readonly [string, string])[] = [
  ['by its id', stamped(namedUuid('a'), 'one\n')],
  ['by its path', '\uFEFFone\n'],
];

async function begin(name: string, text: string) {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, name, text));
  return { place, core, object: (await core.logFile(name)).object };
}

async function expectQuiet(place: Place, core: Core) {
  const before = place.segments();
  expect(await core.scan()).toMatchObject({ external: 0, adopted: 0, moved: 0, absent: 0, held: [] });
  expect(await (await place.open()).scan()).toMatchObject({ external: 0, adopted: 0, moved: 0, absent: 0, held: [] });
  expect(place.segments()).toEqual(before);
}

describe.each(kinds)('a document that is tracked %s', (_, text) => {
  it.each([
    [composed, decomposed],
    [decomposed, composed],
  ])('and registered as %j is the same under its other composition %j, which stays on the disk', async (registered, onDisk) => {
    const { place, core, object } = await begin(registered, text);
    move(place, registered, onDisk);
    await expectQuiet(place, core);
    expect((await core.logFile(onDisk)).object).toBe(object);
    expect((await core.openDocument(registered)).kind).toBe('text');
    place.write(onDisk, text.replace('one', 'two'));
    expect(await core.scan()).toMatchObject({ external: 1, moved: 0 });
    expect(await core.save(savingOf(place, onDisk, text.replace('one', 'three')))).toMatchObject({
      recorded: { kind: 'recorded', object },
    });
    expect(await core.save({ ...savingOf(place, onDisk, text.replace('one', 'four')), path: registered })).toMatchObject({
      recorded: { object },
    });
    expect(await core.restore({ path: registered, revision: 'v1', base: savingOf(place, onDisk, '').base })).toMatchObject({
      recorded: { object },
    });
    expect([documents(place), entriesOf(place, 'object-registered').length]).toEqual([[onDisk], 1]);
    await expectQuiet(place, core);
  });

  it.each([
    ['deep', composed, decomposed],
    [decomposed, 'a.md', 'a.md'],
    [decomposed, decomposed, composed],
  ])('is shown beside its row, however its path is spelled on the disk: %j/%j', async (folder, registered, onDisk) => {
    const [from, to] = [`${folder.normalize('NFC')}/${registered}`, `${folder}/${onDisk}`];
    const place = createTrackingPlace();
    const core = await place.open();
    place.write(from, text);
    await core.track({ paths: [from], dryRun: false });
    await core.save(savingOf(place, 'source.md', 'source\n'));
    await core.save(savingFrom(place, from, text.replace('one', 'two'), [await inputOf(core, 'source.md')]));
    const kept = place.text(from);
    place.remove(from);
    if (readdirSync(join(place.folder, folder.normalize('NFC'))).length === 0) place.remove(folder.normalize('NFC'));
    place.write(to, kept);
    await core.save(savingOf(place, 'source.md', place.text('source.md').replace('source', 'changed')));
    const [artifact] = (await core.breakdown({ all: false, scan: true })).artifacts;
    const edge = artifact!.rows[0]!.edge as { txf: Uuid; input: number };
    expect((await core.edgeChange(edge)).artifact).toEqual({ path: to, text: kept });
    expect(artifact!.path).toBe(to);
  });

  it('and renamed in case only is the same, at its new path; no version is made', async () => {
    const { place, core, object } = await begin('Chapter.md', text);
    move(place, 'Chapter.md', 'chapter.MD');
    expect(await core.scan()).toMatchObject({ moved: 1, external: 0, adopted: 0, absent: 0, held: [] });
    expect(await core.logFile('chapter.MD')).toMatchObject({ object, path: 'chapter.MD', revisions: [{}] });
    await expectQuiet(place, core);
    move(place, 'chapter.MD', 'CHAPTER.md');
    expect(await core.save(savingOf(place, 'CHAPTER.md', text.replace('one', 'two')))).toMatchObject({ recorded: { object } });
    expect((await core.logFile('CHAPTER.md')).revisions).toHaveLength(2);
    await expectQuiet(place, core);
  });

  it('that moves in case or composition with another text is the same, changed', async () => {
    const { place, core, object } = await begin(composed, text);
    place.remove(composed);
    place.write(decomposed.toUpperCase().replace('.MD', '.md'), text.replace('one', 'two'));
    expect(await core.scan()).toMatchObject({ external: 1, moved: 1, absent: 0 });
    expect((await core.logFile(decomposed.toUpperCase().replace('.MD', '.md'))).object).toBe(object);
    await expectQuiet(place, core);
  });
});

describe('two files whose names', () => {
  it.each([
    ['composition', composed, decomposed],
    ['case', 'a.md', 'A.md'],
  ])('differ in %s only are two documents', async (_, one, other) => {
    const { place, core, object } = await begin(one, '\uFEFFone\n');
    place.write(other, '\uFEFFother\n');
    expect(await core.track({ paths: [other], dryRun: false })).toMatchObject({ documents: [{ path: other }] });
    const there = (await core.logFile(other)).object;
    expect(there).not.toBe(object);
    expect(await core.save(savingOf(place, one, '\uFEFFone more\n'))).toMatchObject({ recorded: { object } });
    expect(await core.save(savingOf(place, other, '\uFEFFother more\n'))).toMatchObject({ recorded: { object: there } });
    place.write(one, '\uFEFFone outside\n');
    expect(await core.scan()).toMatchObject({ external: 1, moved: 0 });
    await expectQuiet(place, core);
  });
});

describe('a name that somebody gives', () => {
  it('is spelled as it is on the disk, in each of its parts', () => {
    const place = createTrackingPlace();
    place.write(`${decomposed}/${composed}`, '');
    expect(confine(realDisk, place.folder, `${composed}/${decomposed}`)).toBe(`${decomposed}/${composed}`);
    expect(confine(realDisk, place.folder, `${composed}/new-${decomposed}`)).toBe(`${decomposed}/new-${decomposed}`);
    place.write(`${decomposed}/${decomposed}`, '');
    expect(confine(realDisk, place.folder, `${composed}/${decomposed}`)).toBe(`${decomposed}/${decomposed}`);
  });

  it.each([`${`${'x'.repeat(200)}/`.repeat(25)}a.md`, `${'x'.repeat(300)}/a.md`])(
    'and that no disk takes is a fault with a sentence',
    async (path) => {
      const { place, core } = await begin('a.md', 'one\n');
      for (const act of [
        () => core.openDocument(path),
        () => core.logFile(path),
        () => core.save({ ...savingOf(place, 'a.md', 'x'), path }),
        () => core.createDocument(path, ''),
        () => core.restore({ path, revision: 'v1', base: null }),
      ]) {
        await expect(act()).rejects.toMatchObject({
          name: 'Fault',
          code: expect.not.stringMatching(/^bug$/u),
          message: expect.stringMatching(/\.$/u),
        });
      }
    },
  );

  it('through a circle of links, or a file where a folder should be, is a fault too', async () => {
    const { place, core } = await begin('a.md', 'one\n');
    symlinkSync('round', join(place.folder, 'round'));
    for (const [path, code] of [
      ['round/a.md', 'link-loop'],
      ['a.md/b.md', 'not-a-folder'],
    ] as const) {
      await expect(core.openDocument(path)).rejects.toMatchObject({ code });
      expect(await core.pin({ path: null, inputs: [{ path, role: 'direct' }] })).toMatchObject({ inputs: [], dropped: [{ path }] });
    }
  });
});

describe('what is tracked by its path', () => {
  const bytes = [Buffer.from([0xff, 0xfe, 0x0d, 0x0a]), Buffer.from([0x00, 0xff]), Buffer.from([0x89, 0x50])];

  it.each(['latin.md', 'picture.png', 'deep/sound.mp3'])('and no text goes through saves and scans byte for byte: %s', async (path) => {
    const place = createTrackingPlace();
    const core = await place.open();
    place.write(path, bytes[0]!);
    await core.track({ paths: [path], dryRun: false });
    await core.save(savingOf(place, path, bytes[1]!));
    place.write(path, bytes[2]!);
    expect(await core.scan()).toMatchObject({ external: 1 });
    const { revisions, object } = await core.logFile(path);
    expect(revisions.map(({ agent }) => agent.type)).toEqual(['external', 'human', 'external']);
    for (const [at, kept] of bytes.entries()) expect((await core.show(path, `v${at + 1}`)).base64).toBe(kept.toString('base64'));
    expect(place.read(path)).toEqual(bytes[2]);
    const pinned = await core.pin({ path: null, inputs: [{ path, role: 'direct' }] });
    expect(pinned.inputs[0]).toMatchObject({ object, revision: revisions[2]!.revision });
    await expectQuiet(place, core);
  });

  it('keeps its history when it can carry an id after all, and when it cannot any more', async () => {
    const { place, core, object } = await begin('a.md', '\uFEFFone\n');
    expect(await core.save(savingOf(place, 'a.md', 'two\n'))).toMatchObject({ recorded: { object } });
    expect(place.text('a.md')).toBe(stamped(object, 'two\n'));
    expect(await core.save(savingOf(place, 'a.md', '---\nno: [end\n---\nthree\n'))).toMatchObject({ recorded: { object } });
    expect(place.text('a.md')).toBe('---\nno: [end\n---\nthree\n');
    place.write('a.md', '---\ntitle: x\n---\nfour\n');
    expect(await core.scan()).toMatchObject({ external: 1 });
    await core.save(savingOf(place, 'a.md', '---\ntitle: x\n---\nfive\n'));
    expect(place.text('a.md')).toBe(`---\ntitle: x\nvmark:\n  id: ${object}\n---\nfive\n`);
    expect((await core.logFile('a.md')).revisions).toHaveLength(5);
    await expectQuiet(place, core);
  });

  it('that becomes binary, and text again, is one document', async () => {
    const { place, core, object } = await begin('a.md', stamped(namedUuid('a'), 'one\n'));
    place.write('a.md', bytes[0]!);
    expect(await core.scan()).toMatchObject({ external: 1, moved: 0, absent: 0 });
    place.write('a.md', stamped(object, 'two\n'));
    expect(await core.scan()).toMatchObject({ external: 1 });
    expect((await core.logFile('a.md')).revisions).toHaveLength(3);
    await expectQuiet(place, core);
  });
});

describe('an input that cannot be pinned', () => {
  it('is dropped with its reason and lowers what is exact, and the write is recorded all the same', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'out.md', 'out\n'));
    await core.save(savingOf(place, 'good.md', 'good\n'));
    await core.save(savingOf(place, 'held.md', 'held\n'));
    place.write('held-copy.md', place.text('held.md'));
    symlinkSync('good.md', join(place.folder, 'link.md'));
    place.write('folder.md/x', '');
    place.write('large.md', '');
    truncateSync(join(place.folder, 'large.md'), 65 * 1024 * 1024);
    const named = ['gone.md', 'folder.md', 'held.md', '../outside.md', '.git/x.md', 'link.md', 'large.md', 'good.md', 'good.md'];
    const { dropped, inputs, entry } = await core.record(recording('out.md', ...named));
    expect(dropped).toEqual([
      { path: 'gone.md', reason: 'missing' },
      { path: 'folder.md', reason: 'unreadable' },
      { path: 'held.md', reason: 'held' },
      { path: '../outside.md', reason: 'outside-workspace' },
      { path: '.git/x.md', reason: 'outside-workspace' },
      { path: 'link.md', reason: 'link' },
      { path: 'large.md', reason: 'too-large' },
      { path: 'good.md', reason: 'repeated' },
    ]);
    expect([inputs.map(({ path }) => path), entry]).toEqual([['good.md'], expect.any(String)]);
  });

  it('because there are too many gives way to the newest', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'out.md', 'out\n'));
    const names = Array.from({ length: 514 }, (_, at) => `i${at}.md`);
    for (const name of names) place.write(name, stamped(namedUuid(name), 'the same\n'));
    const { dropped, inputs } = await core.record(recording('out.md', ...names));
    expect([inputs.length, inputs[0]!.path]).toEqual([512, 'i2.md']);
    expect(dropped).toEqual(['i0.md', 'i1.md'].map((path) => ({ path, reason: 'too-many' })));
  });
});

describe('a clock that goes back', () => {
  it('puts no entry before another about the same document, whatever made it', async () => {
    const place = createTrackingPlace();
    let now = Date.now();
    const core = await place.open({ chance: { ...realChance, now: () => now } });
    const acts = [
      () => core.save(savingOf(place, 'a.md', stamped(namedUuid('a'), 'one\n'))),
      () => core.save(savingOf(place, 'a.md', stamped(namedUuid('a'), 'two\n'), { auto: true })),
      () => core.settle(null),
      () => core.restore({ path: 'a.md', revision: 'v1', base: savingOf(place, 'a.md', '').base }),
      async () => {
        place.write('a.md', stamped(namedUuid('a'), 'three\n'));
        await core.scan();
      },
      () => core.record(recording('a.md', 'b.md')),
    ];
    await core.save(savingOf(place, 'b.md', 'b\n'));
    for (const act of acts) {
      await act();
      now -= 3_600_000;
    }
    const made = entriesOf(place, 'transformation').filter(({ body }) => body.outputs[0]!.object === namedUuid('a'));
    const revisions = made.map(({ body }) => body.outputs[0]!.revision);
    expect(made.map(({ body }) => body.outputs[0]!.parents.map((parent) => revisions.indexOf(parent as never)))).toEqual([
      [],
      [0],
      [1],
      [2],
      [3],
    ]);
    for (const [at, { instant }] of made.entries()) expect(instant).toBeGreaterThan(made[at - 1]?.instant ?? 0);
  });
});
