import { readdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { bytesHash } from '#core/workspace/save';
import { createPlace, createTrackingPlace, inputOf, type Place, savingFrom, savingOf } from '../../helpers/workspace';

const idem = () => crypto.randomUUID() as never;
const shown = async (core: Core, path: string) =>
  (await core.history.list(path)).versions.map(({ author, act, label, isNow }) => ({ author, act, label, isNow }));
const restore = async (core: Core, place: Place, path: string, at: number) => {
  const { versions } = await core.history.list(path);
  return core.history.restore({ path, version: versions[at]!.version, base: bytesHash(place.read(path)), idem: idem() });
};

describe('the history of a document that no ledger has', () => {
  it('holds what was there before, each save, and who made it; nothing is made in the folder', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const before = [...place.tree().keys()];
    const core = await place.open();
    expect(await core.history.list('a.md')).toEqual({ versions: [], isTracked: false });
    await core.save(savingOf(place, 'a.md', 'two\n'));
    place.write('a.md', 'theirs\n');
    await core.save(savingOf(place, 'a.md', 'three\n'));
    const { versions } = await core.history.list('a.md');
    // Every save, and what was there before each.
    expect(versions.map(({ author, isNow }) => ({ author, isNow }))).toEqual([
      { author: 'you', isNow: true },
      { author: 'outside', isNow: false },
      { author: 'you', isNow: false },
      { author: 'outside', isNow: false },
    ]);
    const texts = await Promise.all(versions.map(({ version }) => core.history.text('a.md', version)));
    expect(texts.map(({ text }) => text)).toEqual(['three\n', 'theirs\n', 'two\n', 'one\n']);
    expect([...place.tree().keys()]).toEqual(before);
  });

  it('is put back with the line endings and the byte order mark that the file has now', async () => {
    const place = createPlace();
    place.write('a.md', 'one\ntwo\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', '\ufeffone\r\nnew\r\n'));
    expect(await restore(core, place, 'a.md', 1)).toMatchObject({ kind: 'saved' });
    expect(place.text('a.md')).toBe('\ufeffone\r\ntwo\r\n');
  });

  it('has what an earlier version was put in the place of, and that version twice', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'two\n'));
    await core.save(savingOf(place, 'a.md', 'three\n'));
    const { versions } = await core.history.list('a.md');
    expect(versions).toHaveLength(3);
    expect(await restore(core, place, 'a.md', 2)).toMatchObject({ kind: 'saved' });
    await core.save(savingOf(place, 'a.md', 'four\n'));
    const now = (await core.history.list('a.md')).versions;
    const texts = await Promise.all(now.map(({ version }) => core.history.text('a.md', version)));
    expect(texts.map(({ text }) => text)).toEqual(['four\n', 'one\n', 'three\n', 'two\n', 'one\n']);
  });

  it('is not put back over a file that somebody wrote since', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'two\n'));
    const { versions } = await core.history.list('a.md');
    const base = bytesHash(place.read('a.md'));
    place.write('a.md', 'theirs\n');
    expect(await core.history.restore({ path: 'a.md', version: versions[1]!.version, base, idem: idem() })).toMatchObject({
      kind: 'conflict',
    });
    expect(place.text('a.md')).toBe('theirs\n');
  });

  it('goes along when the document or its folder is moved, and comes back with it', async () => {
    const place = createPlace();
    place.write('parts/a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'parts/a.md', 'two\n'));
    const { undo } = await core.acts.move([{ from: 'parts', to: 'chapters' }], [], () => {});
    expect((await core.history.list('chapters/a.md')).versions).toHaveLength(2);
    expect((await core.history.list('parts/a.md')).versions).toHaveLength(0);
    await core.acts.undo(undo, () => {});
    expect((await core.history.list('parts/a.md')).versions).toHaveLength(2);
  });

  it('follows a rename by another program, also where the file was saved here since, and is not that of a copy', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'two\n'));
    place.write('copy.md', 'two\n');
    expect((await core.history.list('copy.md')).versions).toEqual([]);
    place.remove('copy.md');
    renameSync(join(place.folder, 'a.md'), join(place.folder, 'b.md'));
    await core.save(savingOf(place, 'b.md', 'three\n'));
    const { versions } = await core.history.list('b.md');
    const texts = await Promise.all(versions.map(({ version }) => core.history.text('b.md', version)));
    expect(texts.map(({ text }) => text)).toEqual(['three\n', 'two\n', 'one\n']);
    renameSync(join(place.folder, 'b.md'), join(place.folder, 'c.md'));
    expect((await core.history.list('c.md')).versions.map(({ isNow }) => isNow)).toEqual([true, false, false]);
    expect((await core.history.list('b.md')).versions).toEqual([]);
  });

  it('is in order after a rename by another program that gave the file an old date', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'two\n'));
    renameSync(join(place.folder, 'a.md'), join(place.folder, 'b.md'));
    utimesSync(join(place.folder, 'b.md'), 1, 1);
    await core.save(savingOf(place, 'b.md', 'three\n'));
    const { versions } = await core.history.list('b.md');
    const texts = await Promise.all(versions.map(({ version }) => core.history.text('b.md', version)));
    expect(texts.map(({ text }) => text)).toEqual(['three\n', 'two\n', 'one\n']);
  });

  it('follows a rename by another program into the ledger, too, where the file is tracked since', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'two\n'));
    renameSync(join(place.folder, 'a.md'), join(place.folder, 'b.md'));
    place.setting(true);
    await core.save(savingOf(place, 'b.md', 'three\n'));
    const { versions, isTracked } = await core.history.list('b.md');
    const texts = await Promise.all(versions.map(({ version }) => core.history.text('b.md', version)));
    expect([isTracked, texts.map(({ text }) => text?.split('\n').at(-2))]).toEqual([true, ['three', 'two', 'one']]);
  });

  it('is not that of a file that ends with something else, and not one of several empty ones', async () => {
    const place = createPlace();
    for (const path of ['a.md', 'b.md']) place.write(path, 'text\n');
    const core = await place.open();
    for (const path of ['a.md', 'b.md']) await core.save(savingOf(place, path, path === 'a.md' ? '' : 'more\n'));
    for (const path of ['a.md', 'b.md']) place.remove(path);
    place.write('c.md', '');
    place.write('d.md', 'another\n');
    for (const path of ['c.md', 'd.md']) expect((await core.history.list(path)).versions).toEqual([]);
  });

  it('is for its owner only, and what is damaged in it is not shown as a text', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'two\n'));
    const folder = join(place.home, 'history');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    for (const file of files) expect(statSync(file).mode & 0o077).toBe(0);
    const { versions } = await core.history.list('a.md');
    const one = files.find((file) => file.endsWith(versions[1]!.version.slice('kept:'.length)))!;
    (await import('node:fs')).writeFileSync(one, 'damage');
    await expect(core.history.text('a.md', versions[1]!.version)).rejects.toMatchObject({ code: 'content-unavailable' });
  });
});

