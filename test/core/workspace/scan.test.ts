import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { namedUuid } from '../../helpers/history';
import {
  countKinds,
  createFolder,
  createPlace,
  createTrackingPlace,
  entriesOf,
  inputOf,
  type Place,
  recording,
  savingFrom,
  savingOf,
  stamped,
} from '../../helpers/workspace';

const edit = (place: Place, path: string, from: string, to: string) => place.write(path, place.text(path).replace(from, to));
const move = (place: Place, from: string, to: string) => renameSync(join(place.folder, from), join(place.folder, to));
const idIn = (place: Place, path: string) => /id: ([0-9a-f-]{36})/u.exec(place.text(path))![1]!;
const labelsOf = async (core: Core, path: string) =>
  (await core.logFile(path)).revisions.map(({ label, agent }) => `${label} ${agent.type}`);

/** A workspace with two documents, `a.md` ("one") and `b.md` ("one"). */
async function createStory() {
  const place = createTrackingPlace();
  const core = await place.open();
  await core.save(savingOf(place, 'a.md', 'one\n'));
  await core.save(savingOf(place, 'b.md', 'one\n'));
  return { place, core };
}

/** A second look, here and by a fresh process, finds nothing and adds not a byte. */
async function expectQuiet(place: Place, core: Core) {
  const before = place.segments();
  const tree = place.tree();
  for (const one of [core, await place.open()]) {
    expect(await one.scan()).toMatchObject({ external: 0, git: 0, navigations: 0, adopted: 0, moved: 0 });
    expect(place.segments()).toEqual(before);
    expect(place.tree()).toEqual(tree);
  }
}

