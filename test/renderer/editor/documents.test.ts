import { redo, undo } from '@codemirror/commands';
import { EditorSelection } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { Fault } from '#protocol/fault';
import { type Buffer, take, transact } from '#renderer/editor/buffer.ts';
import { createDocuments } from '#renderer/editor/documents.ts';
import { join } from '#renderer/editor/line-breaks.ts';
import { createMemoryWire, settled } from './memory-wire.ts';

function openDesk(files: Record<string, string>) {
  const memory = createMemoryWire(files);
  let id = 0;
  const heard: string[] = [];
  const documents = createDocuments({
    wire: memory.wire,
    newId: () => `00000000-0000-4000-8000-${String(++id).padStart(12, '0')}`,
    now: () => 1_700_000_000_000,
    say: (key) => key,
    follow: () => {},
    announce: (what, path) => heard.push(`${what} ${path}`),
  });
  const buffer = (path: string): Buffer => documents.bufferOf(path)!;
  const dispatch = (path: string) => (transaction: Parameters<typeof take>[1]) => {
    take(buffer(path), transaction);
    documents.edited(buffer(path), true);
  };
  return {
    ...memory,
    documents,
    heard,
    buffer,
    tab: (path: string) => documents.tabs.getState().tabs.find((tab) => tab.path === path),
    text: (path: string) => join(buffer(path).state),
    type(path: string, at: number, insert: string): void {
      const changes = { from: at, insert };
      dispatch(path)(buffer(path).state.update({ changes, selection: EditorSelection.cursor(at + insert.length), userEvent: 'input' }));
    },
    undo: (path: string) => undo({ state: buffer(path).state, dispatch: dispatch(path) }),
    redo: (path: string) => redo({ state: buffer(path).state, dispatch: dispatch(path) }),
  };
}

