import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realDisk } from '#core/storage/disk';
import { isForeign, readIndex, writeIndex } from '#core/storage/index-db';
import { newReading } from '#core/storage/segment-reader';
import { arbitraryHistory } from '../../helpers/history';
import { dumpReading, readSegments } from '../../helpers/reading';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-index-'));
  file = join(folder, 'index.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');

describe('an index', () => {
  it('gives back what was read, to the row, and goes on from there like a reading that never stopped', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryHistory(), fc.nat(), async ({ lines }, die) => {
        const bytes = bytesOf(lines);
        const atOnce = readSegments([bytes]);
        const cut = bytes.lastIndexOf(0x0a, die % bytes.length) + 1;
        const first = newReading(atOnce.winners);
        first.read(bytes.subarray(0, cut), 0, 0);
        await writeIndex(realDisk, file, { reading: first, segments: [], extra: { kept: die } }, 'token');
        const again = newReading();
        const content = await readIndex(realDisk, file, again);
        expect(content?.extra).toEqual({ kept: die });
        expect(dumpReading(again)).toEqual(dumpReading(first));
        again.read(bytes.subarray(cut), 0, cut);
        expect(dumpReading(again)).toEqual(dumpReading(atOnce));
      }),
      { numRuns: 40 },
    );
  });

  it('that is damaged, cut or empty is as good as none', async () => {
    const { lines } = fc.sample(arbitraryHistory(), { numRuns: 1, seed: 7 })[0]!;
    await writeIndex(realDisk, file, { reading: readSegments([bytesOf(lines)]), segments: [], extra: {} }, 'token');
    const whole = readFileSync(file);
    for (const spoilt of [Buffer.alloc(0), whole.subarray(0, 100), whole.subarray(0, whole.length >> 1), Buffer.alloc(whole.length, 7)]) {
      writeFileSync(file, spoilt);
      expect(await readIndex(realDisk, file, newReading())).toBeNull();
    }
  });

  it('with a bit that is not as it was written is as good as none, wherever it stands behind the page', async () => {
    const { lines } = fc.sample(arbitraryHistory(), { numRuns: 1, seed: 7 })[0]!;
    await writeIndex(realDisk, file, { reading: readSegments([bytesOf(lines)]), segments: [], extra: { kept: 'word' } }, 'token');
    const whole = readFileSync(file);
    const readBit = async (bit: number) => {
      const spoilt = Buffer.from(whole);
      spoilt[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(file, spoilt);
      return readIndex(realDisk, file, newReading());
    };
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4096 * 8, max: whole.length * 8 - 1 }), async (bit) => {
        expect(await readBit(bit)).toBeNull();
      }),
      { numRuns: 300 },
    );
    for (let bit = (whole.length - 24) * 8; bit < whole.length * 8; bit++) expect(await readBit(bit)).toBeNull();
    writeFileSync(file, whole);
    expect((await readIndex(realDisk, file, newReading()))?.extra).toEqual({ kept: 'word' });
  });

  it('is not put in its place where the ledger was read on meanwhile; the old one stays, and nothing else', async () => {
    const { lines } = fc.sample(arbitraryHistory(), { numRuns: 1, seed: 7 })[0]!;
    const content = { reading: readSegments([bytesOf(lines)]), segments: [], extra: {} };
    expect(await writeIndex(realDisk, file, { ...content, extra: { is: 'old' } }, 'one')).toBe(true);
    expect(await writeIndex(realDisk, file, content, 'two', () => false)).toBe(false);
    expect((await readIndex(realDisk, file, newReading()))?.extra).toEqual({ is: 'old' });
    expect(readdirSync(folder)).toEqual(['index.db']);
  });

  it('of another program is recognised and never read', async () => {
    const other = new Sqlite(file);
    other.exec('CREATE TABLE part(name TEXT, data BLOB)');
    other.close();
    expect(isForeign(realDisk, file)).toBe(true);
    expect(await readIndex(realDisk, file, newReading())).toBeNull();
  });

  it('is a database that says whose it is to any program', async () => {
    await writeIndex(realDisk, file, { reading: newReading(), segments: [], extra: {} }, 'token');
    const database = new Sqlite(file, { readonly: true });
    expect(database.pragma('application_id', { simple: true })).toBe(0x53544d41);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    expect(isForeign(realDisk, file)).toBe(false);
  });

  it('leaves no file beside itself', async () => {
    await writeIndex(realDisk, file, { reading: newReading(), segments: [], extra: {} }, 'token');
    expect(realDisk.readdirSync(folder)).toEqual(['index.db']);
  });
});
