import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Core, openCore } from '#core';
import { type Disk, realDisk } from '#core/storage/disk';
import { bytesHash } from '#core/workspace/save';
import type { Uuid } from '#kernel/uuid';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { namedUuid } from '../../helpers/history';
import {
  countKinds,
  createFolder,
  createPlace,
  createTrackingPlace,
  entriesOf,
  environment,
  inputOf,
  type Place,
  savingFrom,
  savingOf,
  stamped,
} from '../../helpers/workspace';

const id = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
const leftovers = (place: Place) => readdirSync(place.folder).filter((name) => name.endsWith('.stemma-tmp'));

describe('a save keeps every byte that it is given', () => {
  const texts: readonly (readonly [string, string | Buffer])[] = [
    ['CRLF line endings', 'one\r\ntwo\r\n'],
    ['mixed line endings', 'one\r\ntwo\nthree\rfour'],
    ['a byte order mark', '\uFEFF# Title\n'],
    ['decomposed letters', 'e\u0301tude\n'],
    ['no final newline', '# Title'],
    ['trailing spaces', 'one  \ntwo\t \n\n\n'],
    ['foreign frontmatter', '---\ntitle: "A # b"   # why\nlist: [1,2]\n\n---\n\ntext\n'],
    ['nothing', ''],
    ['bytes that are not UTF-8', Buffer.from([0x23, 0xff, 0xfe, 0x0a])],
  ];

  it.each(texts)('%s, with provenance off', async (_, text) => {
    const place = createPlace();
    place.write('a.md', 'before\n');
    const core = await place.open();
    const saved = await core.save(savingOf(place, 'a.md', text));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'off' } });
    expect(place.read('a.md')).toEqual(Buffer.from(text));
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });

  it.each(texts)('%s, in a document that carries its id already', async (_, text) => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', stamped(id, 'before\n')));
    const bytes = Buffer.isBuffer(text)
      ? text
      : Buffer.from(text.startsWith('---') || text.startsWith('\uFEFF') ? text : stamped(id, text));
    const saved = await core.save(savingOf(place, 'a.md', bytes));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded', object: id } });
    expect(saved.kind === 'saved' && saved.bytes).toEqual(place.read('a.md'));
    if (Buffer.isBuffer(text) || !text.startsWith('---')) expect(place.read('a.md')).toEqual(bytes);
    else expect(place.text('a.md').replace(`vmark:\n  id: ${id}\n`, '')).toBe(text);
  });

  it('puts nothing but the identity block into a text that is stamped', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('\r\n', '\n', 'a', 'é', 'e\u0301', ' ', '#', '\t') }), async (text) => {
        const before = existsSync(join(place.folder, 'a.md')) ? place.text('a.md') : '';
        const block = /^---\r?\nvmark:\r?\n {2}id: [0-9a-f-]{36}\r?\n---\r?\n/u.exec(before)?.[0] ?? '';
        await core.save(savingOf(place, 'a.md', block + text));
        const after = place.text('a.md');
        expect(after.endsWith(text)).toBe(true);
        expect(after.slice(0, after.length - text.length)).toMatch(/^---\r?\nvmark:\r?\n {2}id: [0-9a-f-]{36}\r?\n---\r?\n$/u);
      }),
      { numRuns: 40 },
    );
    expect(new Set(entriesOf(place, 'transformation').flatMap(({ body }) => body.outputs.map(({ object }) => object))).size).toBe(1);
  });
});

