import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAppender, segmentLimit } from '#core/storage/appender';
import { realDisk } from '#core/storage/disk';
import { Replica } from '#core/storage/replica';
import { entryLine } from '#kernel/entry';
import { arbitraryEntry } from '../../helpers/entries';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { dumpReading } from '../../helpers/reading';
import { createFolder } from '../../helpers/workspace';

const writer = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
const none: ReadonlySet<string> = new Set();
const lineOf = (number: number, size = 0) => `{"number":${number},"padding":"${'x'.repeat(size)}"}\n`;

function createLedger(disk = realDisk) {
  const vmark = join(createFolder('ledger'), '.vmark');
  const folder = join(vmark, 'ledger');
  let made = 0;
  let now = 1000;
  const names = { now: () => now, hex: () => `0000${++made}` };
  return {
    vmark,
    folder,
    path: (name: string) => join(folder, name),
    /** The names of segments in the order in which they were made. */
    names: () => readdirSync(folder).sort(),
    pass: (ms: number) => {
      now += ms;
    },
    text: (name: string) => readFileSync(join(folder, name), 'utf8'),
    appender: () => createAppender(disk, vmark, writer, names),
  };
}

/** The numbers of all whole lines of a ledger; a line that cannot be read is null. */
function numbersIn({ names, text }: ReturnType<typeof createLedger>): (number | null)[] {
  const lines = names().flatMap((name) => text(name).split('\n').slice(0, -1));
  return lines.map((line) => {
    try {
      return (JSON.parse(line) as { number: number }).number;
    } catch {
      return null;
    }
  });
}

/** How the nth segment of the writer is called here. */
const nameOf = (made: number, now = 1000) =>
  `${writer}-${now.toString(16).padStart(12, '0')}${String(made).padStart(4, '0').slice(-4)}.jsonl`;

