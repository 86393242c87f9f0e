// Rows 10 to 12 and 14 of `spec/quality.md` §1: node bench/editor.ts [--rounds 3] [--sizes 2]
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { startServer } from '../e2e/launch.ts';
import { browserOptions } from '../tools/chromium.ts';
import { forgetPaint, heapOf, pressKeys, scrollOver, untilPainted, watchPage } from './editor-page.ts';
import type { PlainPage } from './editor-plain.ts';
import { markdownOf, sizes } from './editor-text.ts';
import { load, machine } from './machine.ts';
import { median } from './measure.ts';
import { short, table } from './report.ts';

declare const window: Window & PlainPage;

const { values } = parseArgs({ options: { rounds: { type: 'string' }, sizes: { type: 'string' }, large: { type: 'boolean' } } });
const rounds = Number(values.rounds ?? 3);
const measured = sizes.slice(0, Number(values.sizes ?? sizes.length));
/** So often a page is opened before that is timed: a browser keeps what it compiled of a script that it met twice. */
const warm = 3;
const places = [
  ['start', 0],
  ['middle', 0.5],
  ['end', 1],
] as const;

/** Why ours is slower than a plain editor where it is. */
const causes = [
  'Keys: beyond the text itself a key is one piece of the grammar read anew (0.5 ms), the block around the cursor drawn anew, an inline layout of a narrower column with more parts, and a window that is composed of more layers than a bare page. Nothing of it depends on the length of the text.',
  'Opening: the text comes as one message; at 50 MB reading it as JSON takes about 80 ms, taking it apart by its line breaks 90 (which the plain editor does, too), collecting what is left over 50; then the window around it is drawn.',
  'Heap: the tree of the document and what is drawn of it.',
  'The page: React, the frame of the window and the editor, 1.2 MB of scripts in 22 files, are loaded (from the cache of the browser) and run before the first paint: about 200 ms of one core, of which 80 are scripts, beside 54 ms for the page of one line. All questions to core are asked in one turn, while scripts are still being loaded; a session that was left is read by one more. A text drawn before React is there would be the next step.',
];

/** Another editor, as it is put into a page. */
interface Beside {
  readonly script: string;
  readonly style: string;
}

/** What one fresh page took. */
interface Reading {
  readonly open: number;
  readonly heap: number;
  readonly keys: Readonly<Record<'start' | 'middle' | 'end', readonly number[]>>;
  readonly jumps: readonly number[];
  readonly longest: number;
}

const before = load();
const folder = mkdtempSync(join(tmpdir(), 'stemma-bench-editor-'));
const book = join(folder, 'book');
mkdirSync(book);
for (const [name, length] of measured) writeFileSync(join(book, `${name.replace(' ', '-')}.md`), markdownOf(length));
writeFileSync(join(book, 'note.md'), '# A small note\n\nA line of text.\n\nAnother line.\n');
// What is loaded once, with the first document that has such parts, is no document's.
writeFileSync(join(book, 'first.md'), markdownOf(20_000));

