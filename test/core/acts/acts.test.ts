import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { withoutIdentity } from '#core/acts/copy';
import { revealCommand } from '#core/acts/reveal';
import type { Trash } from '#core/acts/trash';
import { bytesHash } from '#core/workspace/save';
import { folderTrash } from '../../helpers/trash';
import { createFolder, createPlace, createTrackingPlace, type Place, savingOf, stamped } from '../../helpers/workspace';

const nobody = () => {};
const query = { text: 'salt', isExpression: false, matchesCase: false, wholeWords: false };
const files = (place: Place) => [...place.tree().keys()].filter((path) => !path.startsWith('.vmark') && !path.endsWith('/'));
const wanted = (place: Place, path: string, starts: number[] | null = null) => ({ path, base: bytesHash(place.read(path)), starts });

describe('a replacement', () => {
  it('changes what was chosen and no other byte, and is taken back whole', async () => {
    const place = createPlace();
    place.write('a.md', '\ufeffSalt, salt.\r\nsalt\n');
    place.write('b.md', 'salt salt\n');
    const core = await place.open();
    const { files: found, undo } = await core.acts.replace({
      query,
      replacement: 'smoke',
      files: [wanted(place, 'a.md'), wanted(place, 'b.md', [5])],
    });
    expect(found).toEqual([
      { path: 'a.md', kind: 'done', count: 3 },
      { path: 'b.md', kind: 'done', count: 1 },
    ]);
    expect([place.text('a.md'), place.text('b.md')]).toEqual(['\ufeffsmoke, smoke.\r\nsmoke\n', 'salt smoke\n']);
    place.write('b.md', 'salt smoke and more\n');
    expect((await core.acts.undo(undo!, nobody)).files.map(({ kind }) => kind)).toEqual(['done', 'conflict']);
    expect([place.text('a.md'), place.text('b.md')]).toEqual(['\ufeffSalt, salt.\r\nsalt\n', 'salt smoke and more\n']);
  });

  it('of a word with nothing in two hundred documents is taken back in all of them by one undo (FR-118)', async () => {
    const place = createPlace();
    const paths = Array.from({ length: 200 }, (_, at) => `part ${at % 7}/chapter-${at}.md`);
    for (const [at, path] of paths.entries()) place.write(path, `Salt ${at} and salt.\r\n`);
    const before = paths.map((path) => place.text(path));
    const core = await place.open();
    const { undo } = await core.acts.replace({ query, replacement: '', files: paths.map((path) => wanted(place, path)) });
    expect(place.text(paths[7]!)).toBe(' 7 and .\r\n');
    const { files: back } = await core.acts.undo(undo!, nobody);
    expect(back.every(({ kind }) => kind === 'done')).toBe(true);
    expect(paths.map((path) => place.text(path))).toEqual(before);
  });

  it('fills groups in, at every place of a line', async () => {
    const place = createPlace();
    place.write('a.md', 'x1 x2 x3\n');
    const core = await place.open();
    const files = [wanted(place, 'a.md')];
    await core.acts.replace({ query: { ...query, text: 'x(\\d)', isExpression: true }, replacement: '<$1$1>', files });
    expect(place.text('a.md')).toBe('<11> <22> <33>\n');
  });

  it('leaves alone what is not as it was found, and says what it could not write', async () => {
    const place = createPlace();
    place.write('a.md', 'salt\n');
    place.write('c.md', 'salt\n');
    const core = await place.open();
    const asked = [wanted(place, 'a.md'), { ...wanted(place, 'c.md'), path: '../c.md' }, { ...wanted(place, 'c.md'), path: 'gone.md' }];
    place.write('a.md', 'salt, mine\n');
    const { files: outcomes, undo } = await core.acts.replace({ query, replacement: 'x', files: asked });
    expect(outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.code : outcome.kind))).toEqual([
      'conflict',
      'outside-workspace',
      'file-missing',
    ]);
    expect([undo, place.text('a.md')]).toEqual([null, 'salt, mine\n']);
  });

  it('is one save of a person for each document', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'salt\n'));
    await core.acts.replace({ query, replacement: 'smoke', files: [wanted(place, 'a.md')] });
    const last = place.entries().at(-1)!;
    expect(last.body).toMatchObject({ agent: { type: 'human' }, intent: { kind: 'search-replace' }, confidence: 'exact' });
  });
});

describe('a copy', () => {
  it('has a free name, and no id of another document', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'A\n'));
    place.write('A 2.md', 'taken\n');
    const { object } = await core.logFile('a.md');
    const { path, undo } = await core.acts.duplicate('a.md');
    expect([path, (await core.logFile(path)).object === object, place.text(path).endsWith('A\n')]).toEqual(['a 3.md', false, true]);
    expect((await core.acts.duplicate(path)).path).toBe('a 4.md');
    expect((await core.scan()).diagnostics).toEqual([]);
    await core.acts.undo(undo, nobody);
    expect(files(place)).toEqual(['A 2.md', 'a 4.md', 'a.md']);
  });

  it('stays where it was written to before it is taken back', async () => {
    const place = createPlace();
    place.write('a.md', 'A\n');
    const core = await place.open();
    const { path, undo } = await core.acts.duplicate('a.md');
    place.write(path, 'B\n');
    expect((await core.acts.undo(undo, nobody)).files).toEqual([{ path, kind: 'conflict' }]);
    expect(place.text(path)).toBe('B\n');
  });

  it.each([
    ['---\r\ntitle: x\r\nvmark:\r\n  id: ID\r\n---\r\nA\rB\n', '---\r\ntitle: x\r\n---\r\nA\rB\n'],
    ['---\nvmark:\n  id: ID\n---\nA', 'A'],
    ['---\nvmark:\n  id: ID\n  other: 1\n---\nA\n', '---\nvmark:\n  other: 1\n---\nA\n'],
    ['no block\r\n', 'no block\r\n'],
  ])('loses of %j nothing but the block', (before, after) => {
    const id = '01900000-0000-7000-8000-000000000001';
    const made = withoutIdentity(Buffer.from(before.replace('ID', id)), 'a.md').toString();
    expect(made).toBe(after);
  });
});

