// `npm run kills:window [COUNT] [SEED]`: kills the page, core or the whole app while somebody types, saves, renames and merges, COUNT times at random moments (200), and says what was lost: nothing that is older than a second. The app is to be built.
import { killWindows, nothingCounted, type WindowKillReport } from '../e2e/window-kills.ts';

const [count = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const batch = 10;
const total = { kills: { page: 0, core: 0, app: 0 }, ...nothingCounted() };
const said = ({ kills, words, lost, saves, renames, outside, merges, taken, killedMerges }: Omit<WindowKillReport, 'seed'>) =>
  [
    `${kills.page} pages, ${kills.core} cores, ${kills.app} apps, ${killedMerges} of them while merging`,
    `${words} words, ${lost} of the last second lost`,
    `${saves} saves, ${renames} renames, ${outside} changes by others, ${merges} merges, ${taken} taken`,
  ].join('; ');

for (let begun = 0; begun < count; begun += batch) {
  const report = await killWindows(Math.min(batch, count - begun), seed + begun, process.env.STEMMA_TOLD === '1' ? console.log : undefined);
  console.log(`seed ${report.seed}: ${said(report)}; a word was heard within ${Math.round(report.slowest)} ms`);
  for (const victim of ['page', 'core', 'app'] as const) total.kills[victim] += report.kills[victim];
  for (const counted of Object.keys(nothingCounted()) as (keyof ReturnType<typeof nothingCounted>)[])
    total[counted] = counted === 'slowest' ? Math.max(total.slowest, report.slowest) : total[counted] + report[counted];
}
console.log(`${said(total)}: no word older than a second lost, 0 files torn, 0 written unasked`);
