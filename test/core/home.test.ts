import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '#core/home';
import { realDisk } from '#core/storage/disk';
import { createFaultyDisk } from '../helpers/faulty-disk';
import { namedUuid } from '../helpers/history';
import { createFolder } from '../helpers/workspace';

const open = (folder: string, name: string, disk = realDisk) => openHome(disk, folder, () => namedUuid(name));

describe('the ledger writer of an installation', () => {
  it('is made once, and kept', () => {
    const folder = join(createFolder('home'), 'not', 'there', 'yet');
    expect(open(folder, 'a').knownWriter()).toBeNull();
    expect(open(folder, 'a').writer()).toBe(namedUuid('a'));
    expect(open(folder, 'b').writer()).toBe(namedUuid('a'));
    expect(readdirSync(folder)).toEqual(['writer-id']);
  });

  it('is one for two programs, whatever moment of the first the second begins at', () => {
    for (let at = 0; ; at++) {
      const folder = createFolder('home');
      const faulty = createFaultyDisk();
      let second: string | null = null;
      faulty.before(
        (_, number) => number === at,
        () => {
          second = open(folder, 'second').writer();
        },
      );
      const first = open(folder, 'first', faulty.disk).writer();
      if (second === null) break;
      expect([first, second], `call ${at}`).toEqual([open(folder, 'third').writer(), open(folder, 'third').writer()]);
    }
  });

  it('is made anew where the file of it is damaged, which is kept aside', () => {
    const folder = createFolder('home');
    writeFileSync(join(folder, 'writer-id'), 'not an id');
    expect(open(folder, 'a').writer()).toBe(namedUuid('a'));
    expect(readdirSync(folder).sort()).toEqual(['writer-id', 'writer-id.unreadable']);
  });

  it('is made or is not after any call that failed, and works when that is over', () => {
    for (let at = 0; ; at++) {
      const folder = createFolder('home');
      const faulty = createFaultyDisk();
      const home = open(folder, 'a', faulty.disk);
      faulty.plan({ at, failure: 'EACCES' });
      let made: string | null = null;
      try {
        made = home.writer();
      } catch (error) {
        expect(error).toMatchObject({ code: expect.any(String) });
      }
      const { hasFailed } = faulty;
      faulty.plan(null);
      if (made !== null) expect(home.writer(), `call ${at}`).toBe(made);
      expect(home.writer(), `call ${at}`).toBe(home.knownWriter());
      if (!hasFailed) break;
    }
  });
});
