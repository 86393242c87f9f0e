// Rows 7 and 8 of `spec/quality.md` §1: node --expose-gc bench/scan.ts [--files 5000] [--rounds 7] [--large]
import { hash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCore } from '#core';
import { realDisk } from '#core/storage/disk';
import { statProgram } from '#core/workspace/stat-mate';
import { Sweep } from '#core/workspace/sweep';
import { walkDocuments } from '#core/workspace/walk';
import { copyOf, type Data, deviation, documentData, scratch } from './data.ts';
import { load } from './machine.ts';
import { compare, longestBlock, median } from './measure.ts';
import { run } from './program.ts';
import { blockTable, goalTable, type Row } from './report.ts';

const { values } = parseArgs({ options: { files: { type: 'string' }, rounds: { type: 'string' }, large: { type: 'boolean' } } });
const rounds = Number(values.rounds ?? 7);
const before = load();
const data = documentData(Number(values.files ?? 5000));
const outside = deviation(data.facts);
console.log(`${outside ?? 'Inside the envelope.'}\n\n## Scan\n`);

const longest: [work: string, ms: number][] = [];
const rows = [...(await checkRows(data, 1)), await firstScanRow(data)];
if (values.large) rows.push(...(await checkRows(documentData(50_000), 1.3)));
console.log(`${goalTable(rows, outside === null)}\n`);
console.log(`### The longest block of the event loop\n\n${blockTable(longest, outside === null)}\n`);
console.log(`Load average before: ${before}; after: ${load()}.`);

/** Row 7: nothing has changed, and a new file would have been found. Every document is tracked and committed; git does not see the ledger. */
async function checkRows({ folder, facts }: Data, goal: number): Promise<Row[]> {
  const root = copyOf(folder, `check-${facts.files}`);
  const git = (...args: string[]) => run('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...args], { cwd: root });
  git('init', '-q');
  const core = await openCore({ folder: root, env: { ...process.env, STEMMA_HOME: scratch('check-home') } });
  await core.init();
  await core.track({ paths: null, dryRun: false });
  git('add', '--all', '--', ':!.vmark');
  git('commit', '-qm', 'all documents');
  run('sh', ['-c', 'echo .vmark/ >> .git/info/exclude'], { cwd: root });
  const sweep = new Sweep(realDisk, root, Date.now, { program: statProgram(realDisk) });
  const check = () => {
    sweep.begin();
    return sweep.look(walkDocuments(realDisk, root).paths);
  };
  // A file that was touched within two seconds of being read is read again.
  await setTimeout(2100);
  for (let turn = 0; turn < 2; turn++) {
    await check();
    await core.scan();
  }
  const methods = [
    { name: `git status --porcelain, ${facts.files} documents`, run: () => run('git', ['status', '--porcelain'], { cwd: root }) },
    { name: `check of ${facts.files} unchanged documents`, run: () => core.scan() },
    { name: 'its walk and its look at every file', run: check },
  ];
  const [yardstick, ...timings] = await compare(methods, rounds * 3);
  longest.push([`check of ${facts.files} documents`, await longestBlock(() => core.scan())]);
  await core.close();
  await sweep.close();
  const cause = 'every folder is listed again by one thread; two look at every file, as git does.';
  return timings.map((ours, at) => ({
    number: '7',
    beside: yardstick!.name,
    yardstick: yardstick!,
    ours,
    goal: at === 0 ? goal : null,
    cause,
  }));
}

/** Row 8: everything is read and hashed for the first time, as the sweep of a scan does it. */
async function firstScanRow({ folder }: Data): Promise<Row> {
  const paths = walkDocuments(realDisk, folder).paths;
  const files = paths.map((path) => join(folder, path));
  const contents = files.map((file) => readFileSync(file));
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const look = () => new Sweep(realDisk, folder, Date.now).look(walkDocuments(realDisk, folder).paths);
  const methods = [
    {
      name: 'reading everything + hashing it in memory',
      run() {
        for (const file of files) readInto(buffer, file);
        for (const bytes of contents) hash('sha256', bytes, 'hex');
      },
    },
    { name: 'first scan: walk, read, identity, hash', run: look },
  ];
  const [yardstick, ours] = await compare(methods, rounds);
  longest.push(['first scan', median([await longestBlock(look), await longestBlock(look), await longestBlock(look)])]);
  const cause = 'the walk, a look at the kind of each file that is opened, and one thread.';
  return { number: '8', beside: yardstick!.name, yardstick: yardstick!, ours: ours!, goal: 1.2, cause };
}

function readInto(buffer: Buffer, file: string): void {
  const handle = openSync(file, 'r');
  while (readSync(handle, buffer, 0, buffer.length, null) > 0);
  closeSync(handle);
}
