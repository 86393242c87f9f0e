import {
  accessSync,
  constants,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHost } from '#core/handlers/host';
import { type Disk, realDisk } from '#core/storage/disk';
import { transact } from '#renderer/editor/buffer.ts';
import { breakName, join, lineBreaksOf } from '#renderer/editor/line-breaks.ts';
import { addProperty, propertiesOf, setText } from '#renderer/editor/live/front-property.ts';
import { createAutosave } from '#renderer/ui/autosave.ts';
import { createPlace, type Place } from '../../helpers/workspace.ts';
import { hostOf, openWindow, tell, typeInto } from './core-desk.ts';

/** A folder that can be written on another disk than the one where tests work; null: there is none. */
const otherDisk = ['/dev/shm', '/tmp', '/var/tmp'].find((folder) => isOther(folder)) ?? null;

function isOther(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).dev !== statSync(tmpdir()).dev;
  } catch {
    return false;
  }
}

/** A folder with documents, a core on it, and a window with the first of them open. */
async function deskOn(files: Readonly<Record<string, string>>, place: Place = createPlace()) {
  for (const [path, text] of Object.entries(files)) place.write(path, text);
  const host = await hostOf(place);
  const desk = openWindow(host);
  const [path] = Object.keys(files) as [string];
  await desk.documents.open(path);
  const tab = (of = path) => desk.documents.tabs.getState().tabs.find((one) => one.path === of);
  return {
    place,
    host,
    desk,
    path,
    tab,
    text: (of = path) => join(desk.documents.bufferOf(of)!.state),
    told: (...paths: string[]) => tell(host, ...paths),
  };
}

describe('a report about changes outside', () => {
  it('FR-025, FR-159: what an agent appends under a typed letter is neither written over nor lost, by a save or by itself', async () => {
    const { place, desk, path, tab, told } = await deskOn({ 'a.md': '# A\n' });
    typeInto(desk, path, 4, 'x');
    place.write(path, '# A\n\n## By an agent\n');
    expect(await desk.documents.save(path, { auto: true })).toBe('conflict');
    await told(path);
    expect(tab()?.outside).toBe('changed');
    expect(await desk.documents.save(path)).toBe('undecided');
    expect(place.text(path)).toBe('# A\n\n## By an agent\n');
  });

  it('FR-028, FR-150: another time with the same content asks nothing, and writes nothing', async () => {
    const { place, desk, path, tab, told } = await deskOn({ 'a.md': '# A\n' });
    typeInto(desk, path, 4, 'x');
    await desk.documents.save(path);
    typeInto(desk, path, 4, 'y');
    utimesSync(joinPath(place.folder, path), 1, 1);
    await told(path);
    expect([tab()?.outside, desk.heard.filter((one) => !one.startsWith('saved'))]).toEqual([null, []]);
    await desk.documents.save(path);
    const { mtimeMs } = statSync(joinPath(place.folder, path));
    expect(await desk.documents.save(path)).toBe('clean');
    expect(statSync(joinPath(place.folder, path)).mtimeMs).toBe(mtimeMs);
  });

  it('FR-152: a file that a sync client takes away and brings back late is asked about only where it is another one then', async () => {
    const { place, desk, path, tab, text, told } = await deskOn({ 'a.md': '# A\n\nold\n' });
    for (const isTyped of [false, true]) {
      if (isTyped) typeInto(desk, path, 5, 'mine ');
      const [before, mine] = [place.text(path), text()];
      for (const placeholder of ['', null, before.slice(0, 3)]) {
        if (placeholder === null) place.remove(path);
        else place.write(path, placeholder);
        await told(path);
        await vi.waitFor(() => expect(isTyped || placeholder === null ? tab()?.outside !== null : text() === placeholder).toBe(true));
        place.write(path, before);
        await told(path);
        await vi.waitFor(() => expect([text(), tab()?.outside, tab()?.isDirty]).toEqual([mine, null, isTyped]));
      }
    }
    expect(await desk.documents.save(path)).toBe('saved');
    expect(place.text(path)).toBe('# A\n\nmine old\n');
  });

  it('FR-031: two saves within a moment are no conflict, whatever times the disk keeps', async () => {
    const { place, desk, path } = await deskOn({ 'a.md': '# A\n' });
    typeInto(desk, path, 4, 'x');
    const first = desk.documents.save(path);
    // It is on its way by then.
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    typeInto(desk, path, 5, 'y');
    expect(await Promise.all([first, desk.documents.save(path)])).toEqual(['saved', 'saved']);
    expect(place.text(path)).toBe('# A\nxy');
  });

  it('FR-041, FR-042: a file that is replaced by a rename three times is seen three times, in the same tab', async () => {
    const { place, path, text, told, desk } = await deskOn({ 'a.md': 'one\n' });
    for (const next of ['two\n', 'three\n', 'four\n']) {
      writeFileSync(joinPath(place.folder, 'temporary'), next);
      renameSync(joinPath(place.folder, 'temporary'), joinPath(place.folder, path));
      await told(path);
      await vi.waitFor(() => expect(text()).toBe(next));
    }
    expect(desk.documents.tabs.getState().tabs).toHaveLength(1);
  });

  it('FR-156: a document that only one branch has is missing, and clean again by itself', async () => {
    const { place, path, tab, told } = await deskOn({ 'a.md': 'one\n' });
    place.remove(path);
    await told(path);
    await vi.waitFor(() => expect(tab()?.outside).toBe('removed'));
    place.write(path, 'one\n');
    await told(path);
    await vi.waitFor(() => expect(tab()).toMatchObject({ outside: null, isDirty: false }));
  });

  it('FR-029: a save that waited for long is compared with what it was made from when it arrives', async () => {
    const { place, desk, path } = await deskOn({ 'a.md': 'one\n' });
    const { base } = (await desk.call('document/open', { path })) as { base: string };
    place.write(path, 'outside\n');
    const late = await desk.call('document/save', { path, text: 'late\n', base, idem: crypto.randomUUID() });
    expect([late.kind, place.text(path)]).toEqual(['conflict', 'outside\n']);
  });
});

