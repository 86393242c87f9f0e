import { join as joinPath } from 'node:path';
import { redo, undo } from '@codemirror/commands';
import type { Transaction } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJournal } from '#core/journal/journal';
import { withTexts } from '#core/journal/text-of-file';
import { realDisk } from '#core/storage/disk';
import { Fault } from '#protocol/fault';
import { type Buffer, isDirty, take, transact } from '#renderer/editor/buffer.ts';
import { createDocuments } from '#renderer/editor/documents.ts';
import { createWindowJournal } from '#renderer/editor/journal.ts';
import { join } from '#renderer/editor/line-breaks.ts';
import { temporaryFolder } from '../../helpers/temporary';
import { createMemoryWire, settled } from './memory-wire.ts';

const sessionOf = (life: number) => `00000000-0000-4000-8000-${String(life).padStart(12, '0')}`;

/** A folder of journals, and files in memory; windows come and go over them. */
function createPlace(files: Record<string, string>) {
  const folder = joinPath(temporaryFolder(), 'recovery');
  let journal = createJournal(realDisk, { folder, owner: 'core-0' });
  let broken: Fault | null = null;
  let cores = 0;
  let lives = 0;
  const sent: string[] = [];
  const memory = createMemoryWire(files, {
    'journal/append': async (input) => {
      if (broken !== null) throw broken;
      const records = await withTexts(input.records, async (path) => memory.wire.call('document/open', { path }));
      sent.push(...input.records.map(({ kind }) => kind));
      return records === null ? { kind: 'other' } : journal.append({ ...input, records });
    },
  });
  const openWindow = () => {
    const session = sessionOf(++lives);
    const troubles: (string | null)[] = [];
    const layout = () => ({
      active: documents.tabs.getState().active,
      tabs: documents.tabs.getState().tabs.map(({ path, isPreview }) => ({ path, isPreview, mode: null, selection: null, top: null })),
    });
    const kept = createWindowJournal({
      wire: memory.wire,
      session,
      now: () => Date.now(),
      layout,
      troubled: (fault) => troubles.push(fault?.code ?? null),
    });
    const documents = createDocuments({
      wire: memory.wire,
      newId: (() => {
        let id = 0;
        return () => `00000000-0000-4000-9000-${String(session.slice(-6)) + String(++id).padStart(6, '0')}`;
      })(),
      now: () => 1_700_000_000_000,
      say: (key) => key,
      follow: () => {},
      journal: kept,
    });
    const buffer = (path = 'a.md'): Buffer => documents.bufferOf(path)!;
    const dispatch = (one: Buffer) => (transaction: Transaction) => {
      take(one, transaction);
      documents.edited(one, true);
    };
    return {
      session,
      documents,
      kept,
      troubles,
      buffer,
      text: (path = 'a.md') => join(buffer(path).state),
      tab: (path = 'a.md') => documents.tabs.getState().tabs.find((tab) => tab.path === path),
      edit(from: number, to: number, insert: string, path = 'a.md'): void {
        const { length } = buffer(path).state.doc;
        const [start, end] = [Math.min(from, length), Math.min(Math.max(from, to), length)];
        const changes = { from: start, to: end, insert: buffer(path).state.toText(insert) };
        transact(buffer(path), { changes, selection: { anchor: start + changes.insert.length }, userEvent: 'input.type' });
        documents.edited(buffer(path), true);
      },
      undo: (path = 'a.md') => undo({ state: buffer(path).state, dispatch: dispatch(buffer(path)) }),
      redo: (path = 'a.md') => redo({ state: buffer(path).state, dispatch: dispatch(buffer(path)) }),
      /** The window is gone, as when its process is killed. */
      kill(): void {
        kept.dispose();
        documents.dispose();
      },
    };
  };
  type Window = ReturnType<typeof openWindow>;
  return {
    ...memory,
    sent,
    openWindow,
    breakWith: (fault: Fault | null) => {
      broken = fault;
    },
    killCore(): void {
      journal.close();
      journal = createJournal(realDisk, { folder, owner: `core-${++cores}` });
    },
    /** A new window with what another one left of its documents. */
    async recovered({ session }: Window): Promise<Window> {
      const window = openWindow();
      for (const left of journal.read(session).documents) await window.documents.recover(left);
      return window;
    },
    left: ({ session }: Window) => journal.read(session),
    list: () => journal.list().sessions,
    forget: ({ session }: Window, doc: number | null = null) => journal.forget(session, doc),
  };
}