describe('tabs', () => {
  it('have one buffer for a document, whatever opens it', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md', { preview: true });
    const first = desk.buffer('a.md');
    await desk.documents.open('a.md');
    expect(desk.documents.tabs.getState().tabs).toHaveLength(1);
    expect(desk.buffer('a.md')).toBe(first);
    expect(desk.tab('a.md')).toMatchObject({ isPreview: false, content: 'text' });
  });

  it('of a very long document ask first, once', async () => {
    const desk = openDesk({ 'a.md': 'x'.repeat(5_000_001), 'b.md': 'b' });
    await desk.documents.open('a.md');
    expect(desk.tab('a.md')).toMatchObject({ content: { long: 5_000_001 } });
    expect(desk.documents.bufferOf('a.md')).toBeUndefined();
    await desk.documents.openLong('a.md');
    expect(desk.tab('a.md')).toMatchObject({ content: 'text', isDirty: false });
    desk.documents.close('a.md');
    await desk.documents.open('a.md');
    expect(desk.tab('a.md')).toMatchObject({ content: 'text' });
  });

  it('that are only looked at give their place to the next', async () => {
    const desk = openDesk({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
    await desk.documents.open('a.md');
    await desk.documents.open('b.md', { preview: true });
    await desk.documents.open('c.md', { preview: true });
    expect(desk.documents.tabs.getState().tabs.map(({ path }) => path)).toEqual(['a.md', 'c.md']);
    await desk.documents.open('b.md');
    expect(desk.documents.tabs.getState().tabs.map(({ path }) => path)).toEqual(['a.md', 'c.md', 'b.md']);
  });

  it('stay once something was typed', async () => {
    const desk = openDesk({ 'a.md': 'a', 'b.md': 'b' });
    await desk.documents.open('a.md', { preview: true });
    desk.type('a.md', 1, '!');
    expect(desk.tab('a.md')).toMatchObject({ isPreview: false, isDirty: true });
    await desk.documents.open('b.md', { preview: true });
    expect(desk.documents.tabs.getState().tabs.map(({ path }) => path)).toEqual(['a.md', 'b.md']);
  });

  it('are dirty only while they differ from the disk', async () => {
    const desk = openDesk({ 'a.md': 'a\r\nb\n' });
    await desk.documents.open('a.md');
    desk.type('a.md', 2, 'x');
    expect(desk.tab('a.md')?.isDirty).toBe(true);
    desk.undo('a.md');
    expect(desk.tab('a.md')?.isDirty).toBe(false);
  });

  it('go round, close to their neighbour, and open again', async () => {
    const desk = openDesk({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
    for (const path of ['a.md', 'b.md', 'c.md']) await desk.documents.open(path);
    desk.documents.step(1);
    expect(desk.documents.tabs.getState().active).toBe('a.md');
    desk.documents.step(-1);
    expect(desk.documents.tabs.getState().active).toBe('c.md');
    desk.documents.close('c.md');
    expect(desk.documents.tabs.getState().active).toBe('b.md');
    await desk.documents.reopen();
    expect(desk.documents.tabs.getState()).toMatchObject({ active: 'c.md', closed: [] });
  });

  it('say what cannot be opened', async () => {
    const desk = openDesk({});
    await desk.documents.open('gone.md');
    expect(desk.tab('gone.md')?.content).toEqual({ code: 'file-missing', detail: { path: 'gone.md' } });
  });
});

describe('a save', () => {
  it('writes the file as it was but for what was typed', async () => {
    const desk = openDesk({ 'a.md': '\ufeffone\r\ntwo\nthree' });
    await desk.documents.open('a.md');
    desk.type('a.md', 3, '!');
    expect(await desk.documents.save('a.md')).toBe('saved');
    expect(desk.disk.get('a.md')).toBe('\ufeffone!\r\ntwo\nthree');
    expect(desk.tab('a.md')).toMatchObject({ isDirty: false, save: { kind: 'saved', at: 1_700_000_000_000 } });
  });

  it('of what is on disk already asks nothing', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    expect(await desk.documents.save('a.md')).toBe('clean');
    expect(desk.saves).toEqual([]);
  });

  it('that puts an identity block in keeps cursor, undo and what is typed meanwhile', async () => {
    const desk = openDesk({ 'a.md': '# A\n' });
    const block = '---\nvmark:\n  id: x\n---\n';
    desk.stampWith((text) => (text.startsWith('---') ? text : block + text));
    await desk.documents.open('a.md');
    desk.type('a.md', 3, ' first');
    const release = desk.hold();
    const saving = desk.documents.save('a.md');
    await settled();
    desk.type('a.md', 9, ' second');
    release();
    await saving;
    expect(desk.text('a.md')).toBe(`${block}# A first second\n`);
    expect(desk.buffer('a.md').state.selection.main.head).toBe(block.length + 16);
    expect(desk.tab('a.md')?.isDirty).toBe(true);
    await desk.documents.save('a.md');
    expect(desk.disk.get('a.md')).toBe(`${block}# A first second\n`);
    expect(desk.tab('a.md')?.isDirty).toBe(false);
    while (desk.undo('a.md'));
    expect(desk.text('a.md')).toBe(`${block}# A\n`);
  });

  it('moves a cursor at the very start behind the block that is put in', async () => {
    const desk = openDesk({ 'a.md': 'text' });
    desk.stampWith((text) => `---\nvmark:\n  id: x\n---\n${text}`);
    await desk.documents.open('a.md');
    desk.type('a.md', 4, '!');
    take(desk.buffer('a.md'), desk.buffer('a.md').state.update({ selection: EditorSelection.cursor(0) }));
    await desk.documents.save('a.md');
    const { doc, selection } = desk.buffer('a.md').state;
    expect(doc.sliceString(selection.main.head)).toBe('text!');
  });

  it.each(['lost', 'answer-lost'] as const)('that is %s is asked again with the same idem when the connection is back', async (fate) => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'b');
    desk.fates.push(fate);
    expect(await desk.documents.save('a.md')).toBe('waiting');
    expect(desk.tab('a.md')?.save).toEqual({ kind: 'waiting' });
    desk.type('a.md', 2, 'c');
    desk.connection('connected');
    await settled();
    const [first, second, third] = desk.saves;
    expect(second).toEqual(first);
    expect(third).toMatchObject({ text: 'abc' });
    expect(third?.idem).not.toBe(first?.idem);
    expect(desk.disk.get('a.md')).toBe('abc');
    expect(desk.tab('a.md')).toMatchObject({ isDirty: false, outside: null });
  });

  it('goes on one at a time, and the last text wins', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'b');
    const release = desk.hold();
    const first = desk.documents.save('a.md');
    await settled();
    desk.type('a.md', 2, 'c');
    const second = desk.documents.save('a.md');
    await settled();
    expect(desk.saves).toHaveLength(1);
    release();
    expect(await Promise.all([first, second])).toEqual(['saved', 'saved']);
    expect(desk.disk.get('a.md')).toBe('abc');
  });

  it('that fails is said, and the text stays', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'b');
    desk.refuseWith(new Fault('disk-full', { path: 'a.md' }));
    expect(await desk.documents.save('a.md')).toBe('failed');
    expect(desk.tab('a.md')).toMatchObject({ isDirty: true, save: { kind: 'failed', code: 'disk-full' } });
    desk.refuseWith(null);
    expect(await desk.documents.save('a.md')).toBe('saved');
  });

  it('that meets another text changes neither, and waits for the writer', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'mine');
    desk.disk.set('a.md', 'theirs');
    expect(await desk.documents.save('a.md')).toBe('conflict');
    expect(desk.tab('a.md')).toMatchObject({ isDirty: true, outside: 'changed' });
    expect(await desk.documents.save('a.md')).toBe('undecided');
    expect([desk.disk.get('a.md'), desk.text('a.md')]).toEqual(['theirs', 'amine']);
  });

  it('tells what the ledger has of it', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'b');
    desk.recordAs({ kind: 'failed', code: 'ledger-busy', detail: {} });
    await desk.documents.save('a.md');
    expect(desk.tab('a.md')?.save).toMatchObject({ kind: 'saved', recorded: { kind: 'failed', code: 'ledger-busy' } });
  });
});

