// Row 13 of `spec/quality.md` §1: node --expose-gc bench/declarations.ts [--files 2000] [--bytes 30000000] [--rounds 3] [--folder SOURCES]
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Language, Parser } from 'web-tree-sitter';
import { parseDeclarations } from '#core/grammars/parse';
import { createParsePool } from '#core/grammars/pool';
import { codeData } from './data.ts';
import { load } from './machine.ts';
import { compare, longestBlock } from './measure.ts';
import { blockTable, goalTable, short } from './report.ts';

const options = { files: { type: 'string' }, bytes: { type: 'string' }, rounds: { type: 'string' }, folder: { type: 'string' } } as const;
const { values } = parseArgs({ options });
const rounds = Number(values.rounds ?? 3);
const before = load();
const folder = values.folder ?? codeData(Number(values.files ?? 2000), Number(values.bytes ?? 30_000_000)).folder;
const sources = globSync('**/*.ts', { cwd: folder }).map((path) => ({ path, bytes: readFileSync(join(folder, path)) }));
const size = sources.reduce((sum, { bytes }) => sum + bytes.length, 0);

// The runtime is started once for a process, and by the program itself.
await parseDeclarations(new Uint8Array(), 'a.ts');
const parser = new Parser();
parser.setLanguage(await Language.load(join(import.meta.dirname, '../grammars/typescript.wasm')));
// They are started in the round that warms up, like the parser beside them, and stay.
const pool = createParsePool(undefined, 600_000);

function parseAlone(): void {
  for (const { bytes } of sources) parser.parse(bytes.toString('utf8'))?.delete();
}

async function onThisThread(): Promise<void> {
  for (const { path, bytes } of sources) await parseDeclarations(bytes, path, { trigrams: true });
}

async function cpuOf(work: () => unknown): Promise<number> {
  globalThis.gc?.();
  const since = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const inThreads = () => Promise.all(sources.map(({ path, bytes }) => pool.parse(bytes, path, { trigrams: true })));

const work = `${sources.length} files of TypeScript, ${(size / 1e6).toFixed(1)} MB`;
const [alone, ours, single] = await compare(
  [
    { name: `tree-sitter parsing alone, one thread`, run: parseAlone },
    { name: `declarations of ${work}, in threads`, run: inThreads },
    { name: 'the same on one thread', run: onThisThread },
  ],
  rounds,
);
const longest = await longestBlock(inThreads);
// What other programs take of the machine is not in these.
const [cpuAlone, cpuOurs] = [await cpuOf(parseAlone), await cpuOf(inThreads)];
await pool.close();
const rows = [
  {
    number: '13',
    beside: alone!.name,
    yardstick: alone!,
    ours: ours!,
    goal: 0.75,
    cause: `${availableParallelism()} processors for ${load()} of load.`,
  },
  { number: '', beside: alone!.name, yardstick: alone!, ours: single!, goal: null },
];
console.log(`## Declarations\n\n${goalTable(rows, true)}\n`);
console.log(`${blockTable([[`declarations of ${work}`, longest]], true)}\n`);
console.log(`Time of processors, all threads: ${short(cpuOurs / cpuAlone)} of that of parsing alone (${short(cpuAlone)} ms).\n`);
console.log(`Load average before: ${before}; after: ${load()}.`);
