import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { browserOptions } from '../tools/chromium.ts';
import { type RunningServer, startServer } from './launch.ts';
import { type Book, editorOf, isReady, openDocument } from './writer.ts';

/** A word of the writer's. */
export interface Typed {
  readonly word: string;
  /** When the page had heard it; it may be there before that is known. */
  at: number;
  /** When the writer took the result of a merge without it. */
  givenUpAt: number | null;
}

/** A document of the story. */
export interface Document {
  /** Where it may be: it goes from one to the other. */
  readonly paths: readonly [string, string];
  typed: Typed[];
}

/** A server, a browser and the writer's page; others after a kill. */
export interface Running {
  server: RunningServer;
  browser: Browser;
  page: Page;
}

/** What was done so far. */
export interface Counts {
  words: number;
  /** Words that went with a kill: none is older than a second. */
  lost: number;
  saves: number;
  renames: number;
  /** Changes by another program. */
  outside: number;
  /** Merges that were opened, those whose result was taken, and kills while one was open. */
  merges: number;
  taken: number;
  killedMerges: number;
  /** How long the page took at most to take a word, in ms: how busy the machine was. */
  slowest: number;
}

/** All that the acts of the story share. */
export interface Scene {
  readonly book: Book;
  readonly running: Running;
  readonly documents: readonly Document[];
  readonly random: () => number;
  readonly report: Counts;
}

/** Starts the app on a book, at a port that the system chooses. */
export async function start(book: Book): Promise<Running> {
  const server = await startServer(book.folder, book.home);
  const browser = await chromium.launch({ ...(await browserOptions()), headless: true });
  const page = await openPage(await browser.newContext({ viewport: { width: 1100, height: 700 } }), server.url);
  return { server, browser, page };
}

/** Opens another page. The process that the browser held ready for it may be among those that were killed: then one more is opened. */
export async function openPage(context: BrowserContext, url: string, tries = 3): Promise<Page> {
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

/** Where a document is now. */
export const placeOf = (book: Book, { paths }: Document): string => paths.find((path) => existsSync(join(book.folder, path))) ?? paths[0];

/** As another program does, the file replaced whole: a mark behind the title, or a word behind the last, where the writer's next one stands. */
export function writeOutside({ book, random, report }: Scene, document: Document): void {
  const path = placeOf(book, document);
  const text = book.text(path);
  const nth = ++report.outside;
  book.write(path, random() < 0.5 ? `${text}x${nth} ` : text.replace(/^# .*$/mu, (title) => `${title} o${nth}`));
}

/** The tab of a path. */
export const tabAt = (page: Page, path: string) => page.locator(`[role="tab"][title="${path}"]`);

/** Brings a document to the front, with the focus in its text. */
export async function show(page: Page, path: string): Promise<void> {
  if ((await tabAt(page, path).count()) === 0) await openDocument(page, path);
  else await tabAt(page, path).click();
  await tabAt(page, path)
    .and(page.getByRole('tab', { selected: true }))
    .waitFor();
  await editorOf(page).focus();
}