describe('a scan sees', () => {
  it('an edit by another program: one version by nobody we know, onto what was on disk', async () => {
    const { place, core } = await createStory();
    edit(place, 'a.md', 'one', 'two');
    expect(await core.scan()).toMatchObject({ complete: true, documents: 2, unchanged: 1, external: 1 });
    const [first, , second] = entriesOf(place, 'transformation');
    expect(second!.body).toMatchObject({
      inputs: [],
      agent: { type: 'external', id: null },
      intent: { kind: 'observed-external-edit' },
      confidence: 'unknown',
      outputs: [{ object: first!.body.outputs[0]!.object, parents: [first!.body.outputs[0]!.revision] }],
    });
    await expectQuiet(place, core);
  });

  it('a burst of edits as one version', async () => {
    const { place, core } = await createStory();
    for (let number = 0; number < 20; number++) place.write('a.md', `${place.text('a.md')}${number}\n`);
    expect((await core.scan()).external).toBe(1);
    expect(await labelsOf(core, 'a.md')).toEqual(['v1 human', 'v2 external']);
    await expectQuiet(place, core);
  });

  it('an edit that keeps size and time', async () => {
    const { place, core } = await createStory();
    await core.scan();
    const { mtime } = place.tree().get('a.md')!;
    edit(place, 'a.md', 'one', 'two');
    utimesSync(join(place.folder, 'a.md'), mtime / 1000, mtime / 1000);
    expect((await core.scan()).external).toBe(1);
  });

  it('a return to an earlier text as a new version', async () => {
    const { place, core } = await createStory();
    for (const [from, to] of [
      ['one', 'two'],
      ['two', 'one'],
      ['one', 'two'],
    ] as const) {
      edit(place, 'a.md', from, to);
      expect((await core.scan()).external).toBe(1);
    }
    expect(await labelsOf(core, 'a.md')).toEqual(['v1 human', 'v2 external', 'v3 external', 'v4 external']);
    expect((await core.logFile('a.md')).heads).toHaveLength(1);
    await expectQuiet(place, core);
  });

  it('no edit in line endings, composition or the identity block: its content is the same', async () => {
    const { place, core } = await createStory();
    place.write('a.md', place.text('a.md').replaceAll('\n', '\r\n'));
    expect(await core.scan()).toMatchObject({ external: 0, unchanged: 2 });
    await expectQuiet(place, core);
  });

  it('a move: the path follows, no version is made', async () => {
    const { place, core } = await createStory();
    mkdirSync(join(place.folder, 'parts'));
    move(place, 'a.md', 'parts/c.md');
    expect(await core.scan()).toMatchObject({ moved: 1, external: 0, unchanged: 2, absent: 0 });
    expect((await core.logFile('parts/c.md')).path).toBe('parts/c.md');
    expect(countKinds(place)).toEqual({ 'object-registered': 3, transformation: 2 });
    await expectQuiet(place, core);
    move(place, 'parts/c.md', 'a.md');
    expect((await core.scan()).moved).toBe(1);
    await expectQuiet(place, core);
  });

  it('a move and an edit at once, and two that change places', async () => {
    const { place, core } = await createStory();
    const [a, b] = [idIn(place, 'a.md'), idIn(place, 'b.md')];
    move(place, 'a.md', 'c.md');
    move(place, 'b.md', 'a.md');
    move(place, 'c.md', 'b.md');
    edit(place, 'b.md', 'one', 'two');
    expect(await core.scan()).toMatchObject({ moved: 2, external: 1, absent: 0 });
    expect([(await core.logFile('a.md')).object, (await core.logFile('b.md')).object]).toEqual([b, a]);
    expect(await labelsOf(core, 'b.md')).toEqual(['v1 human', 'v2 external']);
    await expectQuiet(place, core);
  });

  it('a new document where a moved one was', async () => {
    const { place, core } = await createStory();
    move(place, 'a.md', 'c.md');
    place.write('a.md', 'new, without an id\n');
    expect(await core.scan()).toMatchObject({ documents: 3, moved: 1, external: 0, adopted: 0 });
    expect((await core.logFile('c.md')).revisions).toHaveLength(1);
    await expectQuiet(place, core);
  });

  it('a document whose id nobody knows: adopted as it is', async () => {
    const { place, core } = await createStory();
    const id = namedUuid('from elsewhere');
    const text = `---\r\nvmark:\r\n  id: ${id}\r\n  schema: character\r\n---\r\nElena\r\n`;
    place.write('elena.md', text);
    expect(await core.scan()).toMatchObject({ adopted: 1, external: 0 });
    expect(place.text('elena.md')).toBe(text);
    expect(entriesOf(place, 'object-registered').at(-1)!.body).toMatchObject({ object: id, path: 'elena.md', schema: 'character' });
    expect(await labelsOf(core, 'elena.md')).toEqual(['v1 external']);
    await expectQuiet(place, core);
  });

  it('nothing in a document without an id', async () => {
    const { place, core } = await createStory();
    place.write('plain.md', 'plain\n');
    expect(await core.scan()).toMatchObject({ documents: 3, adopted: 0, unchanged: 2 });
    expect(place.text('plain.md')).toBe('plain\n');
    await expectQuiet(place, core);
  });

  it('a schema that was written in by hand', async () => {
    const { place, core } = await createStory();
    const id = idIn(place, 'a.md');
    edit(place, 'a.md', `  id: ${id}\n`, `  id: ${id}\n  schema: place\n`);
    expect(await core.scan()).toMatchObject({ external: 0, moved: 0 });
    expect(entriesOf(place, 'object-registered').at(-1)!.body).toMatchObject({ object: id, schema: 'place' });
    await expectQuiet(place, core);
  });

  it('a block that was removed by hand: the same document, by its path; the next save puts it back', async () => {
    const { place, core } = await createStory();
    const id = idIn(place, 'a.md');
    place.write('a.md', 'one\n');
    expect(await core.scan()).toMatchObject({ external: 0, unchanged: 2 });
    place.write('a.md', 'two\n');
    expect(await core.scan()).toMatchObject({ external: 1 });
    expect((await core.logFile('a.md')).object).toBe(id);
    expect(place.text('a.md')).toBe('two\n');
    await expectQuiet(place, core);
    await core.save(savingOf(place, 'a.md', 'three\n'));
    expect(place.text('a.md')).toBe(stamped(id, 'three\n'));
  });
});

