// Rows 1 to 6 and 15 of `spec/quality.md` §1 with their curves: node --expose-gc bench/ledger.ts [--scale 1] [--rounds 7] [--large]
import { parseArgs } from 'node:util';
import { keepBreakdowns } from '#core/workspace/breakdown';
import { createMemory } from '#core/workspace/memory';
import { coldRows, commandRows, rebuildRow, timeRebuild } from './cold.ts';
import { copyOf, type Data, deviation, ledgerData, scratch } from './data.ts';
import { load } from './machine.ts';
import { longestBlock, median } from './measure.ts';
import { firstPage, openWorkspace } from './page.ts';
import { frozenProgram } from './program.ts';
import { replayRows } from './replay.ts';
import { blockTable, goalTable, type Row, short, table } from './report.ts';
import { saveRow, timeSave } from './save.ts';
import { appendRows, breakdownRows } from './warm.ts';

const { values } = parseArgs({ options: { scale: { type: 'string' }, rounds: { type: 'string' }, large: { type: 'boolean' } } });
const rounds = Number(values.rounds ?? 7);
const program = frozenProgram();
const before = load();
const data = ledgerData(Number(values.scale ?? 1));
const outside = deviation(data.facts);
console.log(`${outside ?? 'Inside the envelope.'}\n\n## Ledger\n`);

const rows = [...(await replayRows(data.folder, rounds)), await rebuildRow(program, data.folder, rounds)];
rows.push(...(await coldRows(program, data.folder, rounds * 3)), ...(await warmRows(data)));
rows.push(await saveRow(data.folder, rounds), ...(await commandRows(program, rounds * 3)));
console.log(`${goalTable(rows, outside === null)}\n`);
console.log(`### How the cost grows\n\n${await curves(values.large ? [0.1, 1, 10] : [0.1, 1])}\n`);
console.log(`### The longest block of the event loop\n\n${await blocks(data)}\n`);
console.log(`Load average before: ${before}; after: ${load()}.`);

async function warmRows({ folder }: Data): Promise<Row[]> {
  const workspace = openWorkspace(copyOf(folder, 'warm'), scratch('warm-home'));
  await workspace.replica.refresh();
  return [...(await breakdownRows(workspace, rounds * 3)), ...(await appendRows(workspace, rounds))];
}

/** A rebuild must be linear; what a save costs must not depend on the ledger. */
async function curves(scales: readonly number[]): Promise<string> {
  const cells: string[][] = [];
  for (const scale of scales) {
    const { folder, facts } = ledgerData(scale);
    const turns = scale > 1 ? 3 : rounds;
    const [, rebuild] = await timeRebuild(program, folder, turns);
    const [, saved] = await timeSave(folder, turns);
    const perEntry = (rebuild!.median / facts.entries!) * 1000;
    cells.push([
      `${scale}×`,
      `${facts.entries}`,
      short(rebuild!.median),
      short(perEntry),
      short(rebuild!.ratio),
      short(saved!.median),
      short(saved!.ratio),
    ]);
  }
  return table(['envelope', 'entries', 'rebuild, ms', 'µs an entry', 'ratio', 'save, ms', 'ratio'], cells);
}

async function blocks({ folder }: Data): Promise<string> {
  const root = copyOf(folder, 'blocks');
  const home = scratch('blocks-home');
  const readings: Record<string, number>[] = [];
  for (let round = 0; round < 3; round++) {
    const workspace = openWorkspace(root, home);
    readings.push({
      'reading the ledger': await longestBlock(() => workspace.replica.refresh()),
      'rebuild, with its index': await longestBlock(() => createMemory(workspace).rebuild()),
      'recalling the index': await longestBlock(() => createMemory(openWorkspace(root, home)).recall(false)),
      'counts and 200 rows': await longestBlock(async () => firstPage(workspace, 200)),
      'core’s answer, with every row': await longestBlock(() => keepBreakdowns(workspace, true).answer({ all: false, scanned: null })),
    });
  }
  const works = Object.keys(readings[0]!);
  return blockTable(
    works.map((work) => [work, median(readings.map((reading) => reading[work]!))]),
    outside === null,
  );
}
