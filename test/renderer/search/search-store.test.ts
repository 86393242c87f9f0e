import { describe, expect, it } from 'vitest';
import type { FoundFile, SearchPart } from '#protocol/search-calls';
import type { Wire } from '#renderer/editor/wire.ts';
import { selectionAt } from '#renderer/search/place.ts';
import { createSearchStore, globsOf, keyOf, replacementsOf } from '#renderer/search/search-store.ts';

const match = (start: number) => ({ start, end: start + 4, line: 1, before: '', text: 'salt', behind: '' });
const file = (path: string, ...starts: number[]): FoundFile => ({ path, base: 'b', matches: starts.map(match), more: false });
const part = (files: FoundFile[], after: string | null): SearchPart => ({ kind: 'found', files, after, searched: 1, of: 2, skipped: [] });

/** A search that answers with what is in `answers`, one after another, when it is let. */
function prepare() {
  const asked: { text: string; after: string | null; answer: (part: SearchPart) => void }[] = [];
  const call = (_: string, { text, after }: { text: string; after: string | null }) =>
    new Promise<SearchPart>((answer) => void asked.push({ text, after, answer }));
  const search = createSearchStore({ call: call as unknown as Wire['call'], on: () => () => {} }, () => true);
  return { search, asked, next: () => new Promise((resolve) => setTimeout(resolve)) };
}

describe('the search of a window', () => {
  it('takes the answer in parts', async () => {
    const { search, asked } = prepare();
    search.change({ text: 'salt' });
    const done = search.ask();
    asked[0]!.answer(part([file('a.md', 0)], 'a.md'));
    await expect.poll(() => asked.length).toBe(2);
    expect([asked[1]!.after, search.store.getState().progress, search.store.getState().matches]).toEqual(['a.md', 'running', 1]);
    asked[1]!.answer(part([file('b.md', 0, 9)], null));
    await done;
    const { progress, files, matches } = search.store.getState();
    expect([progress, files.map(({ path }) => path), matches]).toEqual(['done', ['a.md', 'b.md'], 3]);
  });

  it('hears nothing of an older question once a newer one is asked', async () => {
    const { search, asked } = prepare();
    search.change({ text: 'salt' });
    const old = search.ask();
    search.change({ text: 'smoke' });
    const now = search.ask();
    asked[1]!.answer(part([file('new.md', 0)], null));
    asked[0]!.answer(part([file('old.md', 0)], 'old.md'));
    await Promise.all([old, now]);
    expect([search.store.getState().files.map(({ path }) => path), asked.length]).toEqual([['new.md'], 2]);
  });

  it('stops when it is told to, and goes on from there', async () => {
    const { search, asked } = prepare();
    search.change({ text: 'salt' });
    const first = search.ask();
    asked[0]!.answer(part([file('a.md', 0)], 'a.md'));
    await expect.poll(() => asked.length).toBe(2);
    search.stop();
    asked[1]!.answer(part([file('b.md', 0)], null));
    await first;
    expect([search.store.getState().progress, search.store.getState().matches]).toEqual(['stopped', 1]);
    const rest = search.more();
    expect(asked[2]!.after).toBe('a.md');
    asked[2]!.answer(part([file('b.md', 0)], null));
    await rest;
    expect([search.store.getState().progress, search.store.getState().matches]).toEqual(['done', 2]);
  });

  it('waits before it lists thousands of matches', async () => {
    const { search, asked } = prepare();
    search.change({ text: 'a' });
    const done = search.ask();
    asked[0]!.answer(part([file('a.md', ...Array(2000).keys())], 'a.md'));
    await done;
    expect([search.store.getState().progress, asked.length]).toEqual(['more', 1]);
  });

  it('says that an expression cannot be read, or takes too long', async () => {
    for (const kind of ['invalid', 'too-slow'] as const) {
      const { search, asked } = prepare();
      search.change({ text: '(', isExpression: true });
      const done = search.ask();
      asked[0]!.answer({ kind });
      await done;
      expect(search.store.getState()).toMatchObject({ progress: kind, files: [] });
    }
  });

  it('replaces what is ticked: all of a document, some of it, or nothing', () => {
    const files = [file('a.md', 0, 9), file('b.md', 0, 9), file('c.md', 0), { ...file('d.md', 0, 9), more: true }];
    const left = new Set([keyOf('b.md', match(0)), keyOf('c.md', match(0))]);
    expect(replacementsOf({ files, left })).toEqual([
      { path: 'a.md', base: 'b', starts: null },
      { path: 'b.md', base: 'b', starts: [9] },
      { path: 'd.md', base: 'b', starts: [0, 9] },
    ]);
  });
});

it('globs stand between commas', () => {
  expect(globsOf(' chapters/, *.md,, ')).toEqual(['chapters/', '*.md']);
});

describe('a match in its editor', () => {
  it.each([
    ['salt', 0, { line: 1, from: 0, to: 4 }],
    ['\ufeffa\r\nb salt', 7 - 1, { line: 2, from: 4, to: 8 }],
    ['\n\r\r\nsalt', 4, { line: 4, from: 3, to: 7 }],
    ['sage', 0, null],
  ])('of %j stands where its text does', (text, start, place) => {
    expect(selectionAt(text, { start, end: start + 4, text: 'salt' })).toEqual(place);
  });
});