describe('a file that is gone', () => {
  it('is absent until it is back, and nothing is written down of it', async () => {
    const { place, core } = await createStory();
    await core.save(savingFrom(place, 'b.md', place.text('b.md').replace('one', 'two'), [await inputOf(core, 'a.md')]));
    edit(place, 'a.md', 'one', 'changed');
    expect((await core.breakdown({ all: false, scan: true })).artifacts).toHaveLength(1);
    const before = place.segments();
    const text = place.text('a.md');
    place.remove('a.md');
    expect(await core.scan()).toMatchObject({ complete: true, absent: 1, documents: 1 });
    const gone = await core.breakdown({ all: false, scan: true });
    expect([gone.artifacts, gone.sourceGone.map(({ source }) => source.path)]).toEqual([[], ['a.md']]);
    place.write('a.md', text);
    expect(await core.scan()).toMatchObject({ absent: 0, unchanged: 2 });
    expect((await core.breakdown({ all: false, scan: true })).artifacts).toHaveLength(1);
    expect(place.segments()).toEqual(before);
  });

  it('hides its own rows', async () => {
    const { place, core } = await createStory();
    await core.save(savingFrom(place, 'b.md', place.text('b.md').replace('one', 'two'), [await inputOf(core, 'a.md')]));
    edit(place, 'a.md', 'one', 'changed');
    place.remove('b.md');
    const { artifacts, sourceGone, scan } = await core.breakdown({ all: false, scan: true });
    expect([artifacts, sourceGone, scan.absent]).toEqual([[], [], 1]);
  });
});

describe('an id in two files', () => {
  it('holds the document: nothing is recorded for either, with a sentence, until one remains', async () => {
    const { place, core } = await createStory();
    copyFileSync(join(place.folder, 'a.md'), join(place.folder, 'copy.md'));
    const before = place.segments();
    expect(await core.scan()).toMatchObject({
      held: ['a.md', 'copy.md'],
      moved: 0,
      diagnostics: [{ code: 'duplicate-id', path: 'copy.md' }],
    });
    edit(place, 'a.md', 'one', 'two');
    edit(place, 'copy.md', 'one', 'other');
    expect(await core.scan()).toMatchObject({ external: 0, held: ['a.md', 'copy.md'] });
    expect(place.segments()).toEqual(before);
    for (const path of ['a.md', 'copy.md']) {
      await expect(core.record(recording(path, 'b.md'))).rejects.toMatchObject({
        code: 'held-duplicate',
        message: expect.stringMatching(/^a\.md and copy\.md carry the same id.*\.$/u),
      });
    }
    expect((await core.record(recording('b.md', 'a.md'))).dropped).toEqual([{ path: 'a.md', reason: 'held' }]);
    place.remove('a.md');
    expect(await core.scan()).toMatchObject({ held: [], moved: 1, external: 1 });
    expect((await core.logFile('copy.md')).revisions).toHaveLength(2);
    await expectQuiet(place, core);
  });

  it('is said once in the ledger, with the next real entry', async () => {
    const { place, core } = await createStory();
    copyFileSync(join(place.folder, 'a.md'), join(place.folder, 'copy.md'));
    for (const text of ['two', 'three']) {
      place.write('b.md', place.text('b.md').replace(/\w+\n$/u, `${text}\n`));
      await core.scan();
    }
    expect(entriesOf(place, 'diagnostic').map(({ body }) => [body.code, body.path])).toEqual([['duplicate-id', 'copy.md']]);
  });
});