describe('a save keeps what a file is', () => {
  it.each([0o600, 0o755, 0o444])('its mode %o', async (mode) => {
    const place = createPlace();
    place.write('a.md', 'before\n');
    chmodSync(join(place.folder, 'a.md'), mode);
    await (await place.open()).save(savingOf(place, 'a.md', 'after\n'));
    expect(statSync(join(place.folder, 'a.md')).mode & 0o7777).toBe(mode);
    expect(leftovers(place)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('its owner', async () => {
    const place = createPlace();
    place.write('a.md', 'before\n');
    chownSync(join(place.folder, 'a.md'), 12_345, 54_321);
    await (await place.open()).save(savingOf(place, 'a.md', 'after\n'));
    expect(statSync(join(place.folder, 'a.md'))).toMatchObject({ uid: 12_345, gid: 54_321 });
  });

  it.runIf(process.getuid?.() === 0)('its group, where the writer may not give it back to its owner', async () => {
    const place = createPlace();
    place.write('a.md', 'before\n');
    chownSync(join(place.folder, 'a.md'), 12_345, 54_321);
    const chown: Disk['chownSync'] = (path, uid, gid) => {
      if (uid === 12_345) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
      realDisk.chownSync(path, uid, gid);
    };
    await (await place.open({ disk: { ...realDisk, chownSync: chown } })).save(savingOf(place, 'a.md', 'after\n'));
    expect(statSync(join(place.folder, 'a.md'))).toMatchObject({ uid: 0, gid: 54_321 });
  });

  it.each(['off', 'on'])('a link stays a link: what it points to is replaced, and it is never tracked (setting %s)', async (setting) => {
    const place = createPlace();
    place.setting(setting === 'on');
    place.write('parts/real.md', 'before\n');
    symlinkSync('parts/real.md', join(place.folder, 'link.md'));
    const saved = await (await place.open()).save(savingOf(place, 'link.md', 'after\n'));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'off' } });
    expect(readlinkSync(join(place.folder, 'link.md'))).toBe('parts/real.md');
    expect(lstatSync(join(place.folder, 'parts/real.md')).isFile()).toBe(true);
    expect(place.text('parts/real.md')).toBe('after\n');
    expect(existsSync(join(place.folder, '.vmark'))).toBe(false);
  });

  it('a link that leads out of the workspace is saved through, and nothing of it comes into the ledger', async () => {
    const place = createTrackingPlace();
    const outside = createPlace();
    outside.write('secret.md', stamped(id, 'before\n'));
    symlinkSync(join(outside.folder, 'secret.md'), join(place.folder, 'link.md'));
    const core = await place.open();
    await core.save(savingOf(place, 'b.md', 'text\n'));
    const saved = await core.save(savingOf(place, 'link.md', stamped(id, 'after\n')));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'off' } });
    expect(outside.text('secret.md')).toBe(stamped(id, 'after\n'));
    expect(countKinds(place)).toEqual({ 'object-registered': 1, transformation: 1 });
  });

  it('a file with two names keeps both, and both show the new text', async () => {
    const place = createPlace();
    place.write('a.md', 'a long text that is written over\n');
    linkSync(join(place.folder, 'a.md'), join(place.folder, 'b.md'));
    const core = await place.open();
    expect(await core.save(savingOf(place, 'a.md', 'short\n'))).toMatchObject({ kind: 'saved' });
    expect([place.text('a.md'), place.text('b.md'), statSync(join(place.folder, 'a.md')).nlink]).toEqual(['short\n', 'short\n', 2]);
  });

  it('a link that leads nowhere stays a link, and its target is made', async () => {
    const place = createPlace();
    symlinkSync('later.md', join(place.folder, 'link.md'));
    await (await place.open()).save(savingOf(place, 'link.md', 'after\n', { base: null }));
    expect(lstatSync(join(place.folder, 'link.md')).isSymbolicLink()).toBe(true);
    expect(place.text('later.md')).toBe('after\n');
  });

  it.each(['a'.repeat(250), '語'.repeat(83)])('a name as long as a disk allows: %s', async (name) => {
    const place = createPlace();
    const core = await place.open();
    await core.save(savingOf(place, `${name}.md`, 'one\n'));
    await core.save(savingOf(place, `${name}.md`, 'two\n'));
    expect(place.text(`${name}.md`)).toBe('two\n');
  });

  it.each(['script.js', 'data.json', 'notes.txt', 'picture.png'])('a file that is no document is never stamped: %s', async (path) => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'text\n'));
    const saved = await core.save(savingOf(place, path, 'let a = 1;\n'));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'off' } });
    expect(place.text(path)).toBe('let a = 1;\n');
  });
});

