import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSearchDesk, type SearchDeskOptions } from '#core/search/search-desk';
import { realDisk } from '#core/storage/disk';
import type { SearchPart } from '#protocol/search-calls';
import { createPlace, type Place } from '../../helpers/workspace';
import { asking } from './asking.ts';

function deskOf(place: Place, other: Partial<SearchDeskOptions> = {}) {
  const desk = createSearchDesk({ disk: realDisk, root: place.folder, file: join(place.home, 'search/w.db'), ...other });
  onTestFinished(() => desk.close());
  return desk;
}

const paths = (part: SearchPart) => (part.kind === 'found' ? part.files.map(({ path }) => path) : part.kind);

/** Asks until the answer is as wanted, so that indexing goes on between two questions. */
const eventually = (ask: () => Promise<unknown>) => expect.poll(ask, { timeout: 20_000 });

describe.each([
  ['a thread', {}],
  ['this thread', { program: null }],
  ['this thread, where the thread has no program', { program: '/nowhere/search-worker.js' }],
])('a search in %s', (_, options) => {
  it('answers before anything is indexed, and sees what changed without being told', async () => {
    const place = createPlace();
    place.write('a.md', 'salt and smoke\n');
    const desk = deskOf(place, options);
    expect(paths(await desk.find(asking('smoke')))).toEqual(['a.md']);
    place.write('b.md', 'smoke\n');
    expect(paths(await desk.find(asking('smoke')))).toEqual(['a.md', 'b.md']);
  });

  it('sees what it is told of where it is told', async () => {
    const place = createPlace();
    place.write('a.md', 'salt\n');
    const desk = deskOf(place, options);
    desk.watched(true);
    expect(paths(await desk.find(asking('sage')))).toEqual([]);
    place.write('a.md', 'sage\n');
    desk.changed(['a.md']);
    expect(paths(await desk.find(asking('sage')))).toEqual(['a.md']);
  });

  it('makes its index with the first question, in the app data alone', async () => {
    const place = createPlace();
    place.write('a.md', 'salt\n');
    const desk = deskOf(place, options);
    expect(existsSync(join(place.home, 'search/w.db'))).toBe(false);
    await desk.find(asking('salt'));
    expect([existsSync(join(place.home, 'search/w.db')), [...place.tree().keys()]]).toEqual([true, ['a.md']]);
  });
});

describe('a search in a thread', () => {
  it('gives an expression up that does not come to an end, and answers the next', async () => {
    const place = createPlace();
    place.write('a.md', `${'a'.repeat(60)}\n`);
    const desk = deskOf(place, { patience: 300 });
    expect(await desk.find(asking('(a+)+$b|(a+)+c', { isExpression: true }))).toEqual({ kind: 'too-slow' });
    await eventually(async () => paths(await desk.find(asking('aaa')))).toEqual(['a.md']);
  });

  it('is slower and just as right where the index cannot be', async () => {
    const place = createPlace();
    place.write('a.md', 'salt\n');
    const desk = deskOf(place, { file: join(place.folder, 'a.md', 'w.db') });
    expect(paths(await desk.find(asking('salt')))).toEqual(['a.md']);
  });

  it('lets go of everything when it is closed, also while it is at work', async () => {
    const place = createPlace();
    place.write('a.md', `${'a'.repeat(60)}\n`);
    const desk = deskOf(place);
    const endless = desk.find(asking('(a+)+$b|(a+)+c', { isExpression: true })).catch(() => 'lost');
    await desk.close();
    expect(await endless).toBe('lost');
  });
});

describe('a core', () => {
  it('finds what it saved a moment ago', async () => {
    const place = createPlace();
    const core = await place.open();
    expect(paths(await core.search.find(asking('kelp')))).toEqual([]);
    await core.createDocument('new.md', 'kelp\n');
    expect(paths(await core.search.find(asking('kelp')))).toEqual(['new.md']);
  });
});