describe('a scan leaves alone', () => {
  it('links, which it says', async () => {
    const { place, core } = await createStory();
    symlinkSync('a.md', join(place.folder, 'link.md'));
    symlinkSync('gone.md', join(place.folder, 'broken.md'));
    symlinkSync('..', join(place.folder, 'up'));
    const { diagnostics, documents } = await core.scan();
    expect([documents, diagnostics.map(({ code, path }) => [code, path])]).toEqual([
      2,
      [
        ['symlink-skipped', 'broken.md'],
        ['symlink-skipped', 'link.md'],
      ],
    ]);
    await expectQuiet(place, core);
  });

  it('a registered path that a link took over', async () => {
    const { place, core } = await createStory();
    const outside = createPlace();
    outside.write('secret.md', 'secret\n');
    rmSync(join(place.folder, 'a.md'));
    symlinkSync(join(outside.folder, 'secret.md'), join(place.folder, 'a.md'));
    expect(await core.scan()).toMatchObject({ external: 0 });
    await expectQuiet(place, core);
  });

  it('what a ledger from elsewhere names outside the workspace, by its words or through links', async () => {
    const { place, core } = await createStory();
    const outside = createPlace();
    outside.write('secret.md', 'secret\n');
    symlinkSync(outside.folder, join(place.folder, 'out'));
    const [entry] = entriesOf(place, 'object-registered');
    const names = ['out/secret.md', `..${outside.folder.slice(outside.folder.lastIndexOf('/'))}/secret.md`, 'x/../../secret.md'];
    const lines = names.map((path, at) => {
      const body = { object: namedUuid(`object ${at}`), path, schema: null };
      return `${JSON.stringify({ ...entry, id: namedUuid(path), idem: namedUuid(path), instant: undefined, raw: undefined, body })}\n`;
    });
    writeFileSync(join(place.folder, '.vmark/ledger/from-elsewhere.jsonl'), lines.join(''));
    expect(await core.scan()).toMatchObject({ documents: 2, external: 0, adopted: 0 });
    expect(JSON.stringify([...place.tree()])).not.toContain('secret\\n');
    await expectQuiet(place, core);
  });

  it.each([
    ['another workspace', (place: Place) => place.write('nested/.vmark/keep', '')],
    ['a cache', (place: Place) => place.write('nested/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55')],
    ['a linked worktree of git', (place: Place) => place.write('nested/.git', 'gitdir: /elsewhere/.git/worktrees/nested\n')],
    ['what .gitignore names', (place: Place) => place.write('.gitignore', 'nested/\n')],
  ])('the folder of %s', async (_, make) => {
    const { place, core } = await createStory();
    place.write('nested/c.md', stamped(namedUuid('c'), 'c\n'));
    make(place);
    expect(await core.scan()).toMatchObject({ documents: 2, adopted: 0 });
    await expectQuiet(place, core);
  });

  it.each(['node_modules', '.git', '.vmark', '.VMARK', 'deep/node_modules'])('the folder %s', async (folder) => {
    const { place, core } = await createStory();
    place.write(`${folder}/c.md`, stamped(namedUuid('c'), 'c\n'));
    expect(await core.scan()).toMatchObject({ documents: 2, adopted: 0 });
  });

  it('what is in a workspace within, also where it is registered here', async () => {
    const { place, core } = await createStory();
    await core.save(savingOf(place, 'part.md', 'one\n'));
    mkdirSync(join(place.folder, 'nested/.vmark'), { recursive: true });
    move(place, 'part.md', 'nested/part.md');
    const before = entriesOf(place, 'transformation').length;
    edit(place, 'nested/part.md', 'one', 'two');
    expect(await core.scan()).toMatchObject({ documents: 2, external: 0, absent: 1 });
    expect(entriesOf(place, 'transformation')).toHaveLength(before);
  });

  it('a submodule, or a clone within, never: its documents are ours', async () => {
    const { place, core } = await createStory();
    place.write('sub/.git', 'gitdir: ../.git/modules/sub\n');
    place.write('sub/c.md', stamped(namedUuid('c'), 'c\n'));
    expect(await core.scan()).toMatchObject({ documents: 3, adopted: 1 });
  });
});

describe('a scan looks at', () => {
  it('what is tracked, although .gitignore names it', async () => {
    const { place, core } = await createStory();
    mkdirSync(join(place.folder, 'drafts'));
    await core.save(savingOf(place, 'drafts/d.md', 'one\n'));
    place.write('.gitignore', 'drafts/\n*.md\n');
    edit(place, 'drafts/d.md', 'one', 'two');
    expect(await core.scan()).toMatchObject({ documents: 3, external: 1, absent: 0 });
    await expectQuiet(place, core);
  });

  it('documents by their extension in any case, and nothing else', async () => {
    const { place, core } = await createStory();
    const names = ['c.MD', 'd.Markdown', 'e.mdown', 'f.MKD', 'g.mdx', 'h.txt', 'i.md.bak', '.md', 'md'];
    for (const name of names) place.write(name, stamped(namedUuid(name), `${name}\n`));
    expect(await core.scan()).toMatchObject({ documents: 6, adopted: 4 });
    await expectQuiet(place, core);
  });

  it('what stands again in a folder by the rules of .gitignore on the way', async () => {
    const { place, core } = await createStory();
    place.write('.gitignore', 'out/*\n!out/kept.md\n');
    place.write('out/kept.md', stamped(namedUuid('kept'), 'kept\n'));
    place.write('out/other.md', stamped(namedUuid('other'), 'other\n'));
    place.write('parts/.gitignore', '!x.md\n*.tmp.md\n');
    place.write('parts/x.md', stamped(namedUuid('x'), 'x\n'));
    place.write('parts/y.tmp.md', stamped(namedUuid('y'), 'y\n'));
    expect(await core.scan()).toMatchObject({ documents: 4, adopted: 2 });
  });
});

