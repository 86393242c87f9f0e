// Row 9 of `spec/quality.md` §1: node --expose-gc bench/search.ts [--files 5000] [--rounds 7]
import { spawnSync } from 'node:child_process';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSearchDesk, type SearchDesk } from '#core/search/search-desk';
import { realDisk } from '#core/storage/disk';
import type { SearchRequest } from '#protocol/search-calls';
import { asking } from '../test/core/search/asking.ts';
import { copyOf, deviation, documentData, scratch } from './data.ts';
import { load } from './machine.ts';
import { compare, longestTurn, type Timing } from './measure.ts';
import { blockTable, goalTable, type Row, short } from './report.ts';

const { values } = parseArgs({ options: { files: { type: 'string' }, rounds: { type: 'string' }, large: { type: 'boolean' } } });
const rounds = Number(values.rounds ?? 7);
const amount = Number(values.files ?? 5000);
async function measure(): Promise<void> {
  const { folder, facts } = documentData(amount);
  const outside = deviation(facts);
  const root = copyOf(folder, 'search');
  // A word in three documents.
  for (const number of [7, 2000, 4000].map((at) => at % facts.files!))
    appendFileSync(
      join(root, `area-${String(Math.floor(number / 50)).padStart(4, '0')}`, `note-${String(number).padStart(6, '0')}.md`),
      'zqxneedle\n',
    );
  const file = join(scratch('search-home'), 'search.db');
  const desk = createSearchDesk({ disk: realDisk, root, file });
  desk.watched(true);
  const since = performance.now();
  let slowest = 0;
  const indexing = await longestTurn(async () => {
    slowest = await indexed(desk);
  });
  const took = performance.now() - since;
  const taking = await longestTurn(() => search(desk, { text: 'area' }, false));
  const rows = [];
  for (const row of searches) rows.push(...(await rowsOf(desk, root, row)));
  await desk.close();
  if (outside !== null) console.log(`${outside}\n`);
  console.log(`${goalTable(rows, outside === null)}\n`);
  console.log(
    `The index was built in ${short(took / 1000)} s in the background, with the rest of its files two seconds old; it has ${short(statSync(file).size / 2 ** 20)} MB. Meanwhile, after the first answer, the slowest part of an answer came after ${short(slowest)} ms.\n`,
  );
  console.log(
    `### The longest block of the event loop\n\n${blockTable(
      [
        ['the index is built', indexing.block],
        ['every match is taken', taking.block],
      ],
      outside === null,
    )}\n`,
  );
  console.log(`Of that in CPU time of core's own thread: ${short(indexing.cpu)} and ${short(taking.cpu)} ms.\n`);
  console.log(`Load average before: ${before}; after: ${load()}.`);
}

interface Compared {
  readonly name: string;
  readonly request: Partial<SearchRequest>;
  readonly rg: readonly string[];
  /** Only the first part is taken, as the window shows it first. */
  readonly isFirst?: boolean;
  readonly goal: number | null;
  readonly cause?: string;
}

const readsAll = 'nothing rules a document out, so each is read and looked through, on one core; rg has two.';

const searches: readonly Compared[] = [
  { name: 'a word in 3 documents', request: { text: 'zqxneedle' }, rg: ['-F', '-i', 'zqxneedle'], goal: 0.05 },
  {
    name: 'a word in every document, first 200 matches with their lines',
    request: { text: 'area' },
    rg: ['-F', '-i', 'area'],
    isFirst: true,
    goal: 0.3,
  },
  {
    name: 'the second letter of that word, first 200 matches with their lines',
    request: { text: 'ar' },
    rg: ['-F', '-i', 'ar'],
    isFirst: true,
    goal: 0.3,
  },
  {
    name: 'a word in every document, every match with its line',
    request: { text: 'area' },
    rg: ['-n', '-F', '-i', 'area'],
    goal: 1,
    cause:
      'each of the 156,740 matches (at 5,000 documents) gets its place and its line, and each document its hash, for a replacement; on one core. The window asks for that a few hundred matches at a time.',
  },
  {
    name: 'a text of several words that is nowhere',
    request: { text: 'salt on her sleeve' },
    rg: ['-F', '-i', 'salt on her sleeve'],
    goal: 1,
  },
  { name: 'two letters that are nowhere', request: { text: 'zj', matchesCase: true }, rg: ['-F', 'zj'], goal: 1 },
  {
    name: 'an expression with letters in it',
    request: { text: '[A-Z]\\w+shift', isExpression: true, matchesCase: true },
    rg: ['[A-Z]\\w+shift'],
    goal: 1.2,
  },
  { name: 'an expression without any', request: { text: '\\d{7}', isExpression: true }, rg: ['[0-9]{7}'], goal: 1.2, cause: readsAll },
];

async function rowsOf(desk: SearchDesk, root: string, { name, request, rg, isFirst = false, goal, cause }: Compared): Promise<Row[]> {
  const [yardstick, ours] = (await compare(
    [
      {
        name: `rg ${rg.join(' ')}`,
        run: () => void spawnSync('rg', [...(rg.includes('-n') ? [] : ['-l']), ...rg, root], { maxBuffer: 2 ** 30 }),
      },
      { name, run: () => search(desk, request, isFirst) },
    ],
    rounds,
  )) as [Timing, Timing];
  return [{ number: '9', beside: yardstick.name, yardstick, ours, goal, ...(cause === undefined ? {} : { cause }) }];
}

async function search(desk: SearchDesk, request: Partial<SearchRequest>, isFirst: boolean): Promise<number> {
  let found = 0;
  for (let after: string | null = null, isBegun = false; !isBegun || (after !== null && !isFirst); isBegun = true) {
    const part = await desk.find(asking('', { ...request, after }));
    if (part.kind !== 'found') throw new Error(part.kind);
    found += part.files.length;
    after = part.after;
  }
  return found;
}

/** Waits until the index tells the documents apart; answers how long the slowest part took, in ms, but for the first. */
async function indexed(desk: SearchDesk): Promise<number> {
  const request = asking('zqxneedle');
  for (let slowest = 0, isFirst = true; ; isFirst = false) {
    const since = performance.now();
    const part = await desk.find(request);
    if (!isFirst) slowest = Math.max(slowest, performance.now() - since);
    if (part.kind === 'found' && part.of <= 3) return slowest;
    await setTimeout(100);
  }
}

const before = load();
console.log('## Search\n');
if (spawnSync('rg', ['--version']).error === undefined) await measure();
else console.log('Not measured: `rg` (ripgrep), which it is compared with, is not on this machine.');
