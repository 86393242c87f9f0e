import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realDisk } from '#core/storage/disk';
import { openSnapshots } from '#core/storage/snapshots';
import { toContentHash } from '#kernel/revision';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { createFolder } from '../../helpers/workspace';

const nameOf = (bytes: Uint8Array) => toContentHash(hash('sha256', bytes, 'hex'));

function createStore(disk = realDisk) {
  const folder = createFolder('store');
  let token = 0;
  const store = openSnapshots(disk, folder, () => String(++token));
  const fileOf = (bytes: Uint8Array) => join(folder, 'snapshots', 'sha256', nameOf(bytes).slice(7, 9), nameOf(bytes).slice(9));
  return { folder, store, fileOf, staged: () => readdirSync(join(folder, 'snapshots', 'tmp')) };
}

describe('the store of snapshots', () => {
  it('gives back what was put, whatever it was, from a file whose name is its hash', () => {
    const { store, fileOf, staged } = createStore();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        store.put(nameOf(bytes), bytes);
        expect(store.get(nameOf(bytes))).toEqual({ kind: 'found', bytes: Buffer.from(bytes) });
        expect(readFileSync(fileOf(bytes))).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 30 },
    );
    expect(staged()).toEqual([]);
  });

  it('makes nothing by being opened or asked', () => {
    const { folder, store } = createStore();
    expect(store.get(nameOf(Buffer.from('a')))).toEqual({ kind: 'missing' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves an equal snapshot alone', () => {
    const { store, fileOf } = createStore();
    const bytes = Buffer.from('text\n');
    store.put(nameOf(bytes), bytes);
    const { ino } = statSync(fileOf(bytes));
    store.put(nameOf(bytes), bytes);
    expect(statSync(fileOf(bytes)).ino).toBe(ino);
  });

  it.each([
    ['cut', (file: string) => truncateSync(file, 2)],
    ['empty', (file: string) => truncateSync(file, 0)],
    ['changed', (file: string) => writeFileSync(file, 'Text\n')],
  ] as const)('says that a snapshot is damaged, and repairs it with the next put: %s', (_, spoil) => {
    const { store, fileOf } = createStore();
    const bytes = Buffer.from('text\n');
    store.put(nameOf(bytes), bytes);
    spoil(fileOf(bytes));
    expect(store.get(nameOf(bytes))).toEqual({ kind: 'damaged' });
    store.put(nameOf(bytes), bytes);
    expect(store.get(nameOf(bytes))).toEqual({ kind: 'found', bytes });
  });

  it('puts again what was taken away, folders and all', () => {
    const { folder, store, fileOf } = createStore();
    const bytes = Buffer.from('text\n');
    for (const gone of [fileOf(bytes), dirname(fileOf(bytes)), join(folder, 'snapshots')]) {
      store.put(nameOf(bytes), bytes);
      rmSync(gone, { recursive: true });
      expect(store.get(nameOf(bytes))).toEqual({ kind: 'missing' });
    }
    store.put(nameOf(bytes), bytes);
    expect(store.get(nameOf(bytes)).kind).toBe('found');
  });

  it('holds the whole text or none after any call that failed, and works when that is over', () => {
    const bytes = Buffer.from('text\n'.repeat(1000));
    for (let at = 0; ; at++) {
      const faulty = createFaultyDisk();
      const { store, fileOf } = createStore(faulty.disk);
      faulty.plan({ at, failure: at % 2 === 0 ? 'ENOSPC' : 'EIO' });
      let isPut = true;
      try {
        store.put(nameOf(bytes), bytes);
      } catch {
        isPut = false;
      }
      const { hasFailed } = faulty;
      faulty.plan(null);
      expect(store.get(nameOf(bytes)).kind).toBe(existsSync(fileOf(bytes)) ? 'found' : 'missing');
      if (isPut) expect(existsSync(fileOf(bytes))).toBe(true);
      store.put(nameOf(bytes), bytes);
      expect(store.get(nameOf(bytes)).kind).toBe('found');
      if (!hasFailed) break;
    }
  });

  it('says what stands in the way of a snapshot', () => {
    const { store, fileOf } = createStore();
    const bytes = Buffer.from('text\n');
    mkdirSync(fileOf(bytes), { recursive: true });
    expect(() => store.put(nameOf(bytes), bytes)).toThrow(/EISDIR/u);
  });
});
