import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realDisk } from '#core/storage/disk';
import { confine, findRoot, hasLedger, isInside, staysInside } from '#core/workspace/place';
import { createFolder, createPlace, createTrackingPlace, savingOf } from '../../helpers/workspace';

describe('the workspace of a folder', () => {
  it('is the nearest parent with a real .vmark/, else the folder itself', () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'a/b/c'), { recursive: true });
    expect(findRoot(realDisk, join(folder, 'a/b'))).toBe(join(folder, 'a/b'));
    mkdirSync(join(folder, '.vmark'));
    expect(findRoot(realDisk, join(folder, 'a/b/c'))).toBe(folder);
    mkdirSync(join(folder, 'a/.vmark'));
    expect(findRoot(realDisk, join(folder, 'a/b'))).toBe(join(folder, 'a'));
    writeFileSync(join(folder, 'a/b/.vmark'), '');
    symlinkSync(join(folder, '.vmark'), join(folder, 'a/b/c/.vmark'));
    expect(findRoot(realDisk, join(folder, 'a/b/c'))).toBe(join(folder, 'a'));
  });

  it('is found through links, by its real path', () => {
    const folder = createFolder();
    const other = createFolder();
    symlinkSync(folder, join(other, 'link'));
    expect(findRoot(realDisk, join(other, 'link'))).toBe(folder);
  });

  it('must be there and be a folder', () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => findRoot(realDisk, join(folder, 'gone'))).toThrow(/does not exist/u);
    expect(() => findRoot(realDisk, join(folder, 'file'))).toThrow(/not a folder/u);
  });
});

describe('a path that somebody names', () => {
  const folder = () => {
    const made = createFolder();
    mkdirSync(join(made, 'parts'));
    return made;
  };

  it('is taken from where it was said, and is one inside the workspace', () => {
    const root = folder();
    for (const [named, from, path] of [
      ['a.md', root, 'a.md'],
      ['./parts/../a.md', root, 'a.md'],
      ['a.md', join(root, 'parts'), 'parts/a.md'],
      ['../a.md', join(root, 'parts'), 'a.md'],
      [join(root, 'parts/new/a.md'), '/', 'parts/new/a.md'],
      ['..a.md', root, '..a.md'],
      ['é e.md', root, 'é e.md'],
    ] as const) {
      expect(confine(realDisk, root, named, from), named).toBe(path);
    }
  });

  it.each([
    '',
    '.',
    '..',
    '../a.md',
    '/etc/a.md',
    'parts/../../a.md',
    '.git/a.md',
    '.GIT/config.md',
    'parts/.vmark/a.md',
    '.Vmark/x',
    'a\0.md',
    'a\n.md',
  ])('is refused where it leads out, into git or into the ledger: %j', (named) => {
    expect(() => confine(realDisk, folder(), named)).toThrow(expect.objectContaining({ name: 'Fault' }));
  });

  it('is refused where a link on the way leads out, and followed where one leads within', () => {
    const root = folder();
    const outside = createFolder();
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(root, 'parts'), join(root, 'in'));
    expect(() => confine(realDisk, root, 'out/a.md')).toThrow(expect.objectContaining({ code: 'outside-workspace' }));
    expect(() => confine(realDisk, root, 'out/new/a.md')).toThrow(expect.objectContaining({ code: 'outside-workspace' }));
    expect(confine(realDisk, root, 'in/a.md')).toBe('parts/a.md');
    expect([staysInside(realDisk, root, 'out/a.md'), staysInside(realDisk, root, 'parts/a.md')]).toEqual([false, true]);
  });

  it('never leads out, whatever it is', () => {
    const root = folder();
    const part = fc.constantFrom('..', '.', '', 'a', 'parts', '.git', '.vmark', 'b.md', ' ', '~', 'C:');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, isAbsolute) => {
        const named = (isAbsolute ? '/' : '') + parts.join('/');
        let path: string | null = null;
        try {
          path = confine(realDisk, root, named);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Fault' });
        }
        if (path !== null) expect([isInside(path), join(root, path).startsWith(`${root}/`)]).toEqual([true, true]);
      }),
    );
  });
});

describe('a folder from elsewhere that holds links where the ledger should be', () => {
  it.each(['.vmark', '.vmark/ledger', '.vmark/snapshots'])('gets nothing written through %s, and files are saved', async (name) => {
    const place = createTrackingPlace();
    const outside = createPlace();
    mkdirSync(join(outside.folder, 'ledger'));
    if (name !== '.vmark') mkdirSync(join(place.folder, '.vmark'));
    symlinkSync(outside.folder, join(place.folder, name));
    const core = await place.open();
    const saved = await core.save(savingOf(place, 'a.md', 'one\n'));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'failed', code: 'not-a-folder' } });
    expect(place.text('a.md')).toContain('one\n');
    expect([...outside.tree().keys()]).toEqual(['ledger/']);
    if (name !== '.vmark/snapshots') expect(hasLedger(realDisk, place.folder)).toBe(false);
  });

  it.each(['snapshots', 'snapshots/sha256', 'snapshots/tmp'])(
    'gets nothing written through .vmark/%s that came while it was open',
    async (name) => {
      const place = createTrackingPlace();
      const outside = createPlace();
      const core = await place.open();
      for (const text of ['one\n', 'two\n']) await core.save(savingOf(place, 'a.md', text));
      const folder = join(place.folder, '.vmark', name);
      renameSync(folder, join(outside.folder, 'moved'));
      symlinkSync(join(outside.folder, 'moved'), folder);
      const before = outside.tree();
      const saved = await core.save(savingOf(place, 'a.md', 'three\n'));
      expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'failed', code: 'not-a-folder' } });
      expect(place.text('a.md')).toContain('three\n');
      expect(outside.tree()).toEqual(before);
    },
  );

  it('gets no line through a link that has the name of our segment', async () => {
    const place = createTrackingPlace();
    const outside = createPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const ledger = join(place.folder, '.vmark/ledger');
    const [name] = readdirSync(ledger).filter((one) => one.endsWith('.jsonl'));
    renameSync(join(ledger, name!), join(outside.folder, 'lines'));
    const before = readFileSync(join(outside.folder, 'lines'));
    symlinkSync(join(outside.folder, 'lines'), join(ledger, name!));
    symlinkSync(join(outside.folder, 'gone'), join(ledger, `${name!.slice(0, 36)}-001.jsonl`));
    for (const one of [core, await place.open()]) {
      const text = `${place.text('a.md')}more\n`;
      expect(await one.save(savingOf(place, 'a.md', text))).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    }
    expect(readFileSync(join(outside.folder, 'lines'))).toEqual(before);
    expect(readdirSync(outside.folder)).toEqual(['lines']);
  });
});

describe('the files that tell git what to do with a ledger', () => {
  it('get their lines back with the next record, also those that were taken out while the folder was open', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    for (const text of ['one\n', 'two\n']) await core.save(savingOf(place, 'a.md', text));
    const wanted = place.text('.vmark/.gitignore');
    expect(wanted).toContain('snapshots/tmp/');
    for (const left of ['mine\n', wanted.replace('snapshots/tmp/', 'snapshots/mine')]) {
      place.write('.vmark/.gitignore', left);
      await core.save(savingOf(place, 'a.md', `${place.text('a.md')}more\n`));
      expect(place.text('.vmark/.gitignore').split('\n')).toEqual(expect.arrayContaining(wanted.split('\n')));
    }
  });
});
