import { ok } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { createRandom } from '../test/helpers/kills.ts';
import { browserOptions } from '../tools/chromium.ts';
import { type RunningServer, startServer } from './launch.ts';
import { waitForEnd } from './probe.ts';
import { killPages } from './window-kill.ts';
import { type Book, createBook, editorOf, isReady, linkBeside, openDocument, saveNothingUnasked, statusOf } from './writer.ts';

/** What is killed: the processes of the page, core with its server, or both and the browser. */
export type Victim = 'page' | 'core' | 'app';

/** What many kills of a window left. */
export interface WindowKillReport {
  readonly seed: number;
  readonly kills: Readonly<Record<Victim, number>>;
  /** Words that were typed, all of them, and those that went with a kill: none is older than a second. */
  readonly words: number;
  readonly lost: number;
  /** Saves that were asked for, renames, and changes by another program. */
  readonly saves: number;
  readonly renames: number;
  readonly outside: number;
  /** How long the page took at most to take a word, in ms: how busy the machine was. */
  readonly slowest: number;
}

/** What was typed last may be lost, if it is not older than this, in ms; on a busy machine not older than this and what a word took at most to be heard. */
const grace = 1000;

interface Typed {
  readonly word: string;
  at: number;
}

interface Document {
  /** Where it may be: it goes from one to the other. */
  readonly paths: readonly [string, string];
  typed: Typed[];
}

interface Running {
  server: RunningServer;
  browser: Browser;
  page: Page;
}

/**
 * Lets a writer type, save, rename and meet changes by others, and kills the page, core or all of it at a random moment;
 * `count` times over one folder. After each, what was typed more than a second before is there, no file is torn, and no
 * change by others was written over unasked. Throws at the first thing that is not so, with the seed.
 */
export async function killWindows(count: number, seed: number, say: (line: string) => void = () => {}): Promise<WindowKillReport> {
  const random = createRandom(seed);
  // What is done in the meantime depends on the machine; who is killed, and when, does not.
  const fate = createRandom(seed + 1);
  const report = { seed, kills: { page: 0, core: 0, app: 0 }, words: 0, lost: 0, saves: 0, renames: 0, outside: 0, slowest: 0 };
  const documents: Document[] = ['one', 'two'].map((name) => ({ paths: [`${name}.md`, `parts/${name}.md`], typed: [] }));
  const book = createBook(Object.fromEntries(documents.map(({ paths: [path] }) => [path, `# ${path}\n\n`])));
  if (random() < 0.7) book.stemma('init');
  const running = await start(book);
  try {
    if (random() < 0.5) await saveNothingUnasked(running.page);
    for (let turn = 0; turn < count; turn++) {
      const where = `seed ${seed}, kill ${turn}`;
      const victim = (['page', 'core', 'app'] as const)[Math.floor(fate() * 3)]!;
      const moment = setTimeout(200 + fate() * 2500).then(() => 'now' as const);
      let isOver = false;
      const work = write({ book, running, documents, random, report, turn, isOver: () => isOver }).catch(() => 'ended');
      await moment;
      const at = performance.now();
      await kill(running, victim);
      isOver = true;
      await work;
      report.kills[victim]++;
      await look({ book, running, documents, random, report }, victim, at, where);
      say(`${where}: ${victim}`);
    }
    const verified = book.stemma.json('verify', 'verify') as { problems: readonly { code: string }[] };
    ok(verified.problems.length === 0, `seed ${seed}: ${JSON.stringify(verified.problems[0])}`);
  } catch (error) {
    if (running.page !== undefined) await running.page.screenshot({ path: join(book.folder, '..', 'failed.png') }).catch(() => null);
    say(`seed ${seed}: ${book.folder}`);
    throw error;
  } finally {
    await running.browser.close().catch(() => null);
    await running.server.stop('SIGKILL').catch(() => null);
  }
  book.dispose();
  return report;
}

async function start(book: Book, port = 0): Promise<Running> {
  const server = await startServer(book.folder, book.home, {}, port);
  const browser = await chromium.launch({ ...(await browserOptions()), headless: true });
  const page = await openPage(await browser.newContext({ viewport: { width: 1100, height: 700 } }), server.url);
  return { server, browser, page };
}

/** The process that the browser held ready for the next page may be among those that were killed: then another page is opened. */
async function openPage(context: BrowserContext, url: string, tries = 3): Promise<Page> {
  try {
    const page = await context.newPage();
    const crashed = page.waitForEvent('crash', { timeout: 0 }).then(() => Promise.reject(new Error('the page crashed')));
    crashed.catch(() => null);
    await Promise.race([page.goto(url).then(() => isReady(page)), crashed]);
    return page;
  } catch (error) {
    if (tries === 0) throw error;
    return openPage(context, new URL(url).origin, tries - 1);
  }
}

