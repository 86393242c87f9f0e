import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { realDisk } from '#core/storage/disk';
import type { Move } from '#protocol/file-calls';
import { createPlace, createTrackingPlace, entriesOf, type Place, savingOf } from '../../helpers/workspace';

/** Moves with every link that is planned, as a writer does who leaves all ticks. */
async function move(core: Core, ...moves: Move[]) {
  const links = await core.acts.planMove(moves);
  return core.acts.move(moves, [...links], () => {});
}

const files = (place: Place) => [...place.tree().keys()].filter((path) => !path.startsWith('.vmark') && !path.endsWith('/'));

async function untracked(texts: Record<string, string>): Promise<{ place: Place; core: Core }> {
  const place = createPlace();
  for (const [path, text] of Object.entries(texts)) place.write(path, text);
  return { place, core: await place.open() };
}

describe('a document that is renamed', () => {
  it('is led to as before, and all comes back', async () => {
    const texts = { 'bible/elena.md': 'See [one](../one.md).\n', 'one.md': '\ufeff[her](bible/elena.md#eyes)\r\n[[elena]]\r\n' };
    const { place, core } = await untracked(texts);
    const plan = await core.acts.planMove([{ from: 'bible/elena.md', to: 'people/maria.md' }]);
    expect(plan.map(({ path, changes }) => [path, changes])).toEqual([
      [
        'one.md',
        [
          { start: 7, line: 1, before: '\ufeff[her](bible/elena.md#eyes)', after: '\ufeff[her](people/maria.md#eyes)' },
          { start: 31, line: 2, before: '[[elena]]', after: '[[maria]]' },
        ],
      ],
    ]);
    const heard: unknown[] = [];
    const moves = [{ from: 'bible/elena.md', to: 'people/maria.md' }];
    const moved = await core.acts.move(moves, [...plan], (told) => heard.push(told, place.text('one.md')));
    expect(moved.links).toEqual([{ path: 'one.md', kind: 'done', count: 2 }]);
    expect(heard).toEqual([moves, texts['one.md']]);
    expect(place.text('one.md')).toBe('\ufeff[her](people/maria.md#eyes)\r\n[[maria]]\r\n');
    expect(place.text('people/maria.md')).toBe(texts['bible/elena.md']);
    expect((await core.acts.undo(moved.undo, () => {})).kind).toBe('undone');
    for (const [path, text] of Object.entries(texts)) expect(place.text(path)).toBe(text);
    expect((await core.acts.undo(moved.undo, () => {})).kind).toBe('gone');
  });

  it('leaves alone what the writer did not tick, and what was changed since the plan', async () => {
    const { place, core } = await untracked({ 'a.md': 'A\n', 'b.md': '[a](a.md)\n', 'c.md': '[a](a.md)\n', 'd.md': '[a](a.md)\n' });
    const moves = [{ from: 'a.md', to: 'z.md' }];
    const plan = await core.acts.planMove(moves);
    place.write('c.md', 'more [a](a.md)\n');
    const { links } = await core.acts.move(moves, plan.slice(1), () => {});
    expect(links).toEqual([
      { path: 'd.md', kind: 'done', count: 1 },
      { path: 'c.md', kind: 'conflict' },
    ]);
    expect(['b.md', 'c.md', 'd.md'].map(place.text)).toEqual(['[a](a.md)\n', 'more [a](a.md)\n', '[a](z.md)\n']);
  });

  it('keeps its own links, and those between files that move together', async () => {
    const { place, core } = await untracked({
      'a/one.md': '![map](img/map.png) [two](two.md)\n',
      'a/two.md': '[top](../top.md)\n',
      'top.md': 'T\n',
      'a/img/map.png': 'x',
    });
    await move(core, { from: 'a/one.md', to: 'b/c/one.md' }, { from: 'a/two.md', to: 'b/c/two.md' });
    expect(place.text('b/c/one.md')).toBe('![map](../../a/img/map.png) [two](two.md)\n');
    expect(place.text('b/c/two.md')).toBe('[top](../../top.md)\n');
  });

  it('goes with its folder', async () => {
    const { place, core } = await untracked({ 'a/x/one.md': '[top](../../top.md)\n', 'top.md': '[one](a/x/one.md)\n', 'a/x/y.bin': 'y' });
    const { undo } = await move(core, { from: 'a', to: 'b/c' });
    expect([place.text('b/c/x/one.md'), place.text('top.md'), place.text('b/c/x/y.bin')]).toEqual([
      '[top](../../../top.md)\n',
      '[one](b/c/x/one.md)\n',
      'y',
    ]);
    await core.acts.undo(undo, () => {});
    expect(files(place)).toEqual(['a/x/one.md', 'a/x/y.bin', 'top.md']);
    expect(place.text('top.md')).toBe('[one](a/x/one.md)\n');
  });

  it('is not taken back over what was written to it since', async () => {
    const { place, core } = await untracked({ 'a.md': 'A\n', 'b.md': '[a](a.md)\n' });
    const { undo } = await move(core, { from: 'a.md', to: 'z.md' });
    place.write('b.md', 'mine [a](z.md)\n');
    expect((await core.acts.undo(undo, () => {})).files).toEqual([{ path: 'b.md', kind: 'done', count: 1 }]);
    expect([place.text('a.md'), place.text('b.md')]).toEqual(['A\n', 'mine [a](a.md)\n']);
    const again = await move(core, { from: 'a.md', to: 'z.md' });
    place.write('b.md', 'mine alone\n');
    expect((await core.acts.undo(again.undo, () => {})).files).toEqual([{ path: 'b.md', kind: 'conflict' }]);
    expect([place.text('a.md'), place.text('b.md')]).toEqual(['A\n', 'mine alone\n']);
  });
});

