import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realDisk } from '#core/storage/disk';
import { startStatMate, statProgram } from '#core/workspace/stat-mate';
import { beginTurn, createStatTable, fillTable, type StatSide, statIn } from '#core/workspace/stat-table';
import { type Look, Sweep } from '#core/workspace/sweep';
import { walkDocuments } from '#core/workspace/walk';
import { createFolder } from '../../helpers/workspace';

const count = 150;
const nameOf = (at: number) => `${String(at % count).padStart(3, '0')}.md`;
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
const act = fc.record({
  file: fc.nat(count - 1),
  kind: fc.constantFrom('edit', 'touch', 'remove', 'add', 'link', 'folder'),
  text: fc.stringMatching(/^[a-z]{1,4}$/u),
});

function perform(folder: string, { file, kind, text }: Act): void {
  const path = join(folder, kind === 'add' ? `${text}.md` : nameOf(file));
  if (kind === 'touch' && realDisk.existsSync(path)) utimesSync(path, file, file);
  if (kind !== 'touch') rmSync(path, { recursive: true, force: true });
  if (kind === 'edit' || kind === 'add') writeFileSync(path, `${text}\n`);
  else if (kind === 'link') symlinkSync(nameOf(file + 1), path);
  else if (kind === 'folder') mkdirSync(path);
}

/** All that a look says, but for the moment of each reading. */
const said = ({ files, missing, unreadable, findings, isSame }: Look) => ({
  files: [...files.values()].map(({ readAt: _, ...file }) => file),
  missing: [...missing],
  unreadable: [...unreadable],
  findings,
  isSame,
});

/** A clock so far ahead that every stat is trusted at once. */
const later = () => Date.now() + 10_000;

describe('a look at many files', () => {
  it.each([
    ['with a second thread', statProgram(realDisk)],
    ['with one that has no program', '/nowhere/stat-worker.js'],
  ])('says the same %s as without', async (_, program) => {
    expect(program).not.toBe(null);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(act, { maxLength: 6 }), { minLength: 2, maxLength: 6 }), async (turns) => {
        const folder = createFolder();
        for (let at = 0; at < count; at++) writeFileSync(join(folder, nameOf(at)), `text ${at}\n`);
        const [alone, helped] = [new Sweep(realDisk, folder, later), new Sweep(realDisk, folder, later, { program, worth: 1 })];
        const registered = Array.from({ length: count }, (_, at) => nameOf(at));
        for (const acts of [[], [], ...turns]) {
          for (const one of acts) perform(folder, one);
          helped.begin();
          const paths = [...new Set([...walkDocuments(realDisk, folder).paths, ...registered])];
          expect(said(await helped.look(paths))).toEqual(said(await alone.look(paths)));
        }
        await helped.close();
      }),
      { numRuns: 8 },
    );
  });

  it('is shared by a thread that is told to begin', async () => {
    const folder = createFolder();
    const files = Array.from({ length: count }, (_, at) => join(folder, nameOf(at)));
    for (const file of files) writeFileSync(file, file);
    const mate = startStatMate(statProgram(realDisk)!, files);
    onTestFinished(async () => void (await mate.close()));
    expect(statIn(mate.table, 0)).toBe(null);
    mate.begin();
    await expect.poll(() => statIn(mate.table, count - 1)?.size).toBe(files[0]!.length);
    const other = mate.over(files.slice(1));
    other.begin();
    await expect.poll(() => statIn(other.table, 0)?.ino).toBe(realDisk.lstatSync(files[1]!).ino);
  });
});

describe('a table that two threads fill', () => {
  it('holds of each file what was seen in this turn by whoever took it, or nothing', () => {
    const step = fc.constantFrom<StatSide | 'turn'>('own', 'mate', 'own', 'mate', 'turn');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.array(step, { minLength: 1, maxLength: 40 }), (length, steps) => {
        const files = Array.from({ length }, (_, at) => `${at}`);
        const table = createStatTable(length);
        let [turn, isAtWork] = [0, false];
        const seen = new Set<string>();
        const looking = {
          lstatSync: (path: string) => {
            expect(seen.has(path)).toBe(false);
            seen.add(path);
            return Number(path) % 7 === 0 ? undefined : { isFile: () => true, size: turn, mtimeMs: turn, ctimeMs: turn, ino: Number(path) };
          },
        } as unknown as Parameters<typeof fillTable>[0];
        const begun = () => ({ own: fillTable(looking, table, files, 'own'), mate: fillTable(looking, table, files, 'mate') });
        let sides = begun();
        for (const one of ['turn' as const, ...steps]) {
          if (one === 'turn') {
            turn++;
            seen.clear();
            beginTurn(table);
            // A thread that is at the turn before takes no more of it.
            if (isAtWork) expect([...sides.mate]).toEqual([]);
            sides = begun();
            isAtWork = false;
          } else {
            isAtWork ||= one === 'mate';
            sides[one].next();
          }
          for (const [at, file] of files.entries()) {
            const isThere = seen.has(file) && at % 7 !== 0;
            expect(statIn(table, at)).toEqual(isThere ? { size: turn, mtimeMs: turn, ctimeMs: turn, ino: at } : null);
          }
        }
      }),
    );
  });

  it('keeps what a late thread saw in the turn before out of this one', () => {
    const table = createStatTable(1);
    const disk = (size: number, meanwhile = () => {}) =>
      ({
        lstatSync() {
          meanwhile();
          return { isFile: () => true, size, mtimeMs: 0, ctimeMs: 0, ino: 1 };
        },
      }) as unknown as Parameters<typeof fillTable>[0];
    beginTurn(table);
    const next = () => {
      beginTurn(table);
      for (const _ of fillTable(disk(2), table, ['a'], 'own'));
    };
    for (const _ of fillTable(disk(1, next), table, ['a'], 'mate'));
    expect(statIn(table, 0)).toMatchObject({ size: 2 });
  });
});