describe('the history of a document that the ledger has', () => {
  it('names who made each version: the writer, a model, another program', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'source.md', 'source\n'));
    await core.save(savingOf(place, 'a.md', 'one\n'));
    await core.save(savingFrom(place, 'a.md', place.text('a.md').replace('one', 'two'), [await inputOf(core, 'source.md')]));
    place.write('a.md', place.text('a.md').replace('two', 'three'));
    await core.scan();
    expect(await shown(core, 'a.md')).toEqual([
      { author: 'outside', act: 'observed-external-edit', label: 'v3', isNow: true },
      { author: 'ai', act: 'genie', label: 'v2', isNow: false },
      { author: 'you', act: 'editor-save', label: 'v1', isNow: false },
    ]);
  });

  it('begins with what stood in the file before it was tracked', async () => {
    const place = createTrackingPlace();
    place.write('a.md', 'from elsewhere\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'mine\n'));
    await core.save(savingOf(place, 'a.md', place.text('a.md').replace('mine', 'more')));
    const { versions } = await core.history.list('a.md');
    expect(versions.map(({ author, label }) => ({ author, label }))).toEqual([
      { author: 'you', label: 'v2' },
      { author: 'you', label: 'v1' },
      { author: 'outside', label: null },
    ]);
    expect((await core.history.text('a.md', versions[2]!.version)).text).toBe('from elsewhere\n');
  });

  it('is put back as a version of its own, with the block of the file', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const first = place.text('a.md');
    await core.save(savingOf(place, 'a.md', first.replace('one', 'two')));
    expect(await restore(core, place, 'a.md', 1)).toMatchObject({ kind: 'saved' });
    expect(place.text('a.md')).toBe(first);
    expect((await shown(core, 'a.md'))[0]).toMatchObject({ author: 'you', act: 'restore', isNow: true });
  });

  it('goes on from what the app data kept before', async () => {
    const place = createPlace();
    place.write('a.md', 'one\n');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'two\n'));
    place.setting(true);
    await core.save(savingOf(place, 'a.md', 'three\n'));
    const { versions, isTracked } = await core.history.list('a.md');
    expect(isTracked).toBe(true);
    expect(versions.filter(({ version }) => version.startsWith('kept:'))).toHaveLength(2);
    expect(versions.some(({ version }) => version.startsWith('rev1:'))).toBe(true);
  });
});