describe('a save of a file that is not as it was opened', () => {
  it.each(['off', 'on'])('is a conflict, and nothing is written (setting %s)', async (setting) => {
    const place = createPlace();
    place.setting(setting === 'on');
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const late = savingOf(place, 'a.md', 'mine\n');
    place.write('a.md', 'theirs\n');
    const before = place.tree();
    expect(await core.save(late)).toEqual({ kind: 'conflict', bytes: Buffer.from('theirs\n') });
    expect(place.tree()).toEqual(before);
  });

  it('is a conflict where it was deleted, or came to be, meanwhile', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    place.write('a.md', 'one\n');
    const late = savingOf(place, 'a.md', 'mine\n');
    place.remove('a.md');
    const early = savingOf(place, 'b.md', 'mine\n');
    place.write('b.md', 'theirs\n');
    expect(await core.save(late)).toEqual({ kind: 'conflict', bytes: null });
    expect(await core.save(early)).toEqual({ kind: 'conflict', bytes: Buffer.from('theirs\n') });
    expect([...place.tree().keys()]).toEqual(['b.md']);
  });

  it('is a conflict up to the moment at which the file is replaced', async () => {
    const place = createTrackingPlace();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const request = savingOf(place, 'a.md', place.text('a.md').replace('one', 'mine'));
    const theirs = place.text('a.md').replace('one', 'theirs');
    let isDone = false;
    faulty.before(
      ({ name, path }) => !isDone && name === 'openSync' && path.endsWith('.stemma-tmp'),
      () => {
        isDone = true;
        place.write('a.md', theirs);
      },
    );
    expect(await core.save(request)).toEqual({ kind: 'conflict', bytes: Buffer.from(theirs) });
    expect(isDone).toBe(true);
    expect(place.text('a.md')).toBe(theirs);
    expect(entriesOf(place, 'transformation')).toHaveLength(1);
    await core.scan();
    expect(entriesOf(place, 'transformation').map(({ body }) => body.intent.kind)).toEqual(['editor-save', 'observed-external-edit']);
    expect(leftovers(place)).toEqual([]);
  });
});