interface Scene {
  readonly book: Book;
  readonly running: Running;
  readonly documents: readonly Document[];
  readonly random: () => number;
  readonly report: { words: number; lost: number; saves: number; renames: number; outside: number; slowest: number };
}

const placeOf = (book: Book, { paths }: Document) => paths.find((path) => existsSync(join(book.folder, path))) ?? paths[0];

async function write({ book, running, documents, random, report, turn, isOver }: Scene & { turn: number; isOver: () => boolean }) {
  const { page } = running;
  for (let count = 0; !isOver(); ) {
    const document = documents[Math.floor(random() * documents.length)]!;
    await show(page, placeOf(book, document));
    await page.keyboard.press('ControlOrMeta+End');
    for (let words = 1 + Math.floor(random() * 6); words > 0 && !isOver(); words--, count++) {
      const word = `k${turn}w${count} `;
      // Before it is sent: it may be there already when the answer is lost. Typed it is once the page has heard it.
      const typed = { word, at: Number.POSITIVE_INFINITY };
      document.typed.push(typed);
      report.words++;
      const sent = performance.now();
      await page.keyboard.insertText(word);
      typed.at = performance.now();
      report.slowest = Math.max(report.slowest, typed.at - sent);
      await setTimeout(random() * 80);
    }
    const dice = random();
    if (dice < 0.25) {
      report.saves++;
      await page.keyboard.press('ControlOrMeta+S');
    } else if (dice < 0.35) await rename(book, page, document, report);
    else if (dice < 0.45) writeOutside(book, document, report);
  }
}

async function rename(book: Book, page: Page, document: Document, report: Scene['report']): Promise<void> {
  const from = placeOf(book, document);
  const to = document.paths.find((path) => path !== from)!;
  const { call, close } = await linkBeside(page);
  report.renames++;
  await call('files/move', { moves: [{ from, to }], links: [] }).finally(close);
}

/** As another program does: a line behind the title, the file replaced whole. */
function writeOutside(book: Book, document: Document, report: Scene['report']): void {
  const path = placeOf(book, document);
  const text = book.text(path);
  report.outside++;
  book.write(
    path,
    text.replace(/^# .*$/mu, (title) => `${title} o${report.outside}`),
  );
}

async function kill({ server, browser, page }: Running, victim: Victim): Promise<void> {
  if (victim !== 'page') process.kill(server.pid, 'SIGKILL');
  if (victim === 'app') process.kill(await pidOf(browser), 'SIGKILL');
  if (victim === 'page') await killPages(page);
  if (victim !== 'page') await waitForEnd(server.pid);
}

async function pidOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.find(({ type }) => type === 'browser')!.id;
}

async function look(scene: Scene, victim: Victim, at: number, where: string): Promise<void> {
  const { book, running, documents, random, report } = scene;
  // What the page asked for before it died is done by a core that lives.
  if (victim === 'page') await coreIsDone(running.page, placeOf(book, documents[0]!));
  const before = documents.map((document) => {
    const path = placeOf(book, document);
    const text = book.text(path);
    ok(isWhole(text), `${where}: ${path} is torn: ${JSON.stringify(text)}`);
    return { path, text };
  });
  if (random() < 0.3) {
    const document = documents[Math.floor(random() * documents.length)]!;
    writeOutside(book, document, report);
  }
  const asLeft = before.map(({ path }) => ({ path, text: book.text(path) }));
  await startAgain(book, running, victim);
  const { page } = running;
  // A living page may save by itself what it held; one that began anew writes nothing.
  if (victim !== 'core')
    for (const { path, text } of asLeft)
      ok(book.text(path) === text, `${where} (${victim}): ${path} was written unasked: ${JSON.stringify([text, book.text(path)])}`);
  await recoverAll(page);
  if (victim !== 'core') for (const { path, text } of asLeft) ok(book.text(path) === text, `${where}: ${path} was written by opening`);
  for (const document of documents) {
    const text = await settled(scene, document);
    const there = document.typed.filter(({ word }) => text.includes(word));
    const lost = document.typed.filter(({ word }) => !text.includes(word));
    const old = victim === 'core' ? lost : lost.filter((typed) => at - typed.at > grace + report.slowest);
    ok(
      old.length === 0,
      `${where} (${victim}): ${JSON.stringify(old[0])} of ${placeOf(book, document)} is lost, ${at - (old[0]?.at ?? 0)} ms old`,
    );
    ok(text.includes(there.map(({ word }) => word).join('')), `${where}: the words of ${placeOf(book, document)} are in another order`);
    report.lost += lost.length;
    document.typed = there;
  }
}

