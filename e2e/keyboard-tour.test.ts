import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Command, type CommandId, commands, commandTitle, keysOf } from '#protocol/commands';
import { isKeptByBrowser } from '#protocol/keymap';
import { type ProviderServer, startProviderServer } from '../test/helpers/provider-server.ts';
import { browserOptions } from '../tools/chromium.ts';
import { focusSeen } from './focus-seen.ts';
import { type RunningServer, startServer } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument } from './writer.ts';

type Printing = Window & { printed: number };
declare const window: Printing;

const text = [
  '# Ferry',
  '',
  'The boat and the boat again.',
  'Another line.',
  '',
  '- [ ] task',
  '',
  '## Second',
  '',
  '| a | b | c |',
  '| - | - | - |',
  '| 1 | 2 | 3 |',
  '| 4 | 5 | 6 |',
  '| 7 | 8 | 9 |',
  '',
  'End.',
  '',
].join('\n');
const breaks = text.replaceAll('\n', '\r\n');
/** The key that reaches the page in a browser; null: the command has none. */
const keyOf = (command: Command) => keysOf(command, 'other').find((key) => !isKeptByBrowser(key, 'other')) ?? null;

/** The box that a command opens; the focus is in it, and Escape gives it back. All others open none. */
const opens: Partial<Record<CommandId, string>> = {
  'file.new-named': 'New document',
  'file.open-folder': 'Open folder',
  'file.open-recent': 'Open recent folder',
  'file.open-sample': 'Where to put the sample',
  'file.save-copy': 'Save a copy of tour.md',
  'file.format': 'How tour.md is written',
  'file.export': 'Export',
  'file.history': 'History of tour.md',
  'file.recovered': 'Recovered texts',
  'file.stop-tracking': 'Stop tracking',
  'app.settings': 'Settings',
  'app.repositories': 'Linked repositories',
  'go.quick-open': 'Go to',
  'go.command-palette': 'Go to',
  'go.line': 'Go to',
  'go.heading': 'Go to',
  'edit.symbol': 'Go to',
  'document.anchor': 'Anchor to code',
  'document.pair': 'Pair with another document',
  'ai.ask': 'Ask AI',
  'view.goal': 'Writing goal',
  'help.about': 'Stemma',
};