describe('the temporary file of a save', () => {
  const story = async (spoil: (place: Place) => void = () => {}) => {
    const place = createTrackingPlace();
    await (await place.open()).save(savingOf(place, 'a.md', 'one\n'));
    spoil(place);
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    faulty.plan(null);
    const next = place.text('a.md').replace('one', 'two');
    expect(await core.save(savingOf(place, 'a.md', next))).toMatchObject({ kind: 'saved' });
    expect(place.text('a.md')).toBe(next);
    const opened = faulty.calls.filter(({ name, path }) => name === 'openSync' && path.endsWith('.stemma-tmp')).map(({ path }) => path);
    return { place, opened: opened.map((path) => path.slice(place.folder.length + 1).replace(/[0-9a-f]{12}/u, '*')) };
  };

  it('stands where git does not look: a git that adds everything meanwhile never finds it gone', async () => {
    const { place, opened } = await story();
    expect(opened).toEqual(['.vmark/snapshots/tmp/*.stemma-tmp']);
    expect([...place.tree().keys()].filter((path) => path.endsWith('.stemma-tmp'))).toEqual([]);
  });

  it('of a new document, of its picture and of a context stands there too, and without a ledger in the app data', async () => {
    const place = createTrackingPlace();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    const shown = (path: string) =>
      path
        .replace(`${place.home}/`, '~/')
        .replace(`${place.folder}/`, '')
        .replace(/[0-9a-f]{12}/u, '*');
    const opened = async (work: () => unknown) => {
      faulty.plan(null);
      await work();
      return faulty.calls.filter(({ name, path }) => name === 'openSync' && path.endsWith('.stemma-tmp')).map(({ path }) => shown(path));
    };
    const staged = '.vmark/snapshots/tmp/*.stemma-tmp';
    place.setting(false);
    expect(await opened(() => core.save(savingOf(place, 'plain.md', 'plain\n')))).toEqual(['~/tmp/*.stemma-tmp']);
    expect(readdirSync(join(place.home, 'tmp'))).toEqual([]);
    place.setting(true);
    mkdirSync(join(place.folder, 'new'));
    expect(await opened(() => core.save(savingOf(place, 'new/a.md', 'one\n')))).toEqual([staged]);
    expect(await opened(() => core.putAsset({ path: 'new/a.md', folder: 'assets', name: 'b.png', bytes: Buffer.from('x') }))).toEqual([
      staged,
    ]);
    expect(await opened(() => core.makeContext({ name: 'draft', parent: null, branch: null }))).toEqual([staged]);
  });

  it('of a new document stands beside it where its folder gives another group or other rights', async (context) => {
    context.skip(process.platform !== 'linux', 'other systems give the group of the folder always');
    const place = createTrackingPlace();
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk });
    await core.save(savingOf(place, 'a.md', 'one\n'));
    mkdirSync(join(place.folder, 'shared'));
    chmodSync(join(place.folder, 'shared'), 0o2775);
    faulty.plan(null);
    await core.save(savingOf(place, 'shared/b.md', 'one\n'));
    const opened = faulty.calls.filter(({ name, path }) => name === 'openSync' && path.endsWith('.stemma-tmp'));
    expect(opened.map(({ path }) => path.slice(place.folder.length + 1).replace(/[0-9a-f]{12}/u, '*'))).toEqual([
      'shared/.b.md.*.stemma-tmp',
    ]);
  });

  it('that a crash left is taken away by a scan after an hour, and in the app data when a window opens', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const left = ['.vmark/snapshots/tmp/left.stemma-tmp', '.vmark/snapshots/tmp/left', '.vmark/snapshots/tmp/young'];
    for (const path of left) place.write(path, 'x');
    mkdirSync(join(place.home, 'tmp'));
    const home = join(place.home, 'tmp/left.stemma-tmp');
    writeFileSync(home, 'x');
    const before = new Date(Date.now() - 2 * 3_600_000);
    for (const path of [...left.slice(0, 2).map((one) => join(place.folder, one)), home]) utimesSync(path, before, before);
    await core.scan();
    expect(readdirSync(join(place.folder, '.vmark/snapshots/tmp'))).toEqual(['young']);
    expect(existsSync(home)).toBe(true);
    await openCore({ folder: place.folder, env: environment(place.home) });
    expect(existsSync(home)).toBe(false);
  });

  it('stands elsewhere where that place leads elsewhere', async () => {
    const elsewhere = createFolder();
    const { place, opened } = await story((some) => {
      const folder = join(some.folder, '.vmark/snapshots/tmp');
      renameSync(folder, join(some.folder, '.vmark/snapshots/before'));
      symlinkSync(elsewhere, folder);
    });
    expect(opened).toHaveLength(1);
    expect(opened[0]).not.toContain('snapshots');
    expect(readdirSync(elsewhere).filter((name) => name.endsWith('.stemma-tmp'))).toEqual([]);
    expect([...place.tree().keys()].filter((path) => path.endsWith('.stemma-tmp'))).toEqual([]);
  });

  it.each(['EXDEV', 'EACCES', 'EROFS'])('stands in another place after all where the rename says %s', async (code) => {
    const place = createTrackingPlace();
    await (await place.open()).save(savingOf(place, 'a.md', 'one\n'));
    const disk: Disk = {
      ...realDisk,
      renameSync(from, to) {
        if (String(from).includes('/snapshots/tmp/') && String(to).endsWith('a.md')) throw Object.assign(new Error(code), { code });
        realDisk.renameSync(from, to);
      },
    };
    const next = place.text('a.md').replace('one', 'two');
    const saved = await (await place.open({ disk })).save(savingOf(place, 'a.md', next));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    expect(place.text('a.md')).toBe(next);
    expect([...place.tree().keys()].filter((path) => path.endsWith('.stemma-tmp'))).toEqual([]);
  });
});