describe('what a scan cannot read', () => {
  it('is said, and nothing is taken for gone: a folder', async () => {
    const { place, core } = await createStory();
    mkdirSync(join(place.folder, 'deep'));
    await core.save(savingOf(place, 'deep/c.md', 'one\n'));
    move(place, 'a.md', 'deep/a.md');
    const faulty = createFaultyDisk();
    const other = await place.open({ disk: faulty.disk });
    faulty.plan({ at: 0, failure: 'EACCES', kind: 'readdirSync', path: /deep$/u, lasting: true });
    const before = place.segments();
    expect(await other.scan()).toMatchObject({
      complete: false,
      reason: 'unreadable',
      absent: 0,
      diagnostics: [{ code: 'unreadable-dir', path: 'deep' }],
    });
    expect((await other.breakdown({ all: true, scan: true })).scan).toMatchObject({ complete: false, absent: 0 });
    expect(place.segments()).toEqual(before);
    faulty.plan(null);
    expect(await other.scan()).toMatchObject({ complete: true, moved: 1 });
  });

  it('is said, and nothing is taken for gone: a file', async () => {
    const { place } = await createStory();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    faulty.plan({ at: 0, failure: 'EIO', kind: 'openSync', path: /a\.md$/u, lasting: true });
    expect(await core.scan()).toMatchObject({
      complete: false,
      reason: 'unreadable',
      absent: 0,
      external: 0,
      diagnostics: [{ code: 'unreadable', path: 'a.md' }],
    });
    faulty.plan(null);
    expect(await core.scan()).toMatchObject({ complete: true, unchanged: 2 });
  });

  it.each(['', 'deep/'])('is said, and only what is tracked there is looked at: %s.gitignore', async (folder) => {
    const { place, core: before } = await createStory();
    place.write(`${folder}tracked.md`, 'one\n');
    await before.track({ paths: [`${folder}tracked.md`], dryRun: false });
    const copied = place.text(`${folder}tracked.md`);
    place.write(`${folder}.gitignore`, 'built/\n');
    place.write(`${folder}built/tracked.md`, copied);
    place.write(`${folder}tracked.md`, copied.replace('one', 'two'));
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    faulty.plan({ at: 0, failure: 'EACCES', kind: 'readFileSync', path: /\.gitignore$/u, lasting: true });
    expect(await core.scan()).toMatchObject({
      complete: false,
      reason: 'unreadable',
      external: 1,
      adopted: 0,
      absent: 0,
      held: [],
      diagnostics: [{ code: 'unreadable', path: `${folder}.gitignore` }],
    });
    expect((await core.files()).map(({ path }) => path)).toContain(`${folder}tracked.md`);
    faulty.plan(null);
    expect(await core.scan()).toMatchObject({ complete: true, external: 0, held: [] });
  });

  it('is left to settle: a file that is written to while it is read', async () => {
    const { place } = await createStory();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    edit(place, 'a.md', 'one', 'two');
    faulty.before(
      ({ name, path }) => name === 'readFileSync' && path.endsWith('a.md') && place.text('a.md').includes('two'),
      () => edit(place, 'a.md', 'two', 'three'),
    );
    expect(await core.scan()).toMatchObject({ complete: false, reason: 'settling', external: 0 });
    expect(await core.scan()).toMatchObject({ complete: true, external: 1 });
    expect((await core.show('a.md', 'v2')).text).toBe('three\n');
    await expectQuiet(place, core);
  });

  it('as text is a version of its bytes where it is registered, else only said', async () => {
    const { place, core } = await createStory();
    const bytes = Buffer.from([0x23, 0x20, 0xff, 0x0a]);
    place.write('a.md', bytes);
    place.write('latin.md', bytes);
    expect(await core.scan()).toMatchObject({ external: 1, adopted: 0, diagnostics: [{ code: 'invalid-utf8', path: 'latin.md' }] });
    expect(await core.show('a.md', 'v2')).toMatchObject({ binary: true, base64: bytes.toString('base64') });
    expect(place.read('a.md')).toEqual(bytes);
    await expectQuiet(place, core);
  });

  it.skipIf(process.platform !== 'linux')(
    'by its name is said: one that is not UTF-8; one with a replacement character is read',
    async () => {
      const { place, core } = await createStory();
      const garbled = Buffer.concat([Buffer.from(`${place.folder}/x`), Buffer.from([0xff]), Buffer.from('.md')]);
      writeFileSync(garbled, stamped(namedUuid('x'), 'text\n'));
      place.write('y\ufffd.md', stamped(namedUuid('y'), 'text\n'));
      expect(await core.scan()).toMatchObject({ complete: true, adopted: 1, diagnostics: [{ code: 'unreadable', path: 'x\ufffd.md' }] });
      expect((await core.logFile('y\ufffd.md')).object).toBe(namedUuid('y'));
    },
  );

  it('by its name is left alone: one with a newline', async () => {
    const { place, core } = await createStory();
    place.write('new\nline.md', stamped(namedUuid('n'), 'n\n'));
    expect(await core.scan()).toMatchObject({ documents: 2, adopted: 0 });
  });
});

