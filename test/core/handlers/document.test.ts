import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesHash } from '#core/workspace/save';
import { opened, openFace, saved } from '../../helpers/face.ts';
import { createFolder, createPlace, createTrackingPlace, entriesOf, stamped } from '../../helpers/workspace.ts';

const newIdem = () => crypto.randomUUID();

/** Texts with every kind of line break, a BOM at times, characters beyond the first plane, no final newline at times. */
const anyText = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.constantFrom('\r\n', '\n', '\r', '\u2028', '\uFEFF', '😀', '\t')), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));

describe('opening and saving', () => {
  it('gives back every text byte for byte, and saves it so', async () => {
    const place = createPlace();
    const { call } = await openFace(place);
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (before, after) => {
        place.write('a.md', before);
        const document = await opened(call, 'a.md');
        expect(document).toMatchObject({ text: before, base: bytesHash(place.read('a.md')) });
        const answer = await call('document/save', { path: 'a.md', text: after, base: document.base, idem: newIdem() });
        expect(answer).toMatchObject({ kind: 'saved', text: after, base: bytesHash(Buffer.from(after)), recorded: { kind: 'off' } });
        expect(place.read('a.md').equals(Buffer.from(after))).toBe(true);
      }),
      { numRuns: 50 },
    );
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });

  it('answers a conflict with what is there, and writes nothing over it', async () => {
    const place = createPlace();
    const { call } = await openFace(place);
    place.write('a.md', 'one\n');
    const { base } = await opened(call, 'a.md');
    place.write('a.md', 'theirs\n');
    const answer = await call('document/save', { path: 'a.md', text: 'mine\n', base, idem: newIdem() });
    expect(answer).toEqual({ kind: 'conflict', content: null, text: 'theirs\n', base: bytesHash(Buffer.from('theirs\n')) });
    expect(place.text('a.md')).toBe('theirs\n');
    place.remove('a.md');
    expect(await call('document/save', { path: 'a.md', text: 'mine\n', base, idem: newIdem() })).toEqual({
      kind: 'conflict',
      text: null,
      base: null,
      content: null,
    });
  });

  it('takes a text that is on disk already for saved, whoever wrote it', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    place.write('a.md', 'one\n');
    await saved(call, 'a.md', 'two\n');
    const { base, text } = await opened(call, 'a.md');
    const next = text.replace('two', 'three');
    place.write('a.md', next);
    const answer = await call('document/save', { path: 'a.md', text: next, base, idem: newIdem() });
    expect(answer).toMatchObject({ kind: 'saved', text: next, recorded: { kind: 'unchanged' } });
  });

  it.each([
    ['tracked', createTrackingPlace],
    ['not tracked', createPlace],
  ])('a save repeated with its idem is one save where the document is %s', async (_, create) => {
    const place = create();
    const { call } = await openFace(place);
    place.write('a.md', 'one\n');
    const { base } = await opened(call, 'a.md');
    const request = { path: 'a.md', text: 'two\n', base, idem: newIdem() };
    const first = await call('document/save', request);
    const entries = place.entries().length;
    expect(await call('document/save', request)).toEqual(first);
    expect(place.entries()).toHaveLength(entries);
  });

  it('says how a document is tracked: by its id, by its path and why, or not', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    place.write('a.md', 'one\n');
    place.write('bom.md', '\uFEFFone\n');
    expect((await opened(call, 'a.md')).tracking).toEqual({ by: null, reason: null });
    const stampedSave = await saved(call, 'a.md', 'two\n');
    expect(stampedSave).toMatchObject({ recorded: { kind: 'recorded' }, tracking: { by: 'id', reason: null } });
    expect(stampedSave.text).toMatch(/^---\nvmark:\n {2}id: .+\n---\ntwo\n$/u);
    expect((await saved(call, 'bom.md', '\uFEFFtwo\n')).tracking).toEqual({ by: 'path', reason: 'bom' });
    expect((await opened(call, 'bom.md')).tracking).toEqual({ by: 'path', reason: 'bom' });
  });

  it('saves the file and says so where the ledger cannot take it', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    place.write('a.md', 'one\n');
    await saved(call, 'a.md', 'two\n');
    const id = /id: (\S+)/u.exec(place.text('a.md'))![1]!;
    place.write('copy.md', stamped(id, 'a copy\n'));
    const answer = await saved(call, 'copy.md', stamped(id, 'a copy, edited\n'));
    expect(answer.recorded).toMatchObject({ kind: 'failed', code: 'held-duplicate' });
    expect(place.text('copy.md')).toContain('edited');
  });

  it('opens, and says what became of a save, where settings or ledger cannot be read', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    place.write('a.md', 'one\n');
    await saved(call, 'a.md', 'two\n');
    writeFileSync(join(place.home, 'settings.json'), '{');
    expect(await call('workspace/info', {})).toMatchObject({ setting: 'off', initialized: true });
    expect(await saved(call, 'a.md', 'three\n')).toMatchObject({ recorded: { kind: 'failed', code: 'settings-unreadable' } });
    expect(await opened(call, 'a.md')).toMatchObject({ text: 'three\n', tracking: { by: null } });
  });

  it('says of bytes that are no text how many they are, and of a large file that it is', async () => {
    const place = createPlace();
    const { call } = await openFace(place);
    place.write('a.md', Buffer.from([0xff, 0, 0x41]));
    expect(await call('document/open', { path: 'a.md' })).toEqual({ kind: 'not-text', bytes: 3 });
    place.write('large.md', '');
    truncateSync(join(place.folder, 'large.md'), 64 * 1024 * 1024 + 1);
    await expect(call('document/open', { path: 'large.md' })).rejects.toMatchObject({ code: 'file-too-large' });
  });

  it.each([
    ['a folder', (folder: string) => mkdirSync(join(folder, 'x.md')), 'is-a-folder'],
    ['nothing', () => {}, 'file-missing'],
    ['a pipe', (folder: string) => execFileSync('mkfifo', [join(folder, 'x.md')]), 'file-unreadable'],
    ['a link in a circle', (folder: string) => symlinkSync('x.md', join(folder, 'x.md')), 'link-loop'],
  ])('does not wait for what is no file: %s', async (_, make, code) => {
    const place = createPlace();
    make(place.folder);
    const { call } = await openFace(place);
    await expect(call('document/open', { path: 'x.md' })).rejects.toMatchObject({ code });
  });

  it('opens and saves through a link, which stays one and is not tracked', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    const elsewhere = join(createFolder('elsewhere'), 'real.md');
    writeFileSync(elsewhere, 'one\n');
    symlinkSync(elsewhere, join(place.folder, 'link.md'));
    const answer = await saved(call, 'link.md', 'two\n');
    expect(answer).toMatchObject({ text: 'two\n', recorded: { kind: 'off' }, tracking: { by: null } });
    expect(place.text('link.md')).toBe('two\n');
    expect(place.entries()).toEqual([]);
  });
});

