import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { connect, type Link, socketPath } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';
import { type Stemma, stemmaIn } from '../test/helpers/cli.ts';

/** A line of the ledger as it was written. */
export interface Line {
  readonly [field: string]: unknown;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A folder of texts with an app data of its own. */
export interface Book {
  readonly folder: string;
  readonly home: string;
  /** The command line in the folder. */
  readonly stemma: Stemma;
  bytes(path: string): Buffer;
  text(path: string): string;
  /** Writes as another program does. */
  write(path: string, content: string | Buffer): void;
  /** What is in the ledger, in the order of its file; one kind, or all. */
  lines(kind?: string): Line[];
  dispose(): void;
}

/** Makes a book of texts by their paths. */
export function createBook(texts: Readonly<Record<string, string | Buffer>>): Book {
  const place = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-story-')));
  const [folder, home] = [join(place, 'book'), join(place, 'home')];
  const bytes = (path: string) => readFileSync(join(folder, path));
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const made of [folder, home]) mkdirSync(made);
  for (const [path, text] of Object.entries(texts)) write(path, text);
  return {
    folder,
    home,
    stemma: stemmaIn({ folder, home }),
    bytes,
    text: (path) => bytes(path).toString('utf8'),
    write,
    lines(kind) {
      const segments = readdirSync(join(folder, '.vmark/ledger')).filter((name) => name.endsWith('.jsonl'));
      const lines = segments.flatMap((name) =>
        readFileSync(join(folder, '.vmark/ledger', name), 'utf8')
          .split('\n')
          .filter(Boolean),
      );
      const entries = lines.map((line) => JSON.parse(line) as Line);
      return kind === undefined ? entries : entries.filter((entry) => entry.kind === kind);
    },
    dispose: () => rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** A second voice in the page's own browser: asks core over a socket of its own, with the page's cookie and origin. */
export async function linkBeside(page: Page): Promise<Link> {
  const { origin, host } = new URL(page.url());
  const cookies = await page.context().cookies(origin);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const socket = new WebSocket(`ws://${host}${socketPath}`, { headers: { cookie, origin } });
  await once(socket, 'open');
  return connect(portFromWebSocket(socket));
}

/** Lets nothing be saved but what the writer saves. */
export async function saveNothingUnasked(page: Page): Promise<void> {
  const { call, close } = await linkBeside(page);
  await call('settings/write', { key: 'saving.autosave', value: 'off' });
  close();
}

/** Shows documents as the text that they are, with every mark. */
export async function showSource(page: Page): Promise<void> {
  const { call, close } = await linkBeside(page);
  await call('settings/write', { key: 'editor.mode', value: 'source' });
  close();
}

/** The text of the document in front. */
export const editorOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Text of the document' });

/** The tab of a document; its name holds what is the matter with it. */
export const tabOf = (page: Page, name: string): Locator => page.getByRole('tab', { name });

/** The bar at the foot. */
export const statusOf = (page: Page): Locator => page.getByRole('contentinfo');

/** A row of the breakdown by what it says. */
export const rowOf = (page: Page, artifact: string, source: string, word: string): Locator =>
  page.getByRole('listitem', { name: `${artifact} rests on ${source}: ${word}`, exact: true });

/** Waits until the page is there and knows its files. */
export async function isReady(page: Page): Promise<void> {
  await page.getByRole('treegrid', { name: 'Files' }).or(page.getByText('This folder has no documents yet.')).waitFor();
}

/** Brings a document to the front by quick open, and waits for its text. */
export async function openDocument(page: Page, path: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+P');
  await page.getByRole('combobox', { name: 'Go to' }).fill(path);
  await page
    .getByRole('option', { selected: true })
    .filter({ hasText: path.slice(path.lastIndexOf('/') + 1) })
    .waitFor();
  await page.keyboard.press('Enter');
  await tabOf(page, path.slice(path.lastIndexOf('/') + 1))
    .and(page.getByRole('tab', { selected: true }))
    .waitFor();
  await editorOf(page).and(page.locator(':focus')).waitFor();
}

/** Runs a command of the palette by its title. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+P');
  await page.getByRole('combobox', { name: 'Go to' }).fill(`>${title}`);
  await page.getByRole('option', { selected: true }).filter({ hasText: title }).waitFor();
  await page.keyboard.press('Enter');
}

/** Types at the end of the document in front. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await editorOf(page).focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(text);
}

/** Saves the document in front and waits until that is said. */
export async function save(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+S');
  await statusOf(page)
    .getByText(/^Saved \d\d:\d\d/u)
    .waitFor();
}

/** Shows the breakdown and waits until it is computed. */
export async function openBreakdown(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+B');
  await page.getByRole('heading', { name: 'Coherence breakdown', level: 1 }).waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /^The breakdown is ready/u })
    .waitFor({ state: 'attached' });
}
