import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { join, split } from '#renderer/editor/line-breaks.ts';
import { relinked } from '#renderer/editor/relink.ts';
import { createState } from '#renderer/editor/setup.ts';
import { freeUntitled, isUntitled } from '#renderer/editor/untitled.ts';
import { createPlace, createTrackingPlace, type Place } from '../../helpers/workspace.ts';
import { hostOf, openWindow, tell, typeInto } from './core-desk.ts';

async function begun(text: string, place: Place = createPlace()) {
  const host = await hostOf(place);
  const desk = openWindow(host);
  const path = desk.documents.begin('Untitled');
  if (text !== '') typeInto(desk, path, 0, text);
  const tab = () => desk.documents.tabs.getState().tabs.find((one) => one.path === desk.documents.tabs.getState().active);
  return { place, host, desk, path, tab };
}

describe('what a document without a file is known by', () => {
  it('is what no open document and no file is known by', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 })), (numbers) => {
        const open = numbers.map((number) => `/Untitled${number === 1 ? '' : ` ${number}`}`);
        const path = freeUntitled(open, 'Untitled');
        expect(open).not.toContain(path);
        expect([isUntitled(path), isUntitled('Untitled.md'), isUntitled('a/Untitled')]).toEqual([true, false, false]);
      }),
    );
  });
});

describe('a document without a file', () => {
  it('is unsaved once something stands in it, is saved by nothing, and asks core for nothing', async () => {
    const { place, host, desk, path, tab } = await begun('');
    expect(tab()).toMatchObject({ isDirty: false, content: 'text' });
    typeInto(desk, path, 0, 'text');
    expect(tab()).toMatchObject({ isDirty: true });
    expect([await desk.documents.save(path), await desk.documents.save(path, { auto: true })]).toEqual(['unnamed', 'unnamed']);
    expect(await desk.documents.readAs(path, 'latin1' as never)).toBe(false);
    await tell(host);
    desk.documents.lookAgain();
    expect([tab(), readdirSync(place.folder), desk.heard]).toEqual([
      expect.objectContaining({ path, isDirty: true, outside: null }),
      [],
      [],
    ]);
  });

  it('is not opened again once it was discarded', async () => {
    const { desk, path } = await begun('text');
    desk.documents.close(path);
    expect(desk.documents.tabs.getState()).toMatchObject({ tabs: [], closed: [], recent: [] });
  });

  it('becomes the file that it is named, in the same tab, with its undo; it is saved from then on', async () => {
    const { place, desk, path, tab } = await begun('one');
    expect(await desk.documents.nameAs(path, 'new.md')).toBe('saved');
    expect(place.text('new.md')).toBe('one');
    expect(tab()).toMatchObject({ path: 'new.md', isDirty: false, save: { kind: 'saved' } });
    typeInto(desk, 'new.md', 3, ' two');
    expect(await desk.documents.save('new.md')).toBe('saved');
    expect(place.text('new.md')).toBe('one two');
  });

  it('has one version where provenance is on, with its identity block', async () => {
    const { place, desk, path } = await begun('one\n', createTrackingPlace());
    await desk.documents.nameAs(path, 'new.md');
    expect(place.text('new.md')).toMatch(/^---\nvmark:\n[\s\S]*---\none\n$/u);
    expect(join(desk.documents.bufferOf('new.md')!.state)).toBe(place.text('new.md'));
    expect(place.entries().filter(({ kind }) => kind === 'transformation')).toHaveLength(1);
  });

  it('stays what it was where there is something of that name, which is not touched', async () => {
    const place = createPlace();
    place.write('taken.md', 'theirs');
    place.write('folder/a.md', 'a');
    const { desk, path, tab } = await begun('mine', place);
    await expect(desk.documents.nameAs(path, 'taken.md')).rejects.toMatchObject({ code: 'already-exists' });
    await expect(desk.documents.nameAs(path, 'folder')).rejects.toMatchObject({ code: 'is-a-folder' });
    await expect(desk.documents.nameAs(path, 'missing/a.md')).rejects.toMatchObject({ code: 'file-missing' });
    expect([place.text('taken.md'), tab()]).toEqual(['theirs', expect.objectContaining({ path, isDirty: true, outside: null })]);
    expect(desk.heard).toEqual(['failed missing/a.md']);
  });

  it('is not taken for saved by whoever asks again while it is being named and cannot be', async () => {
    const { desk, path, tab } = await begun('mine');
    const again: Promise<unknown>[] = [];
    desk.documents.tabs.subscribe(({ active }) => {
      if (active === 'missing/a.md' && again.length === 0) again.push(desk.documents.nameAs(path, active).catch((error) => error.code));
    });
    await expect(desk.documents.nameAs(path, 'missing/a.md')).rejects.toMatchObject({ code: 'file-missing' });
    expect(await Promise.all(again)).toEqual(['file-missing']);
    expect(tab()).toMatchObject({ path, isDirty: true });
  });
});

describe('links of a document that gets a place', () => {
  const files = ['a/b.md', 'pictures/one two.png', 'c.md'];
  const moved = (text: string, to: string) => {
    const state = createState(split(text), { say: (key) => key, follow: () => {} }, '/Untitled');
    return state.update({ changes: relinked(state, '/Untitled', to, files) }).state.doc.toString();
  };

  it('lead to the same files from there; what leads to none of them stays', () => {
    const text = '![](pictures/one%20two.png) [b](./a/b.md#x) [c](<c.md>) [no](no.md) [web](https://a/c.md) [r]\n\n[r]: c.md\n';
    expect(moved(text, 'new.md')).toBe(text);
    expect(moved(text, 'a/new.md')).toBe(
      '![](../pictures/one%20two.png) [b](./b.md#x) [c](<../c.md>) [no](no.md) [web](https://a/c.md) [r]\n\n[r]: ../c.md\n',
    );
  });
});