/** Everything that can be taken back, from the newest on. */
function takenBack(window: { undo(): boolean; text(): string }): string[] {
  const texts: string[] = [];
  while (texts.length < 500 && window.undo()) texts.push(window.text());
  return texts;
}

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('edit'),
      from: fc.nat(40),
      to: fc.nat(44),
      insert: fc.constantFrom('x', 'ab', '\n', '', 'ü\n\n', '𝒳'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('undo', 'redo', 'save', 'flush') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('outside', 'keep', 'take', 'core') }) },
);
/** Typed at the start; nothing at all only takes the cursor there. */
const typed = (insert: 'x' | '') => ({ kind: 'edit' as const, from: 0, to: 0, insert });
const files = fc.constantFrom(
  '',
  'one\ntwo\nthree\n',
  'one\r\ntwo\r\nthree',
  '\ufeffone\r\ntwo\nthree\rfour\r\n',
  '---\ntitle: x\n---\n\ntext\n',
);

describe('what a killed window leaves', () => {
  it('comes back to the letter, with its line breaks and all that could be taken back, over the file as it is', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(files, fc.array(act, { maxLength: 25 }), fc.boolean(), async (text, acts, isStamping) => {
        const place = createPlace({ 'a.md': text });
        if (isStamping) place.stampWith((saved) => (saved.startsWith('---\nvmark') ? saved : `---\nvmark:\n  id: 1\n---\n${saved}`));
        const window = place.openWindow();
        await window.documents.open('a.md');
        for (const [turn, one] of acts.entries()) {
          if (one.kind === 'edit') window.edit(one.from as number, one.to as number, one.insert as string);
          else if (one.kind === 'undo') window.undo();
          else if (one.kind === 'redo') window.redo();
          else if (one.kind === 'save') await window.documents.save('a.md');
          else if (one.kind === 'flush') await window.kept.flush();
          else if (one.kind === 'outside') place.outside('a.md', `${place.disk.get('a.md')}outside ${turn}\n`);
          else if (one.kind === 'keep') window.documents.keepMine('a.md');
          else if (one.kind === 'take') window.documents.takeTheirs('a.md');
          else place.killCore();
          if (one.kind === 'outside') await settled();
        }
        expect(await window.kept.flush()).toBe(true);
        window.kill();
        const mine = window.text();
        const disk = place.disk.get('a.md')!;
        const hasText = place.left(window).documents.length > 0;
        const later = hasText ? await place.recovered(window) : place.openWindow();
        if (!hasText) await later.documents.open('a.md');
        // What was taken back to what it was is nobody's work: it follows what others wrote.
        if (!isDirty(window.buffer()) && window.buffer().outside?.kind === 'changed') {
          expect(later.text()).toBe(disk);
          return later.kill();
        }
        expect(later.text()).toBe(mine);
        expect(later.tab()).toMatchObject({ isDirty: isDirty(window.buffer()), outside: window.buffer().outside?.kind ?? null });
        expect(later.buffer().disk?.base).toBe(window.buffer().disk?.base);
        // Nothing is written before the writer says so.
        expect(place.disk.get('a.md')).toBe(disk);
        if (!text.includes('\r')) expect(takenBack(later)).toEqual(takenBack(window));
        later.kill();
      }),
      {
        numRuns: Math.min(fc.readConfigureGlobal().numRuns ?? 50, 400),
        examples: [
          ['', [typed('x'), typed(''), typed('x')], false],
          // What was taken back after a save is unsaved, though it is what the window began with.
          ['', [typed('x'), { kind: 'save' }, { kind: 'undo' }, { kind: 'outside' }], false],
        ],
      },
    ),
  );

  it('comes back over a save that had reached the disk and was not answered, without a question', async () => {
    const stamped = (saved: string) => (saved.startsWith('---\nvmark') ? saved : `---\nvmark:\n  id: 1\n---\n${saved}`);
    for (const stamp of [null, stamped]) {
      const place = createPlace({ 'a.md': 'one\n' });
      place.stampWith(stamp);
      const window = place.openWindow();
      await window.documents.open('a.md');
      window.edit(4, 4, 'two\n');
      place.fates.push('answer-lost');
      await window.documents.save('a.md');
      window.edit(8, 8, 'three\n');
      await window.kept.flush();
      window.kill();
      const block = stamp === null ? '' : '---\nvmark:\n  id: 1\n---\n';
      expect(place.disk.get('a.md')).toBe(`${block}one\ntwo\n`);
      const later = await place.recovered(window);
      expect(later.text()).toBe(`${block}one\ntwo\nthree\n`);
      expect(later.tab()).toMatchObject({ isDirty: true, outside: null });
      expect(await later.documents.save('a.md')).toBe('saved');
      expect(place.disk.get('a.md')).toBe(`${block}one\ntwo\nthree\n`);
      later.kill();
    }
  });

  it('has an identity block once, where the writer typed on while the save that put it in was answered', async () => {
    const place = createPlace({ 'a.md': 'one\n' });
    place.stampWith((saved) => (saved.startsWith('---\nvmark') ? saved : `---\nvmark:\n  id: 1\n---\n${saved}`));
    const window = place.openWindow();
    await window.documents.open('a.md');
    window.edit(4, 4, 'two\n');
    await window.kept.flush();
    const release = place.hold();
    const saving = window.documents.save('a.md');
    await settled();
    window.edit(8, 8, 'three\n');
    release();
    await saving;
    await window.kept.flush();
    window.kill();
    const later = await place.recovered(window);
    expect(later.text()).toBe('---\nvmark:\n  id: 1\n---\none\ntwo\nthree\n');
    expect(later.tab()).toMatchObject({ isDirty: true, outside: null });
    later.kill();
  });

  it('of long ago takes nothing back that was saved since, and puts no second block in', async () => {
    for (const isDirty of [false, true]) {
      const place = createPlace({ 'a.md': 'one\n' });
      place.stampWith((saved) => (saved.startsWith('---\nvmark') ? saved : `---\nvmark:\n  id: 1\n---\n${saved}`));
      const window = place.openWindow();
      await window.documents.open('a.md');
      for (const word of ['two\n', 'three\n']) {
        window.edit(window.buffer().state.doc.length, 1000, word);
        await window.kept.flush();
      }
      await window.documents.save('a.md');
      if (isDirty) window.edit(1000, 1000, 'four\n');
      await window.kept.flush();
      window.kill();
      const saved = '---\nvmark:\n  id: 1\n---\none\ntwo\n';
      place.disk.set('a.md', saved);
      const later = await place.recovered(window);
      expect(later.text()).toBe(isDirty ? `${saved}three\nfour\n` : saved);
      expect(place.disk.get('a.md')).toBe(saved);
      later.kill();
    }
  });

  it('asks where another program wrote the file meanwhile, and knows what both come from', async () => {
    const place = createPlace({ 'a.md': 'one\n' });
    const window = place.openWindow();
    await window.documents.open('a.md');
    window.edit(4, 4, 'mine\n');
    await window.kept.flush();
    window.kill();
    place.disk.set('a.md', 'one\ntheirs\n');
    const later = await place.recovered(window);
    expect(later.text()).toBe('one\nmine\n');
    expect(later.tab()).toMatchObject({ isDirty: true, outside: 'changed' });
    expect(later.buffer().disk?.text.doc.toString()).toBe('one\n');
    expect(await later.documents.save('a.md')).toBe('undecided');
    expect(place.disk.get('a.md')).toBe('one\ntheirs\n');
    later.kill();
  });

  it('is kept where the file is gone', async () => {
    const place = createPlace({ 'a.md': 'one\n' });
    const window = place.openWindow();
    await window.documents.open('a.md');
    window.edit(0, 0, 'mine ');
    await window.kept.flush();
    window.kill();
    place.disk.delete('a.md');
    const later = await place.recovered(window);
    expect(later.text()).toBe('mine one\n');
    expect(later.tab()).toMatchObject({ outside: 'removed' });
    await later.kept.flush();
    later.kill();
    // It was a file once, also for whoever comes after that.
    const last = await place.recovered(later);
    expect(last.tab()).toMatchObject({ outside: 'removed' });
    last.kill();
  });

  it('is kept where the file is gone in which nobody typed: it is nowhere else then', async () => {
    const place = createPlace({ 'a.md': 'one\r\ntwo\n' });
    const window = place.openWindow();
    await window.documents.open('a.md');
    await window.kept.flush();
    expect(place.left(window).documents).toEqual([]);
    place.outside('a.md', null);
    await settled();
    expect(window.tab()).toMatchObject({ outside: 'removed', isDirty: true });
    await window.kept.flush();
    window.kill();
    const later = await place.recovered(window);
    expect(later.text()).toBe('one\r\ntwo\n');
    expect(later.tab()).toMatchObject({ outside: 'removed', isDirty: true });
    later.kill();
  });

  it('is not what the writer discarded', async () => {
    const place = createPlace({ 'a.md': 'one\n', 'b.md': 'two\n' });
    const window = place.openWindow();
    for (const path of ['a.md', 'b.md']) {
      await window.documents.open(path);
      window.edit(0, 0, 'mine ', path);
    }
    await window.kept.flush();
    window.edit(0, 0, 'more ');
    window.documents.close('a.md');
    await window.kept.flush();
    window.kill();
    expect(place.left(window).documents.map(({ text }) => text.path)).toEqual(['b.md']);
  });

  it('goes along with a file that is moved', async () => {
    const place = createPlace({ 'a.md': 'one\n' });
    const window = place.openWindow();
    await window.documents.open('a.md');
    window.edit(0, 0, 'mine ');
    await window.kept.flush();
    place.disk.set('b.md', 'one\n');
    place.disk.delete('a.md');
    place.announce('files-moved', { moves: [{ from: 'a.md', to: 'b.md' }] });
    await settled();
    await window.kept.flush();
    window.kill();
    const later = await place.recovered(window);
    expect(later.text('b.md')).toBe('mine one\n');
    expect(later.tab('b.md')).toMatchObject({ isDirty: true, outside: null });
    later.kill();
  });
});

