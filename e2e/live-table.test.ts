import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked } from './writer.ts';

const before = 'Before.\n\n';
/** What tells that the text of a document is there, and not that of the one before it. */
const nameLine = (path: string) => `This is ${path}.`;
const endOf = (path: string) => `\n${nameLine(path)}\n`;
const table =
  '| Bell  | Ferry     | Lands at |\n| ----- | :-------- | -------: |\n| six   | *Aurelia* | North    |\n| seven | a \\| b    | 東の港   |\n';
const source = `${before}${table}\nAfter.\n`;

describe('a table that is written in where it stands', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let count = 0;
  beforeAll(async () => {
    const files = Array.from({ length: 13 }, (_, at) => `t${at}.md`);
    const textOfFile = (path: string) => (path === 't12.md' ? (source + endOf(path)).replaceAll('\n', '\r\n') : source + endOf(path));
    book = createBook(Object.fromEntries(files.map((path) => [path, textOfFile(path)])));
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await isReady(page);
    await saveNothingUnasked(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const cell = (text: string): Locator => page.getByRole('table').getByRole('cell', { name: text, exact: true });
  /** Where the cursor is, by the name that is read out. */
  const here = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const isHere = (name: string) => expect.poll(here).toBe(name);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** A file without the line that is not written in. */
  const textOf = (path: string) => book.text(path).replace(endOf(path), '').replace(endOf(path).replaceAll('\n', '\r\n'), '');
  /** Saves, and compares the file. */
  const isSaved = async (path: string, text: string) => {
    await page.keyboard.press('ControlOrMeta+S');
    await expect.poll(() => textOf(path)).toBe(text);
  };
  /** A fresh document with the cursor at its start. */
  const open = async (path = `t${count++}.md`) => {
    await openDocument(page, path);
    await editorOf(page).getByText(nameLine(path)).waitFor();
    await page.getByRole('table').waitFor();
    return path;
  };
  const undoAndRedo = async (path: string, text: string, original = source) => {
    await isSaved(path, text);
    while (textOf(path) !== original) {
      const was = textOf(path);
      await press('ControlOrMeta+Z', 'ControlOrMeta+S');
      await expect.poll(() => textOf(path)).not.toBe(was);
    }
    for (let turn = 0; turn < 20 && textOf(path) !== text; turn++) {
      const was = textOf(path);
      await press('ControlOrMeta+Y', 'ControlOrMeta+S');
      await expect.poll(() => textOf(path)).not.toBe(was);
    }
    expect(textOf(path)).toBe(text);
  };

  it('changes the cell that is written in, and no other byte', async () => {
    const path = await open();
    await cell('six').click();
    await isHere('Row 1, column 1, Bell');
    await press('End');
    await page.keyboard.type('teen');
    await undoAndRedo(path, source.replace('six  ', 'sixteen  '));
  });

  it('takes a symbol where the cursor is in a cell', async () => {
    const path = await open();
    await cell('North').click();
    await isHere('Row 1, column 3, Lands at');
    await press('End', 'Alt+Shift+S');
    await page.keyboard.type('em dash');
    await page.getByRole('option', { name: 'em dash —' }).waitFor();
    await press('Enter');
    await isHere('Row 1, column 3, Lands at');
    await page.keyboard.type('x');
    await undoAndRedo(path, source.replace('North', 'North—x'));
  });

  it('goes from cell to cell by Tab, Shift+Tab, Enter and arrows, and makes a row behind the last one', async () => {
    const path = await open();
    await press('ArrowDown', 'ArrowDown');
    await isHere('Head of column 1');
    await press('Tab', 'Tab', 'Tab');
    await isHere('Row 1, column 1, Bell');
    await press('Shift+Tab');
    await isHere('Head of column 3');
    await press('Enter');
    await isHere('Row 1, column 3, Lands at');
    await press('ArrowDown', 'Home', 'ArrowLeft');
    await isHere('Row 2, column 2, Ferry');
    await press('Tab', 'Tab');
    await isHere('Row 3, column 1, Bell');
    await page.keyboard.type('x|y');
    await undoAndRedo(path, source.replace('東の港   |\n', '東の港   |\n| x\\|y |  |  |\n'));
  });

  it('is left by arrows at both ends', async () => {
    const path = await open();
    await cell('seven').click();
    await press('ArrowDown');
    await editorOf(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('B');
    await press('ArrowUp', 'ArrowUp');
    await isHere('Row 2, column 3, Lands at');
    await press('ArrowUp', 'ArrowUp', 'ArrowUp');
    await page.keyboard.type('A');
    await isSaved(path, source.replace('Before.\n\n', 'Before.\nA\n').replace('After', 'BAfter'));
  });

  it('shows an escaped bar as a bar, and writes one as it must be', async () => {
    const path = await open();
    await cell('a | b').click();
    await press('End');
    await page.keyboard.type('|\\|');
    await isSaved(path, source.replace('a \\| b', 'a \\| b\\|\\\\\\|'));
    expect(await page.getByRole('table').getByRole('row').count()).toBe(3);
  });

  it('adds, moves and removes rows and columns by its menu', async () => {
    const path = await open();
    const choose = async (name: string) => {
      await press('Shift+F10');
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await cell('six').click();
    await choose('Insert column after');
    await isHere('Row 1, column 2, ');
    await page.keyboard.type('n');
    await choose('Move column left');
    await choose('Align right');
    await choose('Move row down');
    await cell('seven').click();
    await choose('Insert row above');
    await page.keyboard.type('r');
    const grid = [
      '|  | Bell  | Ferry     | Lands at |',
      '| --: | ----- | :-------- | -------: |',
      '|  | r |  |  |',
      '|  | seven | a \\| b    | 東の港   |',
      '| n | six   | *Aurelia* | North    |',
    ];
    // By what it says: how blanks stand is told by the unit tests.
    await page.keyboard.press('ControlOrMeta+S');
    const cells = (text: string) =>
      text.split('\n').map((line) =>
        line
          .split(/(?<!\\)\|/u)
          .slice(1, -1)
          .map((part) => part.trim()),
      );
    await expect.poll(() => cells(textOf(path).slice(before.length).split('\n\n')[0]!)).toEqual(cells(grid.join('\n')));
    const after = textOf(path);
    await undoAndRedo(path, after);
  });

  it('takes a spreadsheet from the clipboard', async () => {
    const path = await open();
    await page.evaluate(() => navigator.clipboard.writeText('one\ttwo\nthree\tfour\nfive\tsix'));
    await cell('Aurelia').click();
    await press('ControlOrMeta+V');
    await undoAndRedo(
      path,
      source.replace('*Aurelia* | North    ', 'one | two    ').replace('a \\| b    | 東の港   |', 'three    | four   |\n|  | five | six |'),
    );
  });

  it('is composed in by an input method, beside marks, and keeps the word whole', async () => {
    const path = await open();
    const session = await page.context().newCDPSession(page);
    await cell('Aurelia').click();
    // Its marks are shown once it is written in; End goes behind them.
    await page.getByRole('table').getByText('*Aurelia*', { exact: true }).first().waitFor();
    await press('End');
    for (const text of ['に', 'にほ', '日本'])
      await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await session.send('Input.insertText', { text: '日本' });
    await isSaved(path, source.replace('*Aurelia*', '*Aurelia*日本'));
    // Parts that come more than half a second apart are taken back one by one.
    await press('ControlOrMeta+Z', 'ControlOrMeta+Z', 'ControlOrMeta+Z', 'ControlOrMeta+Z');
    await isSaved(path, source);
  });

  it('keeps the line breaks of a file of another kind', async () => {
    const path = await open('t12.md');
    await cell('six').click();
    await press('ControlOrMeta+A');
    await page.keyboard.type('6');
    await press('ControlOrMeta+Enter');
    await page.keyboard.type('7');
    await isSaved(
      path,
      source.replace('| six   |', '| 6   |').replace('North    |\n', 'North    |\n| 7 |  |  |\n').replaceAll('\n', '\r\n'),
    );
  });
});
