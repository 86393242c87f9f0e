import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realDisk } from '#core/storage/disk';
import { createLock, type Lock } from '#core/storage/lock';
import { createFolder } from '../../helpers/workspace';

/** A lock that is closed when the test ends. Two of them are as two programs. */
function open(...folders: string[]): Lock {
  const lock = createLock(realDisk, () => folders);
  onTestFinished(() => lock.close());
  return lock;
}

/** Says in `heard` when it begins and ends; others may run meanwhile, if they can. */
const work = (heard: string[], name: string) => async () => {
  heard.push(`${name} begins`);
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  heard.push(`${name} ends`);
  return name;
};

const isOneByOne = (heard: readonly string[]) =>
  heard.every((said, at) => (at % 2 === 0 ? said.endsWith('begins') && heard[at + 1] === said.replace('begins', 'ends') : true));

describe('a lock', () => {
  it('lets one work after another, in the order in which they came, and answers what they did', async () => {
    const heard: string[] = [];
    const lock = open(createFolder());
    const names = ['a', 'b', 'c'];
    expect(await Promise.all(names.map((name) => lock.hold(work(heard, name))))).toEqual(names);
    expect(heard).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('keeps two programs apart', async () => {
    const heard: string[] = [];
    const folder = createFolder();
    const [one, two] = [open(folder), open(folder)];
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => (at % 2 === 0 ? one : two).hold(work(heard, name))));
    expect(heard).toHaveLength(12);
    expect(isOneByOne(heard)).toBe(true);
  });

  it('is free again after work that failed', async () => {
    const folder = createFolder();
    const [one, two] = [open(folder), open(folder)];
    await expect(one.hold(() => Promise.reject(new RangeError('no')))).rejects.toThrow('no');
    expect(await one.hold(async () => 1)).toBe(1);
    expect(await two.hold(async () => 2)).toBe(2);
  });

  it('is free when its program closes it in the middle', async () => {
    const folder = createFolder();
    const one = createLock(realDisk, () => [folder]);
    let isGone = false;
    const holding = one.hold(async () => {
      while (!isGone) await setTimeout(1);
    });
    await setTimeout(20);
    one.close();
    expect(await open(folder).hold(async () => 'mine')).toBe('mine');
    isGone = true;
    await holding;
  });

  it('is the one that stands there: a file that was replaced or taken away is opened anew', async () => {
    const folder = createFolder();
    const file = join(folder, 'index.db-lock');
    const heard: string[] = [];
    const [one, two] = [open(folder), open(folder)];
    await one.hold(async () => 1);
    renameSync(file, `${file}.old`);
    await Promise.all([one.hold(work(heard, 'a')), two.hold(work(heard, 'b'))]);
    rmSync(file);
    await Promise.all([one.hold(work(heard, 'c')), two.hold(work(heard, 'd'))]);
    expect([heard.length, isOneByOne(heard), existsSync(file)]).toEqual([8, true, true]);
  });

  it('is in the other place where one cannot be had', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'first/index.db-lock'), { recursive: true });
    const heard: string[] = [];
    const [one, two] = [open(join(folder, 'first'), join(folder, 'second')), open(join(folder, 'first'), join(folder, 'second'))];
    await Promise.all([one.hold(work(heard, 'a')), two.hold(work(heard, 'b'))]);
    expect([heard.length, isOneByOne(heard), existsSync(join(folder, 'second/index.db-lock'))]).toEqual([4, true, true]);
    expect([...one.barred()]).toEqual([join(folder, 'first')]);
    rmSync(join(folder, 'first'), { recursive: true });
    await one.hold(async () => 1);
    expect([...one.barred()]).toEqual([]);
  });

  it('keeps nobody from working where it can be had nowhere', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await open(join(folder, 'file/a'), join(folder, 'file/b')).hold(async () => 'done')).toBe('done');
  });

  it('covers a place that comes to it while it is held', async () => {
    const folder = createFolder();
    const [before, after] = [join(folder, 'before'), join(folder, 'after')];
    const places = () => (existsSync(after) ? [before, after] : [before]);
    const heard: string[] = [];
    const [one, two, three] = [0, 1, 2].map(() => createLock(realDisk, places)) as [Lock, Lock, Lock];
    onTestFinished(() => [one, two, three].forEach((lock) => void lock.close()));
    let isHeld = (): void => undefined;
    const holding = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const first = one.hold(async () => {
      heard.push('1 begins');
      isHeld();
      mkdirSync(after);
      await setTimeout(40);
      heard.push('1 ends');
    });
    await holding;
    // These find the new place when they come; the one that made it is not done yet.
    await Promise.all([
      first,
      ...['a', 'b', 'c'].flatMap((name) => [two.hold(work(heard, `2${name}`)), three.hold(work(heard, `3${name}`))]),
    ]);
    expect([heard.length, heard.slice(0, 2), isOneByOne(heard)]).toEqual([14, ['1 begins', '1 ends'], true]);
  });
});