describe('a change from outside', () => {
  it('of the same bytes is nothing', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    const { state } = desk.buffer('a.md');
    desk.outside('a.md', 'a');
    await settled();
    expect(desk.buffer('a.md').state).toBe(state);
    expect(desk.heard).toEqual([]);
  });

  it('is followed where nothing is unsaved: cursor kept, not dirty, and one step of undo', async () => {
    const desk = openDesk({ 'a.md': 'one\ntwo\nthree\n' });
    await desk.documents.open('a.md');
    take(desk.buffer('a.md'), desk.buffer('a.md').state.update({ selection: EditorSelection.cursor(10) }));
    desk.outside('a.md', 'zero\r\none\r\ntwo\r\nthree\r\nfour\r\n');
    await settled();
    const { doc, selection } = desk.buffer('a.md').state;
    expect(desk.text('a.md')).toBe('zero\r\none\r\ntwo\r\nthree\r\nfour\r\n');
    expect(doc.lineAt(selection.main.head).text).toBe('three');
    expect(desk.tab('a.md')).toMatchObject({ isDirty: false, outside: null });
    expect(desk.heard).toEqual(['followed a.md']);
    expect(desk.undo('a.md')).toBe(true);
    expect(desk.text('a.md')).toBe('one\ntwo\nthree\n');
    expect(desk.tab('a.md')).toMatchObject({ isDirty: true });
  });

  it('is a step of the history between the writer’s own: undone first, then what was typed before it', async () => {
    const desk = openDesk({ 'a.md': 'one\ntwo\n' });
    await desk.documents.open('a.md');
    desk.type('a.md', 3, ' mine');
    await desk.documents.save('a.md');
    desk.outside('a.md', 'zero\none mine\ntwo\n');
    await settled();
    desk.undo('a.md');
    expect(desk.text('a.md')).toBe('one mine\ntwo\n');
    desk.undo('a.md');
    expect(desk.text('a.md')).toBe('one\ntwo\n');
  });

  it('asks where something is unsaved; the writer’s own text is kept until then, and nothing is written', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'mine');
    desk.outside('a.md', 'theirs');
    await settled();
    expect(desk.tab('a.md')?.outside).toBe('changed');
    expect([desk.disk.get('a.md'), desk.text('a.md')]).toEqual(['theirs', 'amine']);
    expect(desk.heard).toEqual(['changed a.md']);
  });

  it('is written over after Keep mine, by the next save', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'mine');
    desk.outside('a.md', 'theirs');
    await settled();
    desk.documents.keepMine('a.md');
    expect(desk.tab('a.md')).toMatchObject({ outside: null, isDirty: true });
    expect(desk.disk.get('a.md')).toBe('theirs');
    expect(await desk.documents.save('a.md')).toBe('saved');
    expect(desk.disk.get('a.md')).toBe('amine');
  });

  it('is taken by Take theirs, and undo brings the writer’s own text back', async () => {
    const desk = openDesk({ 'a.md': 'a\n' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'mine');
    desk.outside('a.md', 'theirs\r\n');
    await settled();
    desk.documents.takeTheirs('a.md');
    expect(desk.text('a.md')).toBe('theirs\r\n');
    expect(desk.tab('a.md')).toMatchObject({ outside: null, isDirty: false });
    desk.undo('a.md');
    expect(desk.text('a.md')).toBe('amine\n');
    expect(desk.tab('a.md')?.isDirty).toBe(true);
    desk.redo('a.md');
    expect(desk.tab('a.md')?.isDirty).toBe(false);
  });

  it('to what the writer has already is no question', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'b');
    desk.outside('a.md', 'ab');
    await settled();
    expect(desk.tab('a.md')).toMatchObject({ outside: null, isDirty: false });
  });

  it('that goes back to what was opened takes its question back', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'mine');
    desk.outside('a.md', 'theirs');
    await settled();
    desk.outside('a.md', 'a');
    await settled();
    expect(desk.tab('a.md')?.outside).toBe(null);
    expect(await desk.documents.save('a.md')).toBe('saved');
  });

  it('that removes the file is said; the buffer is kept and can be saved again', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.outside('a.md', null);
    await settled();
    expect(desk.tab('a.md')).toMatchObject({ outside: 'removed', isDirty: true });
    expect(desk.text('a.md')).toBe('a');
    expect(await desk.documents.save('a.md')).toBe('saved');
    expect(desk.disk.get('a.md')).toBe('a');
    expect(desk.tab('a.md')).toMatchObject({ outside: null, isDirty: false });
  });

  it('that comes while a save is on its way is seen when that is answered', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    desk.type('a.md', 1, 'b');
    desk.betweenWriteAndAnswer(() => desk.outside('a.md', 'theirs'));
    expect(await desk.documents.save('a.md')).toBe('saved');
    await settled();
    expect(desk.text('a.md')).toBe('theirs');
  });

  it('is looked for in every document when anything may have changed', async () => {
    const desk = openDesk({ 'a.md': 'a', 'b.md': 'b' });
    await desk.documents.open('a.md');
    await desk.documents.open('b.md');
    desk.disk.set('a.md', 'A').set('b.md', 'B');
    desk.announce('files-changed', { paths: [] });
    await settled();
    expect([desk.text('a.md'), desk.text('b.md')]).toEqual(['A', 'B']);
  });
});