const plain = await pageOf('editor-plain.ts');
const monaco = await pageOf('editor-monaco.ts');
const server = await startServer(book, freshHome());
const line = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><p>One line.</p>'));
await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
const onePage = `http://127.0.0.1:${(line.address() as AddressInfo).port}/`;
const options = await browserOptions();
// Work shall show, and not the clock of the display.
const browser = await chromium.launch({ ...options, args: [...(options.args ?? []), '--disable-frame-rate-limit', '--disable-gpu-vsync'] });
try {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const first = await context.newPage();
  await first.goto(server.url);
  const section = await measureAll(browser, context);
  console.log(section);
  keep(section);
} finally {
  await browser.close();
  line.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(running: Browser, context: BrowserContext): Promise<string> {
  const keyRows: string[][] = [];
  const openRows: string[][] = [];
  const peerRows: string[][] = [];
  for (const [name] of measured) {
    const [ours, theirs, peers]: [Reading[], Reading[], Reading[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      theirs.push(await readBeside(running, name, plain));
      peers.push(await readBeside(running, name, monaco, false));
      ours.push(await readOurs(context, name));
      console.error(`bench: editor ${name}, round ${round + 1}`);
    }
    keyRows.push(...keyRowsOf(name, ours, theirs));
    openRows.push(...openRowsOf(name, ours, theirs));
    peerRows.push(...peerRowsOf(name, ours, peers));
  }
  const page = await readStart(context);
  return [
    '## Editor',
    `${machine()}\n- Chromium ${running.version()}, ${rounds} fresh pages of each, in turn; frame-rate limit off`,
    'Beside: the same CodeMirror without a language, in a page of its own. Ours is the whole window in the browser shell; to 1 MB as live preview, above that as source coloured line by line. A key: from its event to the first task after its frame. The heap: what the second document of a window takes. Open: from the arrival of the text (ours) or its being handed over (beside) to the first task after the frame that shows it.',
    '### Keys (row 10)',
    table(['size', 'place', '', 'ms', 'ms beside', 'ratio', 'goal', '', 'p95', 'p95 beside', 'ratio', 'goal', ''], keyRows),
    '### Opening, heap, jumps and scrolling (rows 11 and 12)',
    table(['size', 'work', '', 'ours', 'beside', 'ratio', 'goal', ''], openRows),
    '### The page itself (row 14)',
    table(['', 'work', '', 'ms', 'ms beside', 'ratio', 'goal', ''], [page]),
    `Where a goal is missed:\n\n${causes.map((cause) => `- ${cause}`).join('\n')}`,
    '### Beside Monaco (row 11)',
    'Monaco as it comes, with Markdown as its language, in a page of its own, in the same turns. Its heap holds the text, ours and that of the plain editor share it with whoever has it.',
    table(['size', 'work', '', 'ours', 'Monaco', 'ratio', 'goal', ''], peerRows),
    `Load average before: ${before}; after: ${load()}.`,
  ].join('\n\n');
}

function keyRowsOf(name: string, ours: readonly Reading[], theirs: readonly Reading[]): string[][] {
  const rows = places.map(([place]) => {
    const [own, other] = [ours, theirs].map((some) => some.flatMap(({ keys }) => keys[place]));
    const [mid, base] = [median(own!), median(other!)];
    const [high, highBase] = [p95(own!), p95(other!)];
    return [
      name,
      place,
      '',
      short(mid),
      short(base),
      ...verdict(mid / base, 1.4),
      short(high),
      short(highBase),
      ...verdict(high / highBase, 2),
    ];
  });
  const [start, end] = ['start', 'end'].map((place) => median(ours.flatMap(({ keys }) => keys[place as 'start'])));
  return [...rows, [name, 'end ÷ start', '', short(end!), short(start!), ...verdict(end! / start!, 1.3), '', '', '', '', '']];
}

function openRowsOf(name: string, ours: readonly Reading[], theirs: readonly Reading[]): string[][] {
  const row = (work: string, of: (reading: Reading) => number, goal: number) => {
    const [own, other] = [median(ours.map(of)), median(theirs.map(of))];
    return [name, work, '', short(own), short(other), ...verdict(own / other, goal)];
  };
  const longest = Math.max(...ours.map((reading) => reading.longest));
  const beside = Math.max(...theirs.map((reading) => reading.longest));
  return [
    row('open to first paint, ms', ({ open }) => open, 1.5),
    row('JS heap of the document less its text, MB', ({ heap }) => heap, 2),
    row('jump, ms', ({ jumps }) => median([...jumps]), 2),
    [name, 'longest frame while scrolling, ms', '', short(longest), short(beside), '', '≤ 50', longest <= 50 ? 'pass' : '**miss**'],
  ];
}

function peerRowsOf(name: string, ours: readonly Reading[], peers: readonly Reading[]): string[][] {
  const row = (work: string, of: (reading: Reading) => number, hasGoal = true) => {
    const [own, other] = [median(ours.map(of)), median(peers.map(of))];
    const goal = hasGoal ? ['< 1', own < other ? 'pass' : '**miss**'] : ['', ''];
    return [name, work, '', short(own), short(other), short(own / other), ...goal];
  };
  return [
    row('open to first paint, ms', ({ open }) => open),
    row('JS heap, MB', ({ heap }) => heap),
    row('a key in the middle, ms', ({ keys }) => median([...keys.middle]), false),
  ];
}

/** An app data of its own: what another page left unsaved would be taken up. Nothing is written while keys are timed: what a save costs is row 6. */
function freshHome(): string {
  const home = mkdtempSync(join(folder, 'home-'));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ app: { 'saving.autosave': 'off' } }));
  return home;
}