describe('without a ledger', () => {
  it.each([true, false])('nothing is found and nothing is made, whatever is asked (setting on: %s)', async (on) => {
    const place = createPlace();
    place.setting(on);
    place.write('a.md', stamped(namedUuid('a'), 'one\n'));
    place.write('b.md', 'one\n');
    const before = place.tree();
    const core = await place.open();
    const asked = [
      () => core.scan(),
      () => core.status(),
      () => core.breakdown({ all: true, scan: true }),
      () => core.breakdown({ all: true, scan: false }),
      () => core.check({ failOn: ['version-stale'] }),
      () => core.log(),
      () => core.verify({ restoreLines: false }),
      () => core.rebuild(),
      () => core.track({ paths: null, dryRun: true }),
      () => core.logFile('a.md'),
      () => core.show('a.md', 'v1'),
      () => core.diff('a.md', 'v1', null),
    ];
    for (const ask of asked) await ask().catch((error: unknown) => expect(error).toMatchObject({ name: 'Fault' }));
    expect(place.tree()).toEqual(before);
    expect(existsSync(join(place.folder, '.vmark'))).toBe(false);
  });
});

describe('a preview', () => {
  it('counts what a scan would find, and writes not a byte', async () => {
    const { place, core } = await createStory();
    await core.save(savingFrom(place, 'b.md', place.text('b.md').replace('one', 'two'), [await inputOf(core, 'a.md')]));
    edit(place, 'a.md', 'one', 'changed');
    place.write('new.md', stamped(namedUuid('new'), 'new\n'));
    const before = place.tree();
    const foreseen = await core.check({ failOn: ['version-stale'] });
    expect(foreseen).toMatchObject({ ok: false, failing: { 'version-stale': 1 }, breakdown: { scan: { external: 1 } } });
    await core.track({ paths: null, dryRun: true });
    expect(place.tree()).toEqual(before);
    expect((await core.logFile('a.md')).revisions).toHaveLength(1);
    expect((await core.breakdown({ all: false, scan: true })).counts).toEqual(foreseen.breakdown.counts);
  });

  it('never finds its way into what is saved meanwhile', async () => {
    const { place, core } = await createStory();
    for (let turn = 0; turn < 12; turn++) {
      edit(place, 'a.md', /\w+\n$/u.exec(place.text('a.md'))![0], `outside${turn}\n`);
      const request = savingOf(place, 'a.md', place.text('a.md').replace('outside', 'mine'));
      const previews = [core.check({ failOn: [] }), core.track({ paths: null, dryRun: true })];
      await core.save(request);
      await Promise.all(previews);
    }
    expect(await (await place.open()).verify({ restoreLines: false })).toMatchObject({ ok: true, problems: [] });
    expect((await (await place.open()).logFile('a.md')).heads).toHaveLength(1);
  });
});