describe('a report about bytes', () => {
  it.each([
    ['FR-055: a byte order mark', '\ufeff# A\n\nword\n'],
    ['FR-059: mixed line breaks', '# A\r\n\nword\r\n'],
    ['FR-060: one newline at the end', '# A\n\nword\n'],
    ['FR-060: none', '# A\n\nword'],
  ])('%s stays when a word changes, outside and here', async (_, before) => {
    const { place, desk, path, tab, text, told } = await deskOn({ 'a.md': before });
    expect(tab()?.isDirty).toBe(false);
    place.write(path, before.replace('# A', '# B'));
    await told(path);
    await vi.waitFor(() => expect(text()).toBe(before.replace('# A', '# B')));
    typeInto(desk, path, 3, '!');
    await desk.documents.save(path);
    expect(place.text(path)).toBe(before.replace('# A', '# B!'));
  });

  it('FR-058: UTF-8 that is nearly ASCII is UTF-8', async () => {
    const { desk, path, text } = await deskOn({ 'a.md': `${'plain '.repeat(2000)}αβγδε\n` });
    expect(text()).toContain('αβγδε');
    const buffer = desk.documents.bufferOf(path)!;
    expect([buffer.encoding, buffer.readOnly, breakName(lineBreaksOf(buffer.state))]).toEqual(['utf-8', null, 'LF']);
  });

  it('FR-017: a write that fails once is tried again by itself while the writer types on, and the document can be saved as before', async () => {
    const place = createPlace();
    let isBusy = false;
    const disk: Disk = {
      ...realDisk,
      renameSync(from, to) {
        const isOurs = isBusy && String(to).endsWith('a.md');
        if (isOurs) isBusy = false;
        if (isOurs) throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY', syscall: 'rename' });
        realDisk.renameSync(from, to);
      },
    };
    place.write('a.md', 'one\n');
    const host = createHost(await place.open({ disk }), { follows: false });
    onTestFinished(() => host.close());
    const desk = openWindow(host);
    await desk.documents.open('a.md');
    const autosave = createAutosave(() => 'rest', {
      save: (buffer, how) => desk.documents.save(buffer.path, how),
      record: desk.documents.record,
    });
    desk.documents.onEdit(autosave.edited);
    isBusy = true;
    typeInto(desk, 'a.md', 3, ' two');
    await vi.waitFor(() => expect(desk.heard).toContain('failed a.md'), 10_000);
    expect([place.text('a.md'), desk.documents.tabs.getState().tabs[0]?.isDirty]).toEqual(['one\n', true]);
    await vi.waitFor(() => expect(place.text('a.md')).toBe('one two\n'), 10_000);
    typeInto(desk, 'a.md', 7, ' three');
    expect(await desk.documents.save('a.md')).toBe('saved');
    expect(place.text('a.md')).toBe('one two three\n');
  });

  it('FR-016: a document that cannot be read shows why, and its bytes are left alone', async () => {
    const { place, desk, tab } = await deskOn({ 'a.md': 'a\n' });
    place.write('b.md', Buffer.from([0, 1, 2, 255]));
    await desk.documents.open('b.md');
    expect(tab('b.md')?.content).toBe('not-text');
    expect(await desk.documents.save('b.md')).toBe('clean');
    expect(place.read('b.md').equals(Buffer.from([0, 1, 2, 255]))).toBe(true);
  });
});