/** Whoever wants to write waits for those that came before; a document of this name there is, so that nothing is written. */
async function coreIsDone(page: Page, path: string): Promise<void> {
  const { call, close } = await linkBeside(page);
  await call('document/create', { path, text: '' }).catch(() => null);
  close();
}

async function startAgain(book: Book, running: Running, victim: Victim): Promise<void> {
  const port = Number(new URL(running.server.url).port);
  if (victim === 'app') {
    await running.browser.close().catch(() => null);
    Object.assign(running, await start(book));
    return;
  }
  if (victim === 'core') running.server = await startServer(book.folder, book.home, {}, port);
  const page = await openPage(running.page.context(), running.server.url);
  if (victim === 'page') {
    await running.page.close();
    running.page = page;
    return;
  }
  await page.close();
  await running.page.bringToFront();
  await statusOf(running.page).getByText('Connection lost, trying again').waitFor({ state: 'detached' });
}

async function recoverAll(page: Page): Promise<void> {
  const list = page.getByRole('dialog', { name: 'Recovered texts' });
  await page.locator('html[data-started]').waitFor({ state: 'attached' });
  if ((await list.count()) === 0) return;
  await list.getByRole('button', { name: /^Open (it|all)$/u }).click();
  await list.waitFor({ state: 'detached' });
}

/** The text of a document as the window has it, wherever that takes it to be; then it is kept over what others wrote, and saved. */
async function settled({ book, running: { page } }: Scene, document: Document): Promise<string> {
  const place = placeOf(book, document);
  const stray = document.paths.find((path) => path !== place)!;
  // Killed between a rename and the word of it: the window still has the text under the name that is gone.
  const kept = (await tabAt(page, stray).count()) > 0 ? await shownText(page, stray) : '';
  if (kept !== '') await closeTab(page, stray);
  const shown = await shownText(page, place);
  if (kept.length > shown.length) {
    await page.keyboard.press('ControlOrMeta+A');
    // The block is the file's, and not selected with the text.
    await page.keyboard.insertText(withoutBlock(kept));
  }
  const bar = page.getByRole('region', { name: 'Changed outside' });
  const decide = async () => {
    for (const name of ['Keep mine', 'Save again']) {
      const button = bar.getByRole('button', { name, exact: true });
      if ((await button.count()) > 0) await button.click();
    }
    await page.keyboard.press('ControlOrMeta+S');
  };
  await decide();
  const text = await shownText(page, place);
  await page.keyboard.press('ControlOrMeta+S');
  for (let tries = 1; withoutBlock(book.text(place)) !== withoutBlock(text); tries++) {
    ok(tries < 400, `${place} cannot be saved`);
    await setTimeout(25);
    // The word of a change may come late.
    if (tries % 40 === 0) await decide();
  }
  return text;
}

const withoutBlock = (text: string) => text.replace(/^---\nvmark:\n {2}id: [0-9a-f-]{36}\n---\n/u, '');

const tabAt = (page: Page, path: string) => page.locator(`[role="tab"][title="${path}"]`);

async function show(page: Page, path: string): Promise<void> {
  if ((await tabAt(page, path).count()) === 0) await openDocument(page, path);
  else await tabAt(page, path).click();
  await tabAt(page, path)
    .and(page.getByRole('tab', { selected: true }))
    .waitFor();
  await editorOf(page).focus();
}

async function closeTab(page: Page, path: string): Promise<void> {
  await show(page, path);
  await tabAt(page, path).press('Delete');
  const question = page.getByRole('alertdialog').getByRole('button', { name: "Don't save", exact: true });
  await question.or(page.locator('main')).first().waitFor();
  if ((await question.count()) > 0) await question.click();
  await tabAt(page, path).waitFor({ state: 'detached' });
}

async function shownText(page: Page, path: string): Promise<string> {
  await show(page, path);
  return editorOf(page).evaluate((content) => {
    const { cmTile } = content as unknown as { cmTile: { view: { state: { doc: { toString(): string } } } } };
    return cmTile.view.state.doc.toString();
  });
}

/** The title and what others put behind it, and then words of ours, each whole; before it at most an identity block. */
const isWhole = (text: string) => /^(---\nvmark:\n {2}id: [0-9a-f-]{36}\n---\n)?# \S+( o\d+)*\n\n(k\d+w\d+ )*$/u.test(text);