describe('what is recorded of a document', () => {
  it('waits after a save by itself, until the writer saves, closes or turns away; the bar hears of it', async () => {
    const desk = openDesk({ 'a.md': 'a', 'b.md': 'b' });
    desk.recordAs({ kind: 'due' });
    for (const path of ['a.md', 'b.md']) {
      await desk.documents.open(path);
      desk.type(path, 1, 'x');
      await desk.documents.save(path, { auto: true });
      expect(desk.tab(path)?.save).toMatchObject({ kind: 'saved', recorded: { kind: 'due' } });
    }
    expect([desk.saves.map(({ auto }) => auto), desk.settles]).toEqual([[true, true], []]);
    expect(await desk.documents.save('a.md')).toBe('clean');
    await desk.documents.record(desk.buffer('a.md'));
    expect(desk.settles).toEqual(['a.md']);
    expect(desk.tab('a.md')?.save).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    desk.documents.close('b.md');
    expect(desk.settles).toEqual(['a.md', 'b.md']);
  });

  it('descends from the writer’s own text too, where that was kept over somebody else’s', async () => {
    const desk = openDesk({ 'a.md': 'a' });
    await desk.documents.open('a.md');
    const { content } = desk.buffer('a.md').disk!;
    desk.type('a.md', 1, 'mine');
    for (const text of ['theirs', 'theirs again']) {
      desk.outside('a.md', text);
      await settled();
      desk.documents.keepMine('a.md');
    }
    await desk.documents.save('a.md');
    desk.type('a.md', 1, '!');
    await desk.documents.save('a.md');
    expect(desk.saves.map(({ descends }) => descends)).toEqual([content, null]);
    desk.type('a.md', 1, '?');
    desk.outside('a.md', 'others');
    await settled();
    desk.documents.keepMine('a.md');
    desk.outside('a.md', 'and others');
    await settled();
    desk.documents.takeTheirs('a.md');
    desk.type('a.md', 1, '?');
    await desk.documents.save('a.md');
    expect(desk.saves.at(-1)?.descends).toBe(null);
  });
});

