// Row 13 of `spec/quality.md` §1 and `spec/code-anchors.md` §7, as core does it: node --expose-gc bench/anchor-check.ts [--anchors 1000] [--rounds 3]
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Language, Parser } from 'web-tree-sitter';
import { type Core, openCore } from '#core/core';
import { parseDeclarations } from '#core/grammars/parse';
import { codeData, dataFolder } from './data.ts';
import { load } from './machine.ts';
import { longestTurn, median } from './measure.ts';
import { short, table } from './report.ts';

const { values } = parseArgs({ options: { anchors: { type: 'string' }, rounds: { type: 'string' } } });
const rounds = Number(values.rounds ?? 3);
const before = load();
const data = codeData(2000, 30_000_000);
const wanted = Number(values.anchors ?? 1000);
// Making so many anchors takes longer than checking them: they are kept for later runs, like what they are made of.
const kept = join(dataFolder, `anchored-${wanted}-${data.facts.bytes}`);
const [root, home] = [join(kept, 'data'), join(kept, 'home')];
const isMade = existsSync(join(kept, 'made'));
if (!isMade) rmSync(kept, { recursive: true, force: true });
// A run that was stopped may have left a file where it had moved it.
rmSync(join(root, 'elsewhere'), { recursive: true, force: true });
cpSync(data.folder, root, { recursive: true });
const paths = globSync('**/*.ts', { cwd: root }).sort();
const size = paths.reduce((sum, path) => sum + readFileSync(join(root, path)).length, 0);
writeFileSync(join(root, 'about.md'), '# About\n\nWhat the code does.\n');

const open = () => openCore({ folder: root, env: { ...process.env, STEMMA_HOME: home } });
const forget = () => rmSync(join(home, 'code'), { recursive: true, force: true });

/** One anchor in each of so many files; what stands elsewhere is not looked at, so that making them takes no time to speak of. */
async function makeAnchors(core: Core): Promise<void> {
  await core.init();
  core.writeSetting('anchors.repositoryFiles', 1);
  let made = 0;
  for (const file of paths) {
    const parsed = await parseDeclarations(readFileSync(join(root, file)), file);
    const one = parsed?.declarations.find(({ container, bodyTokens, damaged }) => container === '' && bodyTokens > 30 && !damaged);
    if (one === undefined) continue;
    if (made++ === wanted) break;
    const target = { kind: 'declaration', name: one.qualifiedName, declared: one.kind } as const;
    const document = join(root, 'about.md');
    await core.anchors.add({ document, section: [], repository: null, file, target, by: { type: 'human' } });
  }
  core.writeSetting('anchors.repositoryFiles', null);
}

type Reading = readonly [ms: number, block: number, cpu: number];

async function timed(work: () => Promise<unknown>): Promise<Reading> {
  globalThis.gc?.();
  let ms = 0;
  const { block, cpu } = await longestTurn(async () => {
    const start = performance.now();
    await work();
    ms = performance.now() - start;
  });
  return [ms, block, cpu];
}

const first = await open();
if (!isMade) await makeAnchors(first);
const anchors = (await first.anchors.list(null)).anchors.length;
await first.close();
writeFileSync(join(kept, 'made'), '');

await parseDeclarations(new Uint8Array(), 'a.ts');
const parser = new Parser();
parser.setLanguage(await Language.load(join(import.meta.dirname, '../grammars/typescript.wasm')));
const parseAlone = async () => {
  for (const path of paths) parser.parse(readFileSync(join(root, path), 'utf8'))?.delete();
};

const readings = new Map<string, Reading[]>();
const note = async (name: string, work: () => Promise<unknown>) => {
  readings.set(name, [...(readings.get(name) ?? []), await timed(work)]);
};
const states: string[] = [];
for (let round = 0; round < rounds; round++) {
  await note('alone', parseAlone);
  forget();
  const core = await open();
  const check = async () => {
    const answer = await core.anchors.check({ document: null, observe: false });
    const { limit, files_read } = answer.budget;
    states.push(`${answer.complete ? 'complete' : `limit ${limit}`}, ${files_read} files read`);
  };
  await note('nothing cached, all in their place', check);
  await note('again, nothing changed', check);
  const gone = join(root, paths[0]!);
  const elsewhere = join(root, 'elsewhere', basename(gone));
  rmSync(join(root, 'elsewhere'), { recursive: true, force: true });
  mkdirSync(join(root, 'elsewhere'));
  renameSync(gone, elsewhere);
  forget();
  await core.close();
  const other = await open();
  const look = async () => {
    const answer = await other.anchors.check({ document: null, observe: false });
    const moved = answer.anchors.filter(({ state }) => state !== 'fresh');
    states.push(
      `${answer.complete ? 'complete' : `limit ${answer.budget.limit}`}, ${answer.budget.files_read} files read, ${moved.length} not fresh`,
    );
  };
  await note('nothing cached, one moved: every file is read', look);
  await note('the same again', look);
  await other.close();
  const reopened = await open();
  await note('the same in a program that was started anew', () => reopened.anchors.check({ document: null, observe: false }));
  await reopened.close();
  renameSync(elsewhere, gone);
}
if (rounds === 0) process.exit();
const [alone, ...works] = [...readings];
const parse = median(alone![1].map(([ms]) => ms));
const rows = works.map(([name, all]) => [
  name,
  short(median(all.map(([ms]) => ms))),
  short(median(all.map(([ms]) => ms)) / parse),
  short(Math.max(...all.map(([, block]) => block))),
  short(Math.max(...all.map(([, , cpu]) => cpu))),
]);
console.log(
  `## A check of code anchors\n\n${anchors} anchors, ${paths.length} files of TypeScript, ${(size / 1e6).toFixed(1)} MB; parsing alone on one thread: ${short(parse)} ms.\n`,
);
console.log(table(['check', 'ms', 'of parsing alone', 'longest block, ms', 'most worked in one turn, ms of CPU'], rows));
console.log([...new Set(states)].join('\n'));
console.log(`\nLoad average before: ${before}; after: ${load()}.`);