describe('a move is refused', () => {
  it.each([
    ['a.md', 'b.md', 'already-exists'],
    ['a.md', '../out.md', 'outside-workspace'],
    ['a.md', '.vmark/x.md', 'path-invalid'],
    ['a.md', '.git/hooks/x', 'path-invalid'],
    ['.git', 'x', 'path-invalid'],
    ['a.md', 'away/x.md', 'outside-workspace'],
    ['a.md', 'x\ny.md', 'path-invalid'],
    ['a.md', `${'x'.repeat(300)}.md`, 'name-too-long'],
    ['none.md', 'x.md', 'file-missing'],
    ['f', 'f/g', 'moved-into-itself'],
    ['f', 'b.md', 'already-exists'],
    ['a.md', 'f', 'already-exists'],
    ['a.md', 'b.md/x.md', 'not-a-folder'],
  ])('from %j to %j: %s', async (from, to, code) => {
    const { place, core } = await untracked({ 'a.md': 'A\n', 'b.md': 'B\n', 'f/c.md': 'C\n', '.git/config': '' });
    symlinkSync(createPlace().folder, join(place.folder, 'away'));
    const before = files(place);
    await expect(core.acts.move([{ from, to }], [], () => {})).rejects.toMatchObject({ code });
    expect(files(place)).toEqual(before);
  });

  it('as a whole, where its second part cannot be', async () => {
    const { place } = await untracked({ 'a.md': 'A\n', 'b.md': 'B\n' });
    const renameSync: typeof realDisk.renameSync = (from, to) => {
      if (String(from).endsWith('b.md')) throw Object.assign(new Error('no'), { code: 'EACCES' });
      realDisk.renameSync(from, to);
    };
    const core = await place.open({ disk: { ...realDisk, renameSync } });
    const moves = [
      { from: 'a.md', to: 'x/a.md' },
      { from: 'b.md', to: 'x/b.md' },
    ];
    await expect(core.acts.move(moves, [], () => {})).rejects.toMatchObject({ code: 'permission' });
    expect(files(place)).toEqual(['a.md', 'b.md']);
  });
});

describe('where letter case does not tell names apart', () => {
  it.each([true, false])('a rename of it alone is done (in one step: %s)', async (isOneStep) => {
    const { place } = await untracked({ 'note.md': 'N\n', 'b.md': '[n](note.md)\n' });
    // The disk of a Mac or of Windows, for this one name.
    const real = (path: unknown) =>
      String(path).endsWith('/Note.md') && !existsSync(String(path)) ? String(path).replace('Note.md', 'note.md') : String(path);
    const core = await place.open({
      disk: {
        ...realDisk,
        lstatSync: ((path: string, options: never) => realDisk.lstatSync(real(path), options)) as typeof realDisk.lstatSync,
        renameSync: (from, to) => {
          const isCaseOnly = String(from).toLowerCase() === String(to).toLowerCase();
          if (isOneStep || !isCaseOnly) realDisk.renameSync(from, to);
        },
      },
    });
    await move(core, { from: 'note.md', to: 'Note.md' });
    expect(readdirSync(place.folder).sort()).toEqual(['Note.md', 'b.md']);
    expect(place.text('b.md')).toBe('[n](Note.md)\n');
  });
});

describe('a tracked document that is moved', () => {
  it('stays the object that it was, by its id', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'A\n'));
    await core.save(savingOf(place, 'b.md', '[a](a.md)\n'));
    const { object } = await core.logFile('a.md');
    await move(core, { from: 'a.md', to: 'c/d.md' });
    expect((await core.logFile('c/d.md')).object).toBe(object);
    expect(place.text('b.md')).toContain('[a](c/d.md)');
    const before = place.lines().length;
    await core.scan();
    expect(place.lines().length).toBe(before);
  });

  it('stays the object that it was, by its path', async () => {
    const place = createTrackingPlace();
    place.write('a.md', '---\n- a list\n---\nA\n');
    const core = await place.open();
    await core.track({ paths: ['a.md'], dryRun: false });
    expect((await core.tracking('a.md')).by).toBe('path');
    const { object, heads } = await core.logFile('a.md');
    const { undo } = await move(core, { from: 'a.md', to: 'c/d.md' });
    expect(await core.logFile('c/d.md')).toMatchObject({ object, heads });
    expect(entriesOf(place, 'object-registered').map(({ body }) => body.path)).toEqual(['a.md', 'c/d.md']);
    await core.acts.undo(undo, () => {});
    expect(await core.logFile('a.md')).toMatchObject({ object, heads });
  });
});