describe('a document that is moved at a window', () => {
  it('stays the same tab with the same buffer, undo and cursor, and is saved to its new path', async () => {
    const { wire, disk, announce, saves } = createMemoryWire({ 'a/one.md': 'One\n', 'two.md': 'Two\n' });
    const documents = createDocuments({ wire, newId: () => crypto.randomUUID(), now: () => 0, say: (key) => key, follow: () => {} });
    await documents.open('a/one.md');
    await documents.open('two.md');
    documents.activate('a/one.md');
    const buffer = documents.bufferOf('a/one.md')!;
    transact(buffer, { changes: { from: 3, insert: '!' }, selection: { anchor: 4 } });
    documents.edited(buffer, true);
    disk.set('b/c.md', disk.get('a/one.md')!);
    disk.delete('a/one.md');
    announce('files-moved', { moves: [{ from: 'a/one.md', to: 'b/c.md' }] });
    announce('files-changed', { paths: ['a/one.md', 'b/c.md'] });
    await settled();
    const { tabs, active } = documents.tabs.getState();
    expect([tabs.map(({ path, outside }) => [path, outside]), active]).toEqual([
      [
        ['b/c.md', null],
        ['two.md', null],
      ],
      'b/c.md',
    ]);
    expect([documents.bufferOf('b/c.md') === buffer, documents.bufferOf('a/one.md'), buffer.state.selection.main.head]).toEqual([
      true,
      undefined,
      4,
    ]);
    expect([await documents.save('b/c.md'), saves.at(-1)!.path, disk.get('b/c.md')]).toEqual(['saved', 'b/c.md', 'One!\n']);
  });

  it('goes with its folder, and takes no text away that is open at its new path', async () => {
    const { wire, disk, announce } = createMemoryWire({ 'a/one.md': 'One\n', 'b/one.md': 'Other\n' });
    const documents = createDocuments({ wire, newId: () => crypto.randomUUID(), now: () => 0, say: (key) => key, follow: () => {} });
    await documents.open('a/one.md');
    await documents.open('b/one.md');
    disk.delete('b/one.md');
    announce('files-changed', { paths: [] });
    await settled();
    disk.set('b/one.md', 'One\n');
    disk.delete('a/one.md');
    announce('files-moved', { moves: [{ from: 'a', to: 'b' }] });
    await settled();
    expect(documents.tabs.getState().tabs.map(({ path }) => path)).toEqual(['a/one.md', 'b/one.md']);
    announce('files-moved', { moves: [{ from: 'a', to: 'z' }] });
    expect(documents.tabs.getState().tabs.map(({ path }) => path)).toEqual(['z/one.md', 'b/one.md']);
  });
});