describe('what is recorded of a save', () => {
  it('is one entry that follows the version before, and its text is in the store', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const saved = await core.save(savingOf(place, 'a.md', place.text('a.md').replace('one', 'two')));
    const [first, second] = entriesOf(place, 'transformation');
    expect(second!.body.outputs[0]!.parents).toEqual([first!.body.outputs[0]!.revision]);
    expect(saved).toMatchObject({
      base: bytesHash(place.read('a.md')),
      recorded: { entry: second!.id, revision: second!.body.outputs[0]!.revision },
    });
    expect((await core.show('a.md', 'v2')).text).toBe('two\n');
    expect((await core.scan()).unchanged).toBe(1);
    expect(countKinds(place)).toEqual({ 'object-registered': 1, transformation: 2 });
  });

  it('is nothing where nothing changed, and an event where inputs are declared', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'source.md', 'source\n'));
    const saved = await core.save(savingOf(place, 'a.md', 'one\n'));
    expect(await core.save(savingOf(place, 'a.md', place.text('a.md')))).toMatchObject({ recorded: { kind: 'recorded', entry: null } });
    expect(entriesOf(place, 'transformation')).toHaveLength(2);
    const again = await core.save(savingFrom(place, 'a.md', place.text('a.md'), [await inputOf(core, 'source.md')]));
    expect(again).not.toMatchObject({ recorded: { entry: null } });
    expect(again).not.toMatchObject({
      recorded: { revision: saved.kind === 'saved' && saved.recorded.kind === 'recorded' && saved.recorded.revision },
    });
    expect(entriesOf(place, 'transformation')).toHaveLength(3);
  });

  it('is one entry, however often it is tried with the same idem', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const retried = savingOf(place, 'a.md', place.text('a.md').replace('one', 'two'), { idem: crypto.randomUUID() as Uuid });
    const first = await core.save(retried);
    const again = await core.save(retried);
    expect(again).toEqual(first);
    expect(entriesOf(place, 'transformation')).toHaveLength(2);
    expect((await core.logFile('a.md')).heads).toHaveLength(1);
  });

  it('rests on the outside edit that it was made over, whoever saw it', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    place.write('a.md', place.text('a.md').replace('one', 'theirs'));
    await core.save(savingOf(place, 'a.md', place.text('a.md').replace('theirs', 'theirs and mine')));
    const [first, theirs, mine] = entriesOf(place, 'transformation');
    expect(theirs!.body).toMatchObject({ agent: { type: 'external' }, outputs: [{ parents: [first!.body.outputs[0]!.revision] }] });
    expect(mine!.body).toMatchObject({ agent: { type: 'human' }, outputs: [{ parents: [theirs!.body.outputs[0]!.revision] }] });
  });

  it('is refused for an id that stands in two files, while the file is saved, and goes on when one remains', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    place.write('copy.md', place.text('a.md'));
    await core.scan();
    const text = place.text('a.md').replace('one', 'two');
    expect(await core.save(savingOf(place, 'a.md', text))).toMatchObject({
      kind: 'saved',
      recorded: { kind: 'failed', code: 'held-duplicate', message: expect.stringMatching(/a\.md.*copy\.md.*\.$/u) },
    });
    expect(place.text('a.md')).toBe(text);
    expect(entriesOf(place, 'transformation')).toHaveLength(1);
    place.remove('copy.md');
    expect(await core.save(savingOf(place, 'a.md', text.replace('two', 'three')))).toMatchObject({ recorded: { kind: 'recorded' } });
  });

  it('is refused for a copy that no scan has seen yet', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    place.write('copy.md', place.text('a.md'));
    const saved = await core.save(savingOf(place, 'copy.md', place.text('a.md').replace('one', 'two')));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'failed', code: 'held-duplicate' } });
    expect((await core.logFile('a.md')).path).toBe('a.md');
  });

  describe('by a program that has not looked yet, of a document whose id is in two files', () => {
    /** `a.md` and what has its id, too; `apart` shares only the ledger with the program that has scanned. */
    const begin = async () => {
      const place = createTrackingPlace();
      const core = await place.open();
      await core.save(savingOf(place, 'a.md', 'one\n'));
      const apart = createFolder('home');
      writeFileSync(join(apart, 'settings.json'), readFileSync(join(place.home, 'settings.json')));
      return { place, core, apart };
    };
    const expectRefused = async (place: Place, program: Core, path: string, other: string) => {
      const before = place.segments();
      const text = place.text(path).replace('one', 'two');
      expect(await program.save(savingOf(place, path, text))).toMatchObject({
        kind: 'saved',
        recorded: { kind: 'failed', code: 'held-duplicate', detail: { path, other } },
      });
      expect([place.segments(), place.text(path)]).toEqual([before, text]);
      place.remove(other);
      expect(await program.save(savingOf(place, path, text.replace('two', 'three')))).toMatchObject({ recorded: { kind: 'recorded' } });
    };

    it('is refused where another program of the worktree has found them', async () => {
      const { place, core } = await begin();
      place.write('copy.md', place.text('a.md'));
      await core.scan();
      expect(entriesOf(place, 'diagnostic')).toEqual([]);
      await expectRefused(place, await place.open(), 'a.md', 'copy.md');
    });

    it('is refused where the ledger notes the copy', async () => {
      const { place, core, apart } = await begin();
      place.write('copy.md', place.text('a.md'));
      place.write('new.md', stamped(namedUuid('new'), 'new\n'));
      await core.scan();
      expect(entriesOf(place, 'diagnostic').map(({ body }) => body.path)).toEqual(['copy.md']);
      await expectRefused(place, await place.open({ home: apart }), 'a.md', 'copy.md');
    });

    it('is refused where the other stands at a path that the document had', async () => {
      const { place, core, apart } = await begin();
      renameSync(join(place.folder, 'a.md'), join(place.folder, 'b.md'));
      await core.scan();
      place.write('a.md', place.text('b.md'));
      await expectRefused(place, await place.open({ home: apart }), 'b.md', 'a.md');
    });

    it('is not refused where a disk tells no spellings apart and there is one file', async () => {
      const { place, core } = await begin();
      renameSync(join(place.folder, 'a.md'), join(place.folder, 'A.md'));
      const folded = (path: unknown) => (typeof path === 'string' ? path.replace(/\ba\.md$/u, 'A.md') : path);
      const disk = Object.fromEntries(
        Object.entries(realDisk).map(([name, call]) => [
          name,
          typeof call === 'function'
            ? (path: unknown, ...rest: unknown[]) => (call as (...all: unknown[]) => unknown)(folded(path), ...rest)
            : call,
        ]),
      ) as unknown as Disk;
      await core.close();
      const program = await place.open({ disk });
      const saved = await program.save(savingOf(place, 'A.md', place.text('A.md').replace('one', 'two')));
      expect(saved).toMatchObject({ recorded: { kind: 'recorded' } });
      expect((await program.logFile('A.md')).revisions).toHaveLength(2);
    });
  });

  it('may be about a path in a new folder of the writer, never about one outside or in .git and .vmark', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    for (const path of ['../x.md', '.vmark/x.md', '.git/x.md', 'a\nb.md', '']) {
      await expect(core.save(savingOf(place, path, 'text\n', { base: null })), path).rejects.toMatchObject({ name: 'Fault' });
    }
    expect([...place.tree().keys()]).toEqual([]);
    expect(existsSync(join(place.folder, '../x.md'))).toBe(false);
    const outside = createFolder('outside');
    symlinkSync(outside, join(place.folder, 'out'));
    await expect(core.save(savingOf(place, 'out/x.md', 'text\n', { base: null }))).rejects.toMatchObject({ code: 'outside-workspace' });
    expect(readdirSync(outside)).toEqual([]);
  });

  it('is said to have failed where the settings cannot be read, and the file is saved', async () => {
    const place = createPlace();
    place.setting(true);
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    place.write('b.md', 'one\n');
    const broken = createPlace(place.home);
    broken.write('settings.json', '{ not json');
    const saved = await core.save(savingOf(place, 'b.md', 'two\n'));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'failed', code: 'settings-unreadable' } });
    expect(place.text('b.md')).toBe('two\n');
  });
});