/** Another editor in a page of its own; `scrolls`: it scrolls as CodeMirror does, and is scrolled too. */
async function readBeside(running: Browser, name: string, { script, style }: Beside, scrolls = true): Promise<Reading> {
  const context = await running.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  await watchPage(page);
  await page.goto(onePage);
  if (style !== '') await page.addStyleTag({ content: style });
  await page.addScriptTag({ content: script });
  const session = await context.newCDPSession(page);
  const text = readFileSync(join(book, `${name.replace(' ', '-')}.md`), 'utf8');
  const handle = await page.evaluateHandle((given) => ({ given }), text);
  const heapBefore = await heapOf(session);
  const start = await page.evaluate(({ given }) => {
    const now = performance.now();
    window.openPlain(given);
    return now;
  }, handle);
  const open = await untilPainted(page, start);
  const heap = (await heapOf(session)) - heapBefore;
  const reading = await readKeys(page, session, name, (share) => page.evaluate((at) => window.place(at), share));
  const scrolled = scrolls ? await scrollOver(page) : { jumps: [], longest: 0 };
  await context.close();
  return { open, heap, keys: reading, ...scrolled };
}

async function readOurs(context: BrowserContext, name: string): Promise<Reading> {
  const own = await startServer(book, freshHome());
  try {
    return await readIn(context, own.url, name);
  } finally {
    await own.stop();
  }
}

async function readIn(context: BrowserContext, url: string, name: string): Promise<Reading> {
  const page = await context.newPage();
  await page.goto(url);
  await watchPage(page);
  await page.goto(`${new URL(url).origin}/?open=first.md`);
  await page.locator('.cm-line').nth(4).waitFor();
  // Until it is read to its end, and the languages of its code are there.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  // What is painted of a text is told by its number of lines: before it stands one that has few.
  await openByName(page, 'note.md');
  await page.waitForFunction(() => document.querySelectorAll('.cm-line').length < 12);
  const session = await context.newCDPSession(page);
  const heapBefore = await heapOf(session);
  await forgetPaint(page);
  await openByName(page, `${name.replace(' ', '-')}.md`);
  const question = page.getByRole('button', { name: 'Open it' });
  if (name !== '100 KB' && name !== '1 MB') {
    await question.waitFor({ timeout: 60_000 });
    await forgetPaint(page);
    await question.click();
  }
  await page.waitForFunction(
    (tab) => document.querySelector('.tab[data-active="true"]')?.textContent?.includes(tab),
    name.replace(' ', '-'),
  );
  const open = await untilPainted(page, null);
  // The lines share the string that arrived, as those beside share theirs, which was there before.
  const heap = (await heapOf(session)) - heapBefore - statSync(join(book, `${name.replace(' ', '-')}.md`)).size / 2 ** 20;
  const lines = (await page.evaluate(() => document.querySelector('.cm-content') !== null)) && countLines(name);
  const keys = await readKeys(page, session, name, (share) => goTo(page, share, Number(lines)));
  const scrolled = await scrollOver(page);
  await page.close();
  return { open, heap, keys, ...scrolled };
}