describe('paths', () => {
  const hostile = ['../out.md', 'a/../../out.md', '.git/config', '.vmark/ledger/x.jsonl', 'sub/.GIT/x.md', 'nul\0.md', 'line\n.md', '.'];

  it.each(hostile)('refuses to open, save or make %j', async (path) => {
    const place = createPlace();
    const { call } = await openFace(place);
    const before = place.tree();
    const refused = { code: expect.stringMatching(/^(outside-workspace|path-invalid)$/u) };
    await expect(call('document/open', { path })).rejects.toMatchObject(refused);
    await expect(call('document/save', { path, text: 'x', base: null, idem: newIdem() })).rejects.toMatchObject(refused);
    await expect(call('document/create', { path, text: 'x' })).rejects.toMatchObject(refused);
    await expect(call('coherence/document', { path })).rejects.toMatchObject(refused);
    expect(place.tree()).toEqual(before);
  });

  it('refuses a way out through a folder that is a link', async () => {
    const place = createPlace();
    const outside = createFolder('outside');
    writeFileSync(join(outside, 'secret.md'), 'secret\n');
    symlinkSync(outside, join(place.folder, 'way'));
    const { call } = await openFace(place);
    await expect(call('document/open', { path: 'way/secret.md' })).rejects.toMatchObject({ code: 'outside-workspace' });
    await expect(call('document/create', { path: 'way/new.md', text: '' })).rejects.toMatchObject({ code: 'outside-workspace' });
  });

  it('start at the workspace, wherever the program was started', async () => {
    const place = createTrackingPlace();
    place.write('a.md', 'one\n');
    place.write('sub/b.md', 'one\n');
    const { call } = await openFace(place);
    await saved(call, 'a.md', 'two\n');
    const inner = await openFace({ ...place, open: () => createPlace(join(place.folder, 'sub'), place.home).open() });
    expect((await opened(inner.call, 'sub/b.md')).text).toBe('one\n');
  });
});

