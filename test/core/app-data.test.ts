import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPlace, savingOf } from '../helpers/workspace';

it('what the app data has of a folder is measured and deleted by itself; that of other folders stays', async () => {
  const place = createPlace();
  place.write('a.md', 'one\n');
  const core = await place.open();
  await core.save(savingOf(place, 'a.md', 'two\n'));
  const other = join(place.home, 'history', 'f'.repeat(32));
  mkdirSync(other);
  writeFileSync(join(other, 'versions.json'), 'x'.repeat(100));
  const history = () => core.appData.sizes().find(({ part }) => part === 'history')!;
  expect(history().here).toBeGreaterThan(0);
  expect(history().all).toBe(history().here + 100);
  await core.appData.delete('history');
  expect(history()).toMatchObject({ here: 0, all: 100, folder: join(place.home, 'history') });
  expect(existsSync(other)).toBe(true);
  expect((await core.history.list('a.md')).versions).toEqual([]);
  await core.save(savingOf(place, 'a.md', 'three\n'));
  expect((await core.history.list('a.md')).versions).toHaveLength(2);
  await core.appData.delete('search');
});
