import { describe, expect, it } from 'vitest';
import { createHandlers } from '#core/handlers/host';
import { callInputs } from '#protocol/calls';
import { createAnnouncer } from '#protocol/server';
import { createPlace } from '../../helpers/workspace';

describe('the calls about files', () => {
  it('tell every window of new paths, and of old ones when that is taken back', async () => {
    const place = createPlace();
    place.write('a.md', 'A\n');
    const events = createAnnouncer();
    const handlers = createHandlers(await place.open(), events);
    const heard: unknown[] = [];
    events.listen((announcement) => heard.push(announcement));
    const moves = [{ from: 'a.md', to: 'b/c.md' }];
    const { undo } = await handlers['files/move']({ moves, links: [] });
    await handlers['files/undo']({ undo });
    expect(heard).toEqual([
      { event: 'files-moved', data: { moves } },
      { event: 'files-moved', data: { moves: [{ from: 'b/c.md', to: 'a.md' }] } },
    ]);
  });

  it('list folders with nothing in them beside the files', async () => {
    const place = createPlace();
    place.write('a/b.md', 'B\n');
    const handlers = createHandlers(await place.open(), createAnnouncer());
    await handlers['files/create-folder']({ path: 'c/d' });
    expect(await handlers['workspace/files']({})).toEqual({ files: [{ path: 'a/b.md', document: true }], emptyFolders: ['c/d'] });
  });

  it.each([
    [
      'search/find',
      { text: 'x'.repeat(10_001), isExpression: false, matchesCase: false, wholeWords: false, include: [], exclude: [], after: null },
    ],
    [
      'search/find',
      { text: 'x', isExpression: false, matchesCase: false, wholeWords: false, include: Array(101).fill('*'), exclude: [], after: null },
    ],
    ['search/replace', { query: { text: 'x', isExpression: false, matchesCase: false, wholeWords: false }, replacement: '', files: [] }],
    ['files/move', { moves: [], links: [] }],
    ['files/move', { moves: [{ from: 'a', to: '' }], links: [] }],
    ['files/move', { moves: [{ from: 'a', to: 'b' }], links: [{ path: 'c.md', base: 'no hash' }] }],
    ['files/trash', { paths: ['a'] }],
    ['files/undo', { undo: '../x' }],
  ] as const)('%s refuses %#', (call, input) => {
    expect(callInputs[call].safeParse(input).success).toBe(false);
  });
});
