// `npm run bench:breakdown`: the breakdown in a browser over half a million inputs: it opens, filters, searches and scrolls. [--rounds 5]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../e2e/launch.ts';
import { copyOf, scratch, writtenLedger } from './data.ts';
import { load, machine } from './machine.ts';
import { table } from './report.ts';

const at = process.argv.indexOf('--rounds');
const rounds = at < 0 ? 5 : Number(process.argv[at + 1]);
const before = load();
const { folder, facts } = writtenLedger();
const home = scratch('breakdown-home');
writeFileSync(join(home, 'settings.json'), JSON.stringify({ insertIdentity: true, app: { 'view.begun': true } }));
const app = await launchBrowser(copyOf(folder, 'breakdown'), { home, env: { NODE_OPTIONS: '--max-old-space-size=8192' } });
const { page } = app;
page.setDefaultTimeout(300_000);
const messages = countRows(page);
try {
  await page.getByRole('treegrid', { name: 'Files' }).waitFor();
  const first = await timed(async () => {
    await page.keyboard.press('ControlOrMeta+Shift+B');
    await firstRow(page);
  });
  const again = await repeated(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Looking at the files and the record').first().waitFor({ state: 'attached' });
    await firstRow(page);
    await page.locator('.bd-working').waitFor({ state: 'detached' });
  });
  const filters: number[] = [];
  for (let round = 0; round < rounds; round++)
    for (const name of ['waived', 'changed', 'diverged', 'all']) filters.push(await chosen(page, name));
  const search = await repeated(async () => {
    await page.getByRole('searchbox').fill('part-0a');
    await page.locator('.bd-group[aria-label^="part-0a"]').first().waitFor();
    await page.getByRole('searchbox').fill('');
    await page.locator('.bd-group[aria-label^="part-00"]').first().waitFor();
  });
  const scrolled = await scroll(page);
  const all = await page.locator('.bd-filter').first().textContent();
  const line = (work: string, times: readonly number[]) => [
    work,
    short(median(times)),
    short(Math.min(...times)),
    short(Math.max(...times)),
  ];
  const rows = [
    line('opened for the first time: scan of every file, no index', [first]),
    line('Refresh: scan, every row computed, 200 shown', again),
    line('another filter chosen, first rows on screen', filters),
    line('search typed and cleared (two rests of 150 ms in it)', search),
    line('one frame while scrolling through 2,000 rows', scrolled),
  ];
  const long = scrolled.filter((frame) => frame > 50).length;
  console.log(`## The breakdown in a browser\n\n${machine()}\n- load average before: ${before}; after: ${load()}\n`);
  console.log(
    `${facts.entries} entries, ${facts.inputs} inputs, ${facts.objects} documents; ${all?.trim()} rows. The most rows in one message: ${messages.most()}. Frames over 50 ms while scrolling: ${long} of ${scrolled.length}.\n`,
  );
  console.log(table(['work', 'ms, median', 'least', 'most'], rows));
} finally {
  await app.stop();
}

/** The most rows that any message to the page held: each has the reason of its silence, or that it has none. */
function countRows(shown: Page): { most(): number } {
  let most = 0;
  shown.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const found = payload.toString().match(/"silenced":(?:null|")/gu)?.length ?? 0;
      most = Math.max(most, found);
    });
  });
  return { most: () => most };
}

async function firstRow(shown: Page): Promise<void> {
  await shown.locator('.bd-row').first().waitFor();
}

async function chosen(shown: Page, name: string): Promise<number> {
  return shown.evaluate(
    (filter) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const main = document.querySelector('.bd-main')!;
        const done = new MutationObserver(() => {
          done.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - start));
        });
        done.observe(main, { childList: true, subtree: true });
        document.querySelector<HTMLElement>(`[data-filter="${filter}"]`)!.click();
      }),
    name,
  );
}

/** Frame times, in ms, from the top through 2,000 rows; what is not there yet is asked for on the way. */
function scroll(shown: Page): Promise<number[]> {
  return shown.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const pane = document.querySelector('.bd-page')!;
        const frames: number[] = [];
        let last = performance.now();
        const passed = new Set<string>();
        const step = (now: number) => {
          frames.push(now - last);
          last = now;
          pane.scrollTop += 120;
          // Only rows near what is seen are there, so those that were are counted.
          if (frames.length % 4 === 0)
            for (const { dataset } of document.querySelectorAll<HTMLElement>('.bd-row')) passed.add(dataset.edge ?? '');
          if (passed.size >= 2000 || frames.length > 4000) resolve(frames.slice(1));
          else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function repeated(act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(act));
  return times;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

function short(ms: number): string {
  return ms < 100 ? ms.toFixed(1) : Math.round(ms).toString();
}