/** Each command begins in a window of its own, on a folder that nobody has touched: what one leaves behind harms no other. */
describe('every command by keyboard alone', () => {
  let browser: Browser;
  let models: ProviderServer;
  beforeAll(async () => {
    browser = await chromium.launch({ ...(await browserOptions()), headless: true });
    models = await startProviderServer();
  });
  afterAll(async () => {
    await browser?.close();
    await models?.close();
  });

  let book: Book;
  let server: RunningServer;
  let context: BrowserContext;
  let page: Page;
  beforeEach(async () => {
    book = createBook({ 'tour.md': text, 'other.md': '# Other\n', 'windows.md': breaks });
    mkdirSync(book.home, { recursive: true });
    const app = {
      'saving.autosave': 'off',
      'ai.provider': 'compatible',
      'ai.compatible.address': `${models.origin}/v1`,
      'ai.compatible.model': 'a-model',
    };
    writeFileSync(join(book.home, 'settings.json'), JSON.stringify({ app }));
    server = await startServer(book.folder, book.home);
    const permissions = ['clipboard-read', 'clipboard-write'];
    context = await browser.newContext({ viewport: { width: 1280, height: 840 }, reducedMotion: 'reduce', permissions });
    await context.addInitScript(() => {
      window.printed = 0;
      Object.defineProperty(window, 'print', { value: () => void (window.top as unknown as Printing).printed++ });
    });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(server.url);
    await isReady(page);
    await openDocument(page, 'tour.md');
    await toLine(3, 6);
  });
  afterEach(async () => {
    await context?.close();
    await server?.stop();
    book?.dispose();
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key.replace('Mod+', 'ControlOrMeta+'));
  };
  /** All that can be seen or heard of the window, and what has the focus. */
  const seen = () =>
    page.evaluate(async () => {
      const focused = document.activeElement;
      const { anchorOffset = 0, focusOffset = 0, anchorNode = null, focusNode = null } = getSelection() ?? {};
      const selection = [anchorNode?.textContent, anchorOffset, focusNode?.textContent, focusOffset];
      const scrolls = Array.from(document.querySelectorAll('.cm-scroller, .reading'), ({ scrollTop }) => Math.round(scrollTop));
      const fields = Array.from(document.querySelectorAll('input'), ({ value, checked }) => `${value} ${checked}`);
      const clone = document.documentElement.cloneNode(true) as HTMLElement;
      // What blinks is no news.
      for (const noise of clone.querySelectorAll('.cm-cursorLayer, style, script')) noise.remove();
      return JSON.stringify([clone.outerHTML, focused?.outerHTML.slice(0, 300), selection, scrolls, fields, window.printed]);
    });
  const isFocusSeen = () => expect.poll(() => page.evaluate(focusSeen)).toBe('seen');
  const isQuiet = async () => {
    let last = '';
    await expect
      .poll(async () => {
        const now = await seen();
        const isSame = now === last;
        last = now;
        return isSame;
      })
      .toBe(true);
    return last;
  };
  const run = async (command: Command) => {
    const key = keyOf(command);
    if (key !== null) return press(key);
    await press('F1');
    await page.getByRole('combobox', { name: 'Go to' }).fill(`>${commandTitle(command.id, 'en')}`);
    await page
      .getByRole('option', { selected: true })
      .filter({ hasText: commandTitle(command.id, 'en') })
      .waitFor();
    await press('Enter');
  };
  const byId = (id: CommandId) => run(commands.find((command) => command.id === id)!);
  const toLine = async (line: number, column = 1) => {
    await press('Alt+G');
    await page.keyboard.type(`${line}:${column}`);
    await press('Enter');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' });
    // In a table the cell has the focus.
    await page.locator('.cm-content:focus').waitFor();
  };
  const select = async (line: number, from: number, length: number) => {
    await toLine(line, from);
    for (let at = 0; at < length; at++) await press('Shift+ArrowRight');
  };
  const inTable = () => toLine(13, 7);
  const openBoth = async () => {
    await openDocument(page, 'other.md');
    await openDocument(page, 'tour.md');
  };
  const suggestions = () => page.getByRole('region', { name: 'Suggestions' });
  /** Asks a model about the whole document by keys; the first time what is sent is shown. */
  const askModel = async () => {
    await press('Mod+J');
    await page.getByRole('combobox', { name: 'Ask AI' }).fill('say it in other words');
    await page.getByRole('radio', { name: 'Document' }).press('Space');
    await page.getByRole('combobox', { name: 'Ask AI' }).press('Enter');
    await page.getByRole('region', { name: 'The text that is sent' }).waitFor();
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const suggested = async () => {
    models.behave({ kind: 'answer', parts: [text.replace('the boat again', 'the ship again').replace('Another', 'One more')] });
    await askModel();
    await suggestions().getByText('1 of 2').waitFor();
    await editorOf(page).focus();
  };

  /** What must be so before a command can do something; without a word the cursor is in a line of text. */
  const before: Partial<Record<CommandId, () => Promise<unknown>>> = {
    'file.save': () => page.keyboard.type('x'),
    'file.breaks-lf': () => openDocument(page, 'windows.md'),
    'file.reopen-closed': async () => {
      await openDocument(page, 'other.md');
      await press('Alt+Shift+W');
    },
    'file.close-tab': () => openDocument(page, 'other.md'),
    'file.close-others': () => openBoth(),
    'file.close-right': () => openBoth(),
    'edit.undo': () => page.keyboard.type('x'),
    'edit.redo': async () => {
      await page.keyboard.type('x');
      await press('Mod+Z');
    },
    'ai.next': suggested,
    'ai.previous': suggested,
    'ai.accept': suggested,
    'ai.reject': suggested,
    'ai.accept-all': suggested,
    'ai.reject-all': suggested,
    async 'ai.cancel'() {
      models.behave({ kind: 'endless' });
      await askModel();
      await suggestions()
        .getByText(/characters so far/u)
        .waitFor();
    },
    'view.next-tab': openBoth,
    'view.previous-tab': openBoth,
    'edit.find-next': find,
    'edit.find-previous': find,
    'edit.select-next': () => select(3, 5, 4),
    'edit.select-all-matches': () => select(3, 5, 4),
    'edit.upper-case': () => select(3, 5, 4),
    'edit.lower-case': () => select(3, 1, 3),
    'edit.title-case': () => select(3, 5, 4),
    'edit.copy-html': () => select(3, 5, 4),
    'format.paragraph': () => toLine(1, 4),
    'format.toggle-task': () => toLine(6, 8),
    'view.fold': () => toLine(1, 4),
    'view.unfold-all': () => byId('view.fold-all'),
    'view.text-usual': () => byId('view.text-larger'),
    ...Object.fromEntries(commands.filter(({ id }) => id.startsWith('table.')).map(({ id }) => [id, inTable])),
    'table.align-none': async () => {
      await inTable();
      await byId('table.align-center');
    },
  };
  /** What else must be so after it. */
  const after: Partial<Record<CommandId, () => Promise<unknown>>> = {
    async 'window.coherence-breakdown'() {
      await page.getByRole('heading', { name: 'Coherence breakdown' }).and(page.locator(':focus')).waitFor();
      const leave = page.getByRole('button', { name: 'Back to the editor' });
      await press('Shift+Tab');
      await leave.and(page.locator(':focus')).waitFor();
      await press('Enter');
      await page.locator('.cm-content:focus').waitFor();
    },
  };
  const boxes = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  async function find() {
    await press('Mod+F');
    await page.keyboard.type('boat');
    await press('Escape');
    await toLine(3, 2);
  }

  it.each(commands.map((command) => [command.id, command] as const))('%s is reached, and does something', async (id, command) => {
    await before[id]?.();
    const was = await isQuiet();
    await run(command);
    await expect.poll(async () => (await seen()) !== was).toBe(true);
    const box = opens[id];
    if (box !== undefined)
      await page
        .getByRole('dialog', { name: box })
        .or(page.getByRole('alertdialog', { name: box }))
        .waitFor();
    await isQuiet();
    await isFocusSeen();
    await after[id]?.();
    expect(await boxes().count()).toBe(box === undefined ? 0 : 1);
    if (box === undefined) return;
    await boxes().locator(':focus').waitFor();
    await press('Escape');
    await boxes().waitFor({ state: 'detached' });
    await page.locator('.cm-content:focus').waitFor();
    await isFocusSeen();
  });

  it('gives the focus back after boxes that follow one another, also where frames are slow', async () => {
    await context.addInitScript(() => {
      const request = requestAnimationFrame;
      Object.assign(globalThis, { requestAnimationFrame: (act: FrameRequestCallback) => setTimeout(() => request(act), 100) });
    });
    await page.reload();
    await isReady(page);
    await openDocument(page, 'tour.md');
    const question = page.getByRole('alertdialog');
    const leave = async () => {
      await question.locator(':focus').waitFor();
      await press('Escape');
      await question.waitFor({ state: 'detached' });
      await page.locator('.cm-content:focus').waitFor();
    };
    await byId('file.stop-tracking');
    await leave();
    await byId('app.settings');
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Stop tracking…' }).press('Enter');
    await leave();
  });
});
