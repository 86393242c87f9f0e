import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, type CommandId, commands, commandTitle, keysOf } from '#protocol/commands';
import { isKeptByBrowser } from '#protocol/keymap';
import { focusSeen } from './focus-seen.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked, statusOf } from './writer.ts';

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
/** The key that reaches the page in a browser; null: the command has none. */
const keyOf = (command: Command) => keysOf(command, 'other').find((key) => !isKeptByBrowser(key, 'other')) ?? null;

describe('by keyboard alone', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ 'tour.md': text, 'other.md': '# Other\n', 'windows.md': text.replaceAll('\n', '\r\n') });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    page.setDefaultTimeout(15_000);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      window.printed = 0;
      Object.defineProperty(window, 'print', { value: () => void (window.top as unknown as Printing).printed++ });
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await isReady(page);
    await saveNothingUnasked(page);
    await openDocument(page, 'other.md');
    await openDocument(page, 'windows.md');
    await openDocument(page, 'tour.md');
  });
  afterAll(async () => {
    await app?.stop();
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

  /** What must be so before a command can do something; without a word the cursor is in a line of text. */
  const before: Partial<Record<CommandId, () => Promise<unknown>>> = {
    'file.save': () => page.keyboard.type('x'),
    'file.breaks-lf': () => openDocument(page, 'windows.md'),
    'file.reopen-closed': async () => {
      await openDocument(page, 'other.md');
      await press('Alt+Shift+W');
    },
    'file.close-tab': () => openDocument(page, 'other.md'),
    'edit.undo': () => page.keyboard.type('x'),
    'edit.redo': async () => {
      await page.keyboard.type('x');
      await press('Mod+Z');
    },
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
  async function find() {
    await press('Mod+F');
    await page.keyboard.type('boat');
    await press('Escape');
    await toLine(3, 2);
  }

  /** Brings the window back to the document as it was. */
  const back = async (command: Command) => {
    await press('Escape', 'Escape');
    if (command.id === 'window.coherence-breakdown') await page.getByRole('button', { name: 'Back to the editor' }).press('Enter');
    if (/^(view\.(source|reading|split|beside|focus|typewriter|toggle-.*|outline|fold)|edit\.spelling)$/u.test(command.id))
      await run(command);
    if (command.id === 'view.fold-all') await byId('view.unfold-all');
    const search = page.getByRole('searchbox', { name: 'Search in all documents' });
    if (await search.isVisible()) await search.press('Escape');
    const leave = page.getByRole('dialog').getByRole('button', { name: /^(?:Cancel|Close)$/u });
    if (await leave.first().isVisible()) await leave.first().press('Enter');
    const isFront = await page.getByRole('tab', { name: 'tour.md', selected: true }).isVisible();
    const names = ['file.new-untitled', 'file.breaks-lf'] as const;
    for (let steps = 0; names.includes(command.id as never) && steps < 2; steps++) await press('Mod+Z');
    if (!isFront) await openDocument(page, 'tour.md');
    await editorOf(page).focus();
    for (let steps = 0; steps < 12; steps++) await press('Mod+Z');
    await press('Escape');
  };

  it.each(commands.map((command) => [command.id, command] as const))('%s is reached, and does something', async (id, command) => {
    await toLine(3, 6);
    await before[id]?.();
    const was = await isQuiet();
    await run(command);
    await expect.poll(async () => (await seen()) !== was).toBe(true);
    await isQuiet();
    // The breakdown leaves the focus to the first Tab.
    if (id !== 'window.coherence-breakdown') expect(await page.evaluate(focusSeen)).toBe('seen');
    await back(command);
    await statusOf(page).waitFor();
  });
});