const noTrash: Trash = () => Promise.reject(new Error('no trash here'));
/** A trash that says nothing of where things went, as that of a Mac. */
const silentTrash =
  (folder: string): Trash =>
  async (place) => {
    await folderTrash(folder)(place);
    return null;
  };

describe('what is thrown away', () => {
  it.each([folderTrash, silentTrash])('is in the trash, and comes back as it was (%o)', async (kind) => {
    const place = createPlace();
    place.write('f/a.md', 'A\n');
    place.write('f/g/b.bin', Buffer.from([0, 255]));
    const before = [...place.tree()].map(([path, { bytes, mode }]) => [path, bytes, mode]);
    const core = await place.open({ trash: kind(createFolder('trash')) });
    const thrown = await core.acts.trash(['f', 'f/a.md'], false);
    expect([thrown.kind, files(place)]).toEqual(['trashed', []]);
    if (thrown.kind === 'no-trash') throw new Error('no trash');
    await core.acts.undo(thrown.undo!, nobody);
    expect([...place.tree()].map(([path, { bytes, mode }]) => [path, bytes, mode])).toEqual(before);
  });

  it('stays where there is no trash, until that is wanted all the same', async () => {
    const place = createPlace();
    place.write('f/a.md', 'A\n');
    const core = await place.open({ trash: noTrash });
    expect(await core.acts.trash(['f'], false)).toEqual({ kind: 'no-trash', reason: 'no trash here' });
    expect(files(place)).toEqual(['f/a.md']);
    expect((await core.acts.trash(['f'], true)).kind).toBe('deleted');
    expect(files(place)).toEqual([]);
  });

  it('comes back to no place that is taken', async () => {
    const place = createPlace();
    place.write('a.md', 'A\n');
    const core = await place.open({ trash: folderTrash(createFolder('trash')) });
    const thrown = await core.acts.trash(['a.md'], false);
    place.write('a.md', 'new\n');
    if (thrown.kind === 'no-trash') throw new Error('no trash');
    expect((await core.acts.undo(thrown.undo!, nobody)).files).toEqual([{ path: 'a.md', kind: 'conflict' }]);
    expect(place.text('a.md')).toBe('new\n');
  });

  it('is not brought back by a save of its open text', async () => {
    const place = createPlace();
    place.write('a.md', 'A\n');
    const core = await place.open({ trash: folderTrash(createFolder('trash')) });
    const saving = savingOf(place, 'a.md', 'A and more\n');
    await core.acts.trash(['a.md'], false);
    expect((await core.save(saving)).kind).toBe('conflict');
    expect(files(place)).toEqual([]);
  });

  it.each(['.', '..', '.vmark', '.git/config', 'none.md'])('is never %j', async (path) => {
    const place = createPlace();
    place.write('a.md', stamped('x', 'A\n'));
    place.write('.vmark/ledger/x.jsonl', '');
    place.write('.git/config', '');
    const core = await place.open({ trash: folderTrash(createFolder('trash')) });
    await expect(core.acts.trash([path], true)).rejects.toMatchObject({ name: 'Fault' });
  });
});

describe('a new folder', () => {
  it('is made, and taken back as long as it is empty', async () => {
    const place = createPlace();
    const core = await place.open();
    const { undo } = await core.acts.createFolder('a/b');
    expect([...place.tree().keys()]).toEqual(['a/', 'a/b/']);
    await expect(core.acts.createFolder('a/b')).rejects.toMatchObject({ code: 'already-exists' });
    await core.acts.undo(undo, nobody);
    expect([...place.tree().keys()]).toEqual([]);
  });

  it('stays where it is not empty, and so do those above it that were there', async () => {
    const place = createPlace();
    place.write('a/x.md', '');
    const core = await place.open();
    const [empty, full] = [await core.acts.createFolder('a/b/c'), await core.acts.createFolder('d/e')];
    place.write('d/y.md', '');
    for (const { undo } of [empty, full]) await core.acts.undo(undo, nobody);
    expect([...place.tree().keys()]).toEqual(['a/', 'a/x.md', 'd/', 'd/y.md']);
  });

  it.each([
    ['a folder', (core: Core) => core.acts.createFolder(`new/${'x'.repeat(300)}`)],
    ['a document', (core: Core) => core.createDocument(`new/deep/${'x'.repeat(300)}.md`, '')],
    ['the new place of one', (core: Core) => core.acts.move([{ from: 'a.md', to: `new/${'x'.repeat(300)}.md` }], [], nobody)],
  ])('is not left behind where %s cannot have its name', async (_, act) => {
    const place = createPlace();
    place.write('a.md', 'A\n');
    const core = await place.open();
    await expect(act(core)).rejects.toMatchObject({ code: 'name-too-long' });
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });
});

it('a file is shown by the file manager of the system', () => {
  expect(revealCommand('/w/a b.md', 'darwin')).toEqual(['open', ['-R', '/w/a b.md']]);
  expect(revealCommand('/w/a b.md', 'linux')).toEqual(['xdg-open', ['/w']]);
});