describe('a new file', () => {
  it('is made with its folders, recorded as new, and stamped where that is on', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    const made = await call('document/create', { path: 'part/one/a.md', text: '# A\n' });
    expect(made).toMatchObject({ kind: 'text', tracking: { by: 'id' }, base: bytesHash(place.read('part/one/a.md')) });
    expect(entriesOf(place, 'transformation').map(({ body }) => body.intent.kind)).toEqual(['explorer-new-file']);
  });

  it.each([
    ['a file', (folder: string) => writeFileSync(join(folder, 'a.md'), 'theirs')],
    ['a folder', (folder: string) => mkdirSync(join(folder, 'a.md'))],
    ['a link that leads nowhere', (folder: string) => symlinkSync('/nowhere/at/all', join(folder, 'a.md'))],
  ])('is not made over %s', async (_, make) => {
    const place = createPlace();
    make(place.folder);
    const before = place.tree();
    const { call } = await openFace(place);
    await expect(call('document/create', { path: 'a.md', text: 'mine' })).rejects.toMatchObject({ code: 'already-exists' });
    expect(place.tree()).toEqual(before);
  });

  it('asked for many times at once is made once', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}\n`);
    const made = await Promise.allSettled(texts.map((text) => call('document/create', { path: 'a.md', text })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(entriesOf(place, 'transformation')).toHaveLength(1);
  });
});

describe('the files of a workspace', () => {
  it('are those that git would not ignore, documents marked, by path', async () => {
    const place = createPlace();
    for (const path of [
      'b.md',
      'a/z.txt',
      'a/y.MD',
      '.hidden',
      'out/x.md',
      'keep/out.log',
      'a/x.log',
      'node_modules/p/q.md',
      '.git/config',
      'inner/.vmark/x',
    ])
      place.write(path, '');
    place.write('inner/c.md', '');
    place.write('.gitignore', 'out/\n*.log\n');
    place.write('keep/.gitignore', '!out.log\n');
    place.write('.a.md.123.stemma-tmp', '');
    symlinkSync('b.md', join(place.folder, 'link.md'));
    symlinkSync('a', join(place.folder, 'folder-link'));
    symlinkSync('nowhere', join(place.folder, 'dead.md'));
    const { call } = await openFace(place);
    const { files } = await call('workspace/files', {});
    expect(files.map(({ path, document }) => (document ? `${path} *` : path))).toEqual([
      '.gitignore',
      '.hidden',
      'a/y.MD *',
      'a/z.txt',
      'b.md *',
      'keep/.gitignore',
      'keep/out.log',
      'link.md *',
    ]);
  });

  it('change under its page: it is told which', async () => {
    const place = createPlace();
    const { call, on } = await openFace(place);
    const told = new Promise<readonly string[]>((resolve) => on('files-changed', ({ paths }) => resolve(paths)));
    // The first change may come before the folder is watched.
    const writing = setInterval(() => place.write('sub/a.md', String(Math.random())), 50);
    try {
      expect((await told).join()).toMatch(/^(sub|sub\/a\.md|sub,sub\/a\.md)$/u);
    } finally {
      clearInterval(writing);
    }
    expect((await opened(call, 'sub/a.md')).kind).toBe('text');
  });
});

describe('the workspace', () => {
  it('says what it is, and turns provenance on and off in the app data alone', async () => {
    const place = createPlace();
    const { call } = await openFace(place);
    const info = {
      name: place.folder.split('/').at(-1),
      root: place.folder,
      initialized: false,
      shared: false,
      branch: null,
    };
    expect(await call('workspace/info', {})).toEqual({ ...info, unwatched: null, setting: 'off' });
    expect(await call('workspace/set-provenance', { on: true })).toEqual({ ...info, setting: 'on' });
    expect(await call('workspace/set-provenance', { on: false })).toEqual({ ...info, setting: 'off' });
    expect(place.tree().size).toBe(0);
  });
});
