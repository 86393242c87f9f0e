import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chokidarWatch } from '#core/watch/chokidar-watcher';
import { follow } from '#core/watch/follow';
import { isOnNetwork } from '#core/watch/network-folder';
import { statWatch } from '#core/watch/stat-watcher';
import { gather, type Watch, type WatchListener } from '#core/watch/watcher';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'stemma-watch-')));
  mkdirSync(join(root, 'chapters'));
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, '.vmark'));
  writeFileSync(join(root, 'chapters', '01.md'), 'one\n');
});
afterEach(() => rmSync(root, { recursive: true }));

/** What every watcher must do, whatever it is made of. */
function describeWatcher(name: string, watch: Watch) {
  describe(`${name} watches a folder`, () => {
    const start = async () => {
      const seen = new Set<string>();
      const watcher = await watch(root, {
        changed: (paths) => {
          for (const path of paths) seen.add(path);
        },
        troubled: () => {},
      });
      return { seen, watcher };
    };

    it('tells of files that are added, changed, renamed and removed', async () => {
      const { seen, watcher } = await start();
      writeFileSync(join(root, 'new.md'), 'new\n');
      writeFileSync(join(root, 'chapters', '01.md'), 'one, changed\n');
      await vi.waitFor(() => expect([...seen]).toEqual(expect.arrayContaining(['new.md', 'chapters/01.md'])), 5000);
      renameSync(join(root, 'new.md'), join(root, 'newer.md'));
      rmSync(join(root, 'chapters', '01.md'));
      await vi.waitFor(() => expect([...seen]).toContain('newer.md'), 5000);
      await watcher.close();
    });

    it('hears of each save of a lone document that is put aside and written anew, as vim does', async () => {
      const { seen, watcher } = await start();
      const [file, aside] = [join(root, 'chapters/01.md'), join(root, 'chapters/01.md~')];
      for (const text of ['first\n', 'second, longer\n', 'third\n']) {
        seen.clear();
        renameSync(file, aside);
        writeFileSync(file, text);
        rmSync(aside);
        await vi.waitFor(() => expect([...seen]).toContain('chapters/01.md'), 5000);
      }
      await watcher.close();
    });

    it("does not hear of git's files or the ledger's", async () => {
      const { seen, watcher } = await start();
      writeFileSync(join(root, '.git', 'index'), 'x');
      writeFileSync(join(root, '.vmark', 'index.db'), 'x');
      writeFileSync(join(root, 'last.md'), 'x');
      await vi.waitFor(() => expect([...seen]).toContain('last.md'), 5000);
      expect([...seen].filter((path) => path.startsWith('.git') || path.startsWith('.vmark'))).toEqual([]);
      await watcher.close();
    });

    it('is silent once it is closed', async () => {
      const { seen, watcher } = await start();
      await watcher.close();
      writeFileSync(join(root, 'late.md'), 'late\n');
      await setTimeout(300);
      expect([...seen]).toEqual([]);
    });
  });
}

describeWatcher('the system', chokidarWatch);
describeWatcher('a slow look', statWatch(30));

/** A watcher whose events the test makes. */
function byHand() {
  let heard: WatchListener | null = null;
  const watch: Watch = async (_root, listener) => {
    heard = listener;
    return { close: async () => {} };
  };
  return { watch, listener: () => heard! };
}

describe('following a folder', () => {
  it('reconciles one at a time, and once more for what changed meanwhile', async () => {
    const { watch, listener } = byHand();
    let atOnce = 0;
    let most = 0;
    let runs = 0;
    const reconcile = async () => {
      runs++;
      most = Math.max(most, ++atOnce);
      await setTimeout(20);
      atOnce--;
      return true;
    };
    const watcher = await follow(root, { reconcile, troubled: () => {} }, watch);
    for (let i = 0; i < 5; i++) listener().changed(new Set(['a.md']));
    await vi.waitFor(() => expect(runs).toBe(2));
    await watcher.close();
    expect(most).toBe(1);
    expect(runs).toBe(2);
  });

  it('waits for git and tries again', async () => {
    const { watch, listener } = byHand();
    const answers = [false, true];
    let runs = 0;
    const watcher = await follow(root, { reconcile: async () => answers[runs++] ?? true, troubled: () => {} }, watch);
    listener().changed(new Set(['a.md']));
    await vi.waitFor(() => expect(runs).toBe(2), 3000);
    await watcher.close();
  });

  it('looks slowly, and once everywhere, when the watcher fails', async () => {
    const { watch, listener } = byHand();
    let runs = 0;
    const reasons: string[] = [];
    const reconcile = async () => {
      runs++;
      return true;
    };
    const watcher = await follow(root, { reconcile, troubled: (reason) => reasons.push(reason) }, watch, statWatch(30));
    listener().troubled('ENOSPC');
    listener().troubled('ENOSPC');
    await vi.waitFor(() => expect(runs).toBe(1));
    writeFileSync(join(root, 'unseen.md'), 'x');
    await vi.waitFor(() => expect(runs).toBe(2), 3000);
    expect(reasons).toEqual(['ENOSPC']);
    await watcher.close();
  });

  it('looks everywhere once its slow look has begun: what changed before that is found too', async () => {
    const { watch, listener } = byHand();
    const begun = Promise.withResolvers<void>();
    let runs = 0;
    const late: Watch = async () => {
      await begun.promise;
      return { close: async () => {} };
    };
    const watcher = await follow(root, { reconcile: async () => ++runs > 0, troubled: () => {} }, watch, late);
    listener().troubled('ENOSPC');
    listener().changed(new Set(['a.md']));
    await vi.waitFor(() => expect(runs).toBe(1));
    begun.resolve();
    await vi.waitFor(() => expect(runs).toBe(2));
    await watcher.close();
  });

  it('says that a drive of another computer tells of nothing, and looks by itself from the beginning', async () => {
    const { watch } = byHand();
    const reasons: string[] = [];
    let runs = 0;
    const reconcile = async () => ++runs > 0;
    const watcher = await follow(root, { reconcile, troubled: (reason) => reasons.push(reason) }, watch, statWatch(30), () => true);
    await vi.waitFor(() => expect(runs).toBe(1));
    writeFileSync(join(root, 'from-elsewhere.md'), 'x');
    await vi.waitFor(() => expect(runs).toBe(2), 3000);
    expect(reasons).toEqual(['network']);
    await watcher.close();
  });

  it('takes no folder of this computer for one of another', () => {
    expect(isOnNetwork(root)).toBe(false);
    expect(isOnNetwork(join(root, 'not-there'))).toBe(false);
  });
});

describe('a burst', () => {
  it('is told once; one that may have been too long for the queue tells that anything may have changed, until it rests', async () => {
    const told: (readonly string[])[] = [];
    const burst = gather((paths) => told.push([...paths]), 5, 20, 100);
    for (let at = 0; at < 99; at++) burst.add(`${at % 3}.md`);
    await vi.waitFor(() => expect(told).toEqual([['0.md', '1.md', '2.md']]));
    await setTimeout(30);
    for (let at = 0; at < 100; at++) burst.add('a.md');
    await vi.waitFor(() => expect(told.slice(1)).toEqual([[]]));
    await setTimeout(30);
    burst.add('b.md');
    await vi.waitFor(() => expect(told.slice(2)).toEqual([['b.md']]));
    burst.stop();
  });
});