describe('a report about frontmatter', () => {
  const front = '---\ntitle: The Ferry\ntags: [a, b]\ndone: false\n---\n';

  it('FR-047, FR-048: a word changed in the text, and one added at its end, change nothing in front', async () => {
    const { place, desk, path } = await deskOn({ 'a.md': `${front}The boat is old.\n` });
    typeInto(desk, path, front.length + 4, 'small ');
    await desk.documents.save(path);
    expect(place.text(path)).toBe(`${front}The small boat is old.\n`);
    typeInto(desk, path, Number.MAX_SAFE_INTEGER, 'End.');
    await desk.documents.save(path);
    expect(place.text(path)).toBe(`${front}The small boat is old.\nEnd.`);
  });

  it('FR-049: ten times opened, saved and closed, it is as long as it was', async () => {
    const { place, desk, path } = await deskOn({ 'a.md': `${front}\ntext\n` });
    for (let time = 0; time < 10; time++) {
      typeInto(desk, path, front.length, 'x');
      transact(desk.documents.bufferOf(path)!, { changes: { from: front.length, to: front.length + 1 } });
      await desk.documents.save(path);
      desk.documents.close(path);
      await desk.documents.open(path);
    }
    expect(place.text(path)).toBe(`${front}\ntext\n`);
  });

  it('FR-052: a property is set in an empty frontmatter, and in one with the line breaks of Windows', async () => {
    const { place, desk } = await deskOn({ 'empty.md': '---\n\n---\ntext\n', 'windows.md': '---\r\ntitle: A\r\n---\r\ntext\r\n' });
    await desk.documents.open('windows.md');
    for (const path of ['empty.md', 'windows.md']) {
      const buffer = desk.documents.bufferOf(path)!;
      transact(buffer, { changes: addProperty(buffer.state.doc, 'status')! });
      const property = propertiesOf(buffer.state.doc)!.find(({ key }) => key === 'status')!;
      if (property.value.kind === 'text') transact(buffer, { changes: setText(buffer.state.doc, property.value, 'draft') });
      await desk.documents.save(path);
    }
    expect(place.text('empty.md')).toBe('---\n\nstatus: draft\n---\ntext\n');
    expect(place.text('windows.md')).toBe('---\r\ntitle: A\r\nstatus: draft\r\n---\r\ntext\r\n');
  });
});

describe('a report about links and names', () => {
  it('FR-133: a save through a link leaves the link, and a hard link stays one', async () => {
    const place = createPlace();
    place.write('real.md', 'one\n');
    symlinkSync('real.md', joinPath(place.folder, 'link.md'));
    linkSync(joinPath(place.folder, 'real.md'), joinPath(place.folder, 'hard.md'));
    const { desk } = await deskOn({ 'other.md': '' }, place);
    await desk.documents.open('link.md');
    typeInto(desk, 'link.md', 3, '!');
    await desk.documents.save('link.md');
    expect(lstatSync(joinPath(place.folder, 'link.md')).isSymbolicLink()).toBe(true);
    expect([place.text('real.md'), place.text('hard.md')]).toEqual(['one!\n', 'one!\n']);
  });

  it.skipIf(otherDisk === null)('FR-136: a save through a link to another disk is made beside the real file', async () => {
    const far = mkdtempSync(joinPath(otherDisk!, 'stemma-far-'));
    onTestFinished(() => rmSync(far, { recursive: true }));
    const place = createPlace();
    const real = joinPath(far, 'real.md');
    writeFileSync(real, 'one\n');
    symlinkSync(real, joinPath(place.folder, 'link.md'));
    expect(statSync(far).dev).not.toBe(statSync(place.folder).dev);
    const { desk } = await deskOn({ 'other.md': '' }, place);
    await desk.documents.open('link.md');
    typeInto(desk, 'link.md', 3, '!');
    expect(await desk.documents.save('link.md')).toBe('saved');
    expect([readFileSync(real, 'utf8'), readdirSync(far), lstatSync(joinPath(place.folder, 'link.md')).isSymbolicLink()]).toEqual([
      'one!\n',
      ['real.md'],
      true,
    ]);
  });

  it('FR-128: a document that is thrown away stays away, though its text was typed into', async () => {
    const { place, desk, path, tab, told } = await deskOn({ 'a.md': 'one\n' });
    typeInto(desk, path, 3, '!');
    place.remove(path);
    await told(path);
    await vi.waitFor(() => expect(tab()?.outside).toBe('removed'));
    expect(place.tree().has(path)).toBe(false);
  });

  it('FR-143, FR-007: a move by letter case, and one with unsaved text, keeps the tab and what was typed', async () => {
    const { place, desk, path, text } = await deskOn({ 'note.md': 'one\n' });
    typeInto(desk, path, 3, '!');
    await desk.call('files/move', { moves: [{ from: 'note.md', to: 'Note.md' }], links: [] });
    await vi.waitFor(() => expect(desk.documents.bufferOf('Note.md')).toBeDefined());
    await desk.call('files/move', { moves: [{ from: 'Note.md', to: 'deep/Note.md' }], links: [] });
    await vi.waitFor(() => expect(text('deep/Note.md')).toBe('one!\n'));
    expect([...place.tree().keys()].filter((name) => !name.endsWith('/'))).toEqual(['deep/Note.md']);
    expect(desk.documents.tabs.getState().tabs.map((tab) => [tab.path, tab.isDirty])).toEqual([['deep/Note.md', true]]);
  });

  it('FR-145: a new document never takes the name of one that is there', async () => {
    const { place, desk } = await deskOn({ 'untitled.md': 'one\n' });
    await expect(desk.documents.create('untitled.md')).rejects.toMatchObject({ code: 'already-exists' });
    expect(place.text('untitled.md')).toBe('one\n');
  });
});