async function openByName(page: Page, file: string): Promise<void> {
  await page.keyboard.press('Control+P');
  await page.getByRole('combobox').fill(file);
  await page.getByRole('option', { selected: true }).filter({ hasText: file }).waitFor();
  await page.keyboard.press('Enter');
}

async function goTo(page: Page, share: number, lines: number): Promise<void> {
  await page.keyboard.press('Alt+G');
  await page.getByRole('combobox').fill(`:${Math.max(3, Math.floor(lines * share))}`);
  await page.keyboard.press('Enter');
  await page.locator('.cm-content:focus').waitFor();
  if (share === 1) await page.keyboard.press('Control+End');
}

async function readKeys(page: Page, session: CDPSession, name: string, place: (share: number) => Promise<void>): Promise<Reading['keys']> {
  const readings = { start: [] as number[], middle: [] as number[], end: [] as number[] };
  for (const [at, share] of places) {
    await place(share);
    // What runs after a jump (parsing, measuring) is not a key's.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await pressKeys(page, session, 3);
    readings[at] = await pressKeys(page, session, keysOf(name));
  }
  return readings;
}

/** Row 14: the editor's page opened with a small note, beside a page of one line; both in a profile that is kept, as a writer's is: what was compiled once is not compiled again. */
async function readStart(known: BrowserContext): Promise<string[]> {
  const times: [ours: number[], theirs: number[]] = [[], []];
  const own = await chromium.launchPersistentContext(join(folder, 'profile'), { ...options, viewport: { width: 1200, height: 900 } });
  await own.addCookies(await known.cookies());
  for (let round = 0; round < 3 * rounds + warm; round++) {
    const beside = await own.newPage();
    const start = performance.now();
    await beside.goto(onePage);
    const theirs = performance.now() - start;
    await beside.close();
    const page = await own.newPage();
    const begin = performance.now();
    await page.goto(`${new URL(server.url).origin}/?open=note.md`);
    await page.waitForFunction(() => document.querySelectorAll('.cm-line').length > 4, undefined, { polling: 'raf' });
    if (round >= warm) {
      times[0].push(performance.now() - begin);
      times[1].push(theirs);
    }
    await page.close();
  }
  await own.close();
  const [ours, theirs] = times.map((some) => median(some));
  return ['', 'page opened, a small note painted', '', short(ours!), short(theirs!), ...verdict(ours! / theirs!, 4)];
}

/** A page of the bench, as one script and its style. */
async function pageOf(entry: string): Promise<Beside> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: join(import.meta.dirname, entry), formats: ['iife'], name: 'plain' } },
  });
  const [built] = Array.isArray(result) ? result : [result];
  if (built === undefined || !('output' in built)) throw new Error('BUG: the yardstick was not built.');
  const styles = built.output.flatMap((part) => (part.type === 'asset' && part.fileName.endsWith('.css') ? [String(part.source)] : []));
  return { script: built.output[0].code, style: styles.join('\n') };
}

/** Puts the section into RESULTS.md, in the place of the one that is there. */
function keep(section: string): void {
  const file = join(import.meta.dirname, 'RESULTS.md');
  const text = readFileSync(file, 'utf8').replace(/\n## Editor\n[\s\S]*?(?=\n## |$)/u, '');
  writeFileSync(file, `${text.trimEnd()}\n\n${section}\n`);
}

function p95(values: readonly number[]) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)]!;
}

function keysOf(name: string) {
  return name === '50 MB' ? 8 : 25;
}

function countLines(name: string) {
  return readFileSync(join(book, `${name.replace(' ', '-')}.md`), 'utf8').split('\n').length;
}

function verdict(ratio: number, goal: number) {
  return [short(ratio), `≤ ${goal}`, ratio <= goal ? 'pass' : '**miss**'];
}