describe('documents without a file that a killed window leaves', () => {
  it('come back with their text and in their order, also those that nobody typed in', async () => {
    const place = createPlace({});
    const window = place.openWindow();
    const paths = ['', '# From a template\n', ''].map((text) => window.documents.begin('Untitled', text));
    expect(paths).toEqual(['/Untitled', '/Untitled 2', '/Untitled 3']);
    window.edit(0, 0, 'one\n', paths[0]);
    await window.kept.flush();
    window.kill();
    expect(place.list()[0]?.documents.map(({ path, isDirty: dirty }) => [path, dirty])).toEqual([
      ['/Untitled', true],
      ['/Untitled 2', true],
    ]);
    const later = await place.recovered(window);
    expect([later.text(paths[0]), later.text(paths[1])]).toEqual(['one\n', '# From a template\n']);
    expect(later.tab(paths[0])).toMatchObject({ isDirty: true, outside: null });
    later.undo(paths[0]);
    expect([later.text(paths[0]), later.tab(paths[0])?.isDirty]).toEqual(['', false]);
    later.kill();
  });

  it('are others than those that were begun since, and have names of their own', async () => {
    const place = createPlace({});
    const window = place.openWindow();
    window.edit(0, 0, 'first', window.documents.begin('Untitled'));
    await window.kept.flush();
    window.kill();
    const later = place.openWindow();
    later.edit(0, 0, 'second', later.documents.begin('Untitled'));
    const [left] = place.left(window).documents;
    expect(await later.documents.recover(left!)).toBe('/Untitled 2');
    expect([later.text('/Untitled'), later.text('/Untitled 2')]).toEqual(['second', 'first']);
    await later.kept.flush();
    later.kill();
    const last = await place.recovered(later);
    expect([last.text('/Untitled'), last.text('/Untitled 2')]).toEqual(['second', 'first']);
    last.kill();
  });

  it('are files where they were named, and the name is what is left of one that was killed in the saving', async () => {
    const place = createPlace({});
    const window = place.openWindow();
    window.edit(0, 0, 'text', window.documents.begin('Untitled'));
    place.fates.push('lost');
    expect(await window.documents.nameAs('/Untitled', 'a.md')).toBe('waiting');
    await window.kept.flush();
    window.kill();
    const later = await place.recovered(window);
    expect(later.tab('a.md')).toMatchObject({ isDirty: true, outside: null });
    expect(await later.documents.save('a.md')).toBe('saved');
    expect(place.disk.get('a.md')).toBe('text');
    later.kill();
  });
});

