import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecentFolders } from '#core/recent-folders';
import { realDisk } from '#core/storage/disk';
import { createFolder } from '../helpers/workspace';

const open = (home: string) => openRecentFolders(realDisk, home, () => 'token');

describe('the folders that were open', () => {
  it('are the newest twelve, each once, whatever is opened and forgotten, by whichever program', () => {
    const name = fc.integer({ min: 0, max: 15 }).map((number) => `/book-${number}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), name), { maxLength: 40 }), (acts) => {
        const home = createFolder('home');
        let wanted: string[] = [];
        for (const [isOpened, root] of acts) {
          wanted = wanted.filter((other) => other !== root);
          if (isOpened) wanted = [root, ...wanted].slice(0, 12);
          if (isOpened) open(home).opened(root);
          else open(home).forget(root);
          expect(
            open(home)
              .list()
              .map((folder) => folder.root),
          ).toEqual(wanted);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('say which are gone, and are an empty list where theirs cannot be read or written', () => {
    const home = createFolder('home');
    const [there, gone] = [join(home, 'there'), join(home, 'gone')];
    for (const folder of [there, gone]) mkdirSync(folder);
    for (const folder of [there, gone]) open(home).opened(folder);
    rmSync(gone, { recursive: true });
    expect(open(home).list()).toEqual([
      { root: gone, isThere: false },
      { root: there, isThere: true },
    ]);
    for (const damaged of ['no json', '{"folders":"x"}', '{"folders":[1,null]}', '']) {
      writeFileSync(join(home, 'recent-folders.json'), damaged);
      expect(open(home).list()).toEqual([]);
    }
    const file = join(home, 'a-file');
    writeFileSync(file, '');
    open(file).opened(there);
    expect(open(file).list()).toEqual([]);
  });
});