describe('an appender', () => {
  it.each(['there', 'gone'])('writes nothing where a link leads, and misses nothing there (%s)', (what) => {
    const ledger = createLedger();
    const appender = ledger.appender();
    appender.append(lineOf(1), none);
    const other = `${ledger.vmark}-elsewhere`;
    renameSync(ledger.vmark, other);
    if (what === 'gone') rmSync(other, { recursive: true });
    symlinkSync(other, ledger.vmark);
    expect(appender.missing()).toEqual([]);
    expect(() => appender.append(lineOf(2), none)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
    rmSync(ledger.vmark);
    if (what === 'there') renameSync(other, ledger.vmark);
    appender.append(lineOf(3), none, appender.missing());
    expect(numbersIn(ledger)).toEqual([1, 3]);
  });

  it('adds lines to one segment of its writer, and says where they begin', () => {
    const ledger = createLedger();
    const appender = ledger.appender();
    expect(appender.append(lineOf(1), none)).toMatchObject({ name: nameOf(1), offset: 0 });
    expect(appender.append(lineOf(2) + lineOf(3), none)).toMatchObject({ name: nameOf(1), offset: lineOf(1).length });
    expect(ledger.text(nameOf(1))).toBe(lineOf(1) + lineOf(2) + lineOf(3));
  });

  it('ends an unfinished last line before it adds another, wherever that was cut', () => {
    const line = lineOf(2, 30);
    for (let cut = 0; cut <= line.length; cut++) {
      const ledger = createLedger();
      mkdirSync(ledger.folder, { recursive: true });
      writeFileSync(ledger.path(`${writer}.jsonl`), lineOf(1) + line.slice(0, cut));
      const { offset, name } = ledger.appender().append(lineOf(3), none);
      expect(name).toBe(`${writer}.jsonl`);
      expect(ledger.text(name).slice(offset)).toBe(lineOf(3));
      const isWhole = cut >= line.length - 1;
      expect(numbersIn(ledger)).toEqual(cut === 0 ? [1, 3] : [1, isWhole ? 2 : null, 3]);
    }
  });

  it('begins a fresh segment past its limit, and goes on in the newest one that has room', () => {
    const ledger = createLedger();
    const big = segmentLimit / 2;
    for (let number = 0; number < 5; number++) {
      ledger.appender().append(lineOf(number, big), none);
      ledger.pass(1);
    }
    expect(ledger.names()).toHaveLength(3);
    const { name } = ledger.appender().append(lineOf(5), none);
    expect(name).toBe(ledger.names().at(-1));
    expect(numbersIn(ledger)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('never touches a segment of another writer, nor one that the index of git holds', () => {
    const ledger = createLedger();
    mkdirSync(ledger.folder, { recursive: true });
    const other = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c8';
    writeFileSync(ledger.path(`${other}.jsonl`), lineOf(1));
    const appender = ledger.appender();
    appender.append(lineOf(2), none);
    const tracked = new Set([nameOf(1)]);
    appender.append(lineOf(3), tracked);
    appender.append(lineOf(4), tracked);
    ledger.appender().append(lineOf(5), tracked);
    expect(ledger.names()).toEqual([nameOf(1), nameOf(2), `${other}.jsonl`].sort());
    expect(ledger.text(nameOf(2))).toBe(lineOf(3) + lineOf(4) + lineOf(5));
    expect([ledger.text(nameOf(1)), ledger.text(`${other}.jsonl`)]).toEqual([lineOf(2), lineOf(1)]);
  });

  it('begins a fresh segment while nobody can say what git tracks', () => {
    const ledger = createLedger();
    const appender = ledger.appender();
    for (let number = 1; number <= 3; number++) appender.append(lineOf(number), 'unknown');
    expect(ledger.names()).toEqual([nameOf(1), nameOf(2), nameOf(3)]);
    expect(appender.append(lineOf(4), none).name).toBe(nameOf(3));
  });

  it.each([
    ['replaced', (path: string) => renameSync(`${path}.new`, path)],
    ['deleted', (path: string) => rmSync(path)],
  ] as const)('notices that its segment was %s while it wrote, and adds the line to a fresh one', (what, act) => {
    const faulty = createFaultyDisk();
    const ledger = createLedger(faulty.disk);
    const appender = ledger.appender();
    appender.append(lineOf(1), none);
    ledger.pass(60_000);
    const path = ledger.path(nameOf(1));
    writeFileSync(`${path}.new`, lineOf(7));
    let isDone = false;
    faulty.before(
      ({ name, path: at }) => !isDone && name === 'writeSync' && at === path,
      () => {
        isDone = true;
        act(path);
      },
    );
    appender.append(lineOf(2), none);
    rmSync(`${path}.new`, { force: true });
    expect(isDone).toBe(true);
    expect(numbersIn(ledger)).toEqual(what === 'replaced' ? [7, 2] : [2]);
  });

  it('gives up on a disk that finds no segment again, and fills it with no more than a few', () => {
    const faulty = createFaultyDisk();
    const ledger = createLedger(faulty.disk);
    faulty.plan({ at: 0, failure: 'EIO', kind: 'statSync', path: /\.jsonl$/u, lasting: true });
    expect(() => ledger.appender().append(lineOf(1), none)).toThrow(expect.objectContaining({ code: 'EIO' }));
    expect(ledger.names().length).toBeLessThan(10);
    faulty.plan(null);
    expect(ledger.appender().append(lineOf(2), none).bytes.toString()).toBe(lineOf(2));
  });

  it.each([
    ['gone', (path: string) => rmSync(path)],
    ['cut', (path: string) => writeFileSync(path, '')],
  ] as const)('says what it wrote a moment ago where that is %s', (_, act) => {
    const ledger = createLedger();
    const appender = ledger.appender();
    expect(appender.missing()).toEqual([]);
    appender.append(lineOf(1), none);
    appender.append(lineOf(2), none);
    expect(appender.missing()).toEqual([]);
    act(ledger.path(nameOf(1)));
    expect(appender.missing()).toMatchObject([1, 2].map((number) => ({ name: nameOf(1), lines: lineOf(number) })));
    ledger.pass(60_000);
    expect(appender.missing()).toEqual([]);
  });

  it('puts what is missing before what it adds, and does not miss it again', () => {
    const ledger = createLedger();
    const appender = ledger.appender();
    appender.append(lineOf(1), none);
    appender.append(lineOf(2), none);
    rmSync(ledger.path(nameOf(1)));
    expect(appender.append(lineOf(3), none, appender.missing())).toMatchObject({ name: nameOf(2), offset: 0, before: null });
    expect(ledger.text(nameOf(2))).toBe(lineOf(1) + lineOf(2) + lineOf(3));
    expect(appender.missing()).toEqual([]);
    rmSync(ledger.path(nameOf(2)));
    expect(appender.missing().map(({ lines }) => lines)).toEqual([lineOf(1) + lineOf(2) + lineOf(3)]);
  });

  it('fails with the error of the system, leaves whole lines whole, and works when that is over', () => {
    for (let at = 0; ; at++) {
      const faulty = createFaultyDisk();
      const ledger = createLedger(faulty.disk);
      const appender = ledger.appender();
      appender.append(lineOf(1), none);
      faulty.plan({ at, failure: at % 2 === 0 ? 'ENOSPC' : 'EIO' });
      let isRefused = false;
      try {
        appender.append(lineOf(2), none);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^E/u) });
        isRefused = true;
      }
      const { hasFailed } = faulty;
      faulty.plan(null);
      appender.append(lineOf(3), none);
      const numbers = numbersIn(ledger);
      expect(numbers.filter((number) => number === 1)).toHaveLength(1);
      expect(numbers.at(-1)).toBe(3);
      if (!isRefused) expect(numbers).toContain(2);
      if (!hasFailed) break;
    }
  });
});

describe('a ledger that is cut in its last line', () => {
  const entries = fc.array(arbitraryEntry(), { minLength: 1, maxLength: 3 });
  const textOf = (lines: readonly string[]) => Buffer.from(lines.join(''));

  it('reads as a prefix, at whatever byte', async () => {
    const lines = fc.sample(entries, { numRuns: 1, seed: 11 })[0]!.map(entryLine);
    const whole = textOf(lines);
    const beginning = textOf(lines.slice(0, -1));
    const prefix = await read(beginning);
    for (let end = beginning.length; end < whole.length - 1; end++) expect(await read(whole.subarray(0, end))).toEqual(prefix);
    expect(await read(whole.subarray(0, -1))).toEqual(await read(whole));
  });

  it('loses nothing that is added after', async () => {
    await fc.assert(
      fc.asyncProperty(entries, arbitraryEntry(), fc.nat(), async (before, after, seed) => {
        const lines = before.map(entryLine);
        const cut = textOf(lines).subarray(0, textOf(lines.slice(0, -1)).length + (seed % (Buffer.byteLength(lines.at(-1)!) - 1)));
        const ledger = createLedger();
        mkdirSync(ledger.folder, { recursive: true });
        writeFileSync(ledger.path(`${writer}.jsonl`), cut);
        const replica = new Replica(realDisk, ledger.vmark);
        await replica.refresh();
        ledger.appender().append(entryLine(after), none);
        await replica.refresh();
        expect(dumpReading(replica.reading)).toEqual(await read(textOf([...lines.slice(0, -1), entryLine(after)])));
      }),
      { numRuns: 40 },
    );
  });
});

/** What a replica reads from a ledger of this one segment. */
async function read(bytes: Buffer) {
  const { vmark, folder, path } = createLedger();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path(`${writer}.jsonl`), bytes);
  const replica = new Replica(realDisk, vmark);
  await replica.refresh();
  rmSync(vmark, { recursive: true });
  return dumpReading(replica.reading);
}