describe('a journal that is kept', () => {
  it('has a long text read from its file, and sends it where that is another by then', async () => {
    const long = 'a line of a long document\r\n'.repeat(20_000);
    const place = createPlace({ 'a.md': long, 'b.md': long });
    const window = place.openWindow();
    await window.documents.open('a.md');
    await window.documents.open('b.md');
    window.edit(0, 0, 'mine ');
    await window.kept.flush();
    expect(place.sent.filter((kind) => kind.startsWith('text'))).toEqual(['text-of-file']);
    expect(place.left(window).documents[0]?.text.text).toBe(long);
    place.disk.set('b.md', 'other\n');
    window.edit(0, 0, 'mine too ', 'b.md');
    expect(await window.kept.flush()).toBe(true);
    expect(place.sent.filter((kind) => kind.startsWith('text'))).toEqual(['text-of-file', 'text-of-file', 'text', 'text']);
    window.kill();
    place.killCore();
    const later = await place.recovered(window);
    expect(later.text('a.md')).toBe(`mine ${long}`);
    expect(later.text('b.md')).toBe(`mine too ${long}`);
    expect(later.buffer('b.md').outside?.kind).toBe('changed');
    expect(later.undo('a.md')).toBe(true);
    expect(later.text('a.md')).toBe(long);
    later.kill();
  });

  it('holds a text once, and then what is typed', async () => {
    const long = 'a line of a long document\n'.repeat(2000);
    const place = createPlace({ 'a.md': long });
    const window = place.openWindow();
    await window.documents.open('a.md');
    for (let at = 0; at < 20; at++) {
      window.edit(at * 100, at * 100, 'x');
      await window.kept.flush();
      if (at % 5 === 4) await window.documents.save('a.md');
    }
    const [left] = place.left(window).documents;
    expect(left?.text.text).toBe(long);
    expect(left?.steps.flatMap(({ steps }) => steps)).toHaveLength(20);
    window.kill();
  });

  it('is begun anew where a core died, and where the disk was full; the writer is told', async () => {
    const place = createPlace({ 'a.md': 'one\n' });
    const window = place.openWindow();
    await window.documents.open('a.md');
    window.edit(0, 0, 'a');
    await window.kept.flush();
    place.killCore();
    window.edit(0, 0, 'b');
    expect(await window.kept.flush()).toBe(true);
    place.breakWith(new Fault('disk-full', { path: 'x', system: 'ENOSPC' }));
    window.edit(0, 0, 'c');
    expect(await window.kept.flush()).toBe(false);
    expect(window.troubles.at(-1)).toBe('disk-full');
    place.breakWith(null);
    window.edit(0, 0, 'd');
    expect(await window.kept.flush()).toBe(true);
    expect(window.troubles.at(-1)).toBe(null);
    window.kill();
    const later = await place.recovered(window);
    expect(later.text()).toBe('dcbaone\n');
    later.kill();
  });

  it('of a window that was left in order says so', async () => {
    const place = createPlace({ 'a.md': 'one\n' });
    const window = place.openWindow();
    await window.documents.open('a.md');
    window.edit(0, 0, 'a');
    expect(await window.kept.leave()).toBe(true);
    window.kill();
    expect(place.list()).toMatchObject([{ session: window.session, isLeft: true, documents: [{ path: 'a.md', isDirty: true }] }]);
    expect(place.left(window).layout?.tabs).toMatchObject([{ path: 'a.md', isPreview: false }]);
    place.forget(window);
    expect(place.list()).toEqual([]);
  });

  it('of what was recovered is whole before the old one is forgotten', async () => {
    const place = createPlace({ 'a.md': 'one\n' });
    const window = place.openWindow();
    await window.documents.open('a.md');
    window.edit(0, 0, 'a');
    await window.kept.flush();
    window.kill();
    const second = await place.recovered(window);
    await second.kept.flush();
    place.forget(window);
    second.kill();
    const third = await place.recovered(second);
    expect(third.text()).toBe('aone\n');
    expect(takenBack(third)).toEqual(['one\n']);
    third.kill();
  });
});