describe('any folder', () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant('write'), path: fc.nat(5), text: fc.nat(3) }),
    fc.record({ kind: fc.constantFrom('move', 'copy'), path: fc.nat(5), to: fc.nat(5) }),
    fc.record({ kind: fc.constantFrom('remove', 'save', 'strip', 'unknown'), path: fc.nat(5) }),
    fc.record({ kind: fc.constant('ignore'), path: fc.nat(5) }),
  ) as fc.Arbitrary<{ kind: string; path: number; text?: number; to?: number }>;
  const paths = ['a.md', 'b.MD', 'parts/c.md', 'parts/deep/d.markdown', 'é.md', 'e f.md'];

  async function perform(
    place: Place,
    core: Core,
    { kind, path: at, text = 0, to = 0 }: { kind: string; path: number; text?: number; to?: number },
  ) {
    const [path, other] = [paths[at]!, paths[to]!];
    const isThere = existsSync(join(place.folder, path));
    if (kind === 'ignore') place.write('.gitignore', `${path}\n`);
    else if (kind === 'unknown') place.write(path, stamped(namedUuid(`unknown ${at}`), 'unknown\n'));
    else if (!isThere) place.write(path, `text ${at}\n`);
    else if (kind === 'write') place.write(path, `${place.text(path)}${text}\n`);
    else if (kind === 'remove') place.remove(path);
    else if (kind === 'strip') place.write(path, place.text(path).replace(/^---\n.*?---\n/su, ''));
    else if (kind === 'save') await core.save(savingOf(place, path, `${place.text(path)}saved\n`));
    else {
      place.write(other, place.read(path));
      if (kind === 'move' && path !== other) place.remove(path);
    }
  }

  it('is known after one look: a second finds nothing and adds not a byte, and what was read is whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
        const place = createTrackingPlace(createFolder());
        const core = await place.open({ git: false });
        for (const path of ['a.md', 'b.MD']) await core.save(savingOf(place, path, `${path}\n`));
        for (const round of rounds) {
          for (const one of round) await perform(place, core, one);
          const files = [...place.tree()].filter(([path]) => !path.startsWith('.vmark'));
          await core.scan();
          expect([...place.tree()].filter(([path]) => !path.startsWith('.vmark'))).toEqual(files);
          await expectQuiet(place, core);
        }
        expect(await core.verify({ restoreLines: false })).toMatchObject({ ok: true });
      }),
      { numRuns: 40 },
    );
  });
});

describe('a ledger that goes while it is looked at', () => {
  it('is shown no more, nor where a link leads to it, and what comes after begins anew', async () => {
    const { place, core } = await createStory();
    await core.save(savingFrom(place, 'b.md', 'from a\n', [await inputOf(core, 'a.md')]));
    edit(place, 'a.md', 'one', 'two');
    const [row] = (await core.breakdown({ all: false, scan: true })).artifacts[0]!.rows;
    const decision = { kind: 'waive', reason: 'later', expires: null } as const;
    const resolving = { edge: row!.edge! as never, against: row!.current!.revision as never, decision };
    await core.resolve(resolving);
    expect((await core.breakdown({ all: false, scan: true })).counts.waived).toBe(1);
    renameSync(join(place.folder, '.vmark'), join(place.home, 'kept'));
    symlinkSync(join(place.home, 'kept'), join(place.folder, '.vmark'));
    expect((await core.breakdown({ all: false, scan: true })).counts.waived).toBe(0);
    expect(await core.resolve(resolving)).toEqual({ kind: 'gone' });
    expect((await core.status()).tracked).toBe(0);
    rmSync(join(place.folder, '.vmark'));
    const after = await core.breakdown({ all: false, scan: true });
    expect(after).toMatchObject({ artifacts: [], provenanceUnknown: [], counts: { waived: 0 } });
    expect(after).toEqual(await (await place.open()).breakdown({ all: false, scan: true }));
    await core.save(savingOf(place, 'a.md', 'three\n'));
    expect(await labelsOf(core, 'a.md')).toEqual(['v1 human']);
  });
});
