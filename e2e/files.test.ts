import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, statusOf, tabOf, typeAtEnd } from './writer.ts';

const [elena, ferry, road] = ['bible/elena.md', 'chapters/01-ferry.md', 'chapters/02-road.md'] as const;
const texts = {
  [elena]: '# Elena\n\nElena keeps salt in a tin.\n',
  [ferry]: '# The Ferry\r\n\r\nSalt on her sleeve. [Her](../bible/elena.md#eyes), [[elena|she]].\r\n',
  [road]: '# The Road\n\nsalt, Salt. [Elena](<../bible/elena.md>)\n',
  'notes.md': 'A salt shaker.\n',
};

function story() {
  const held: { book: Book; app: RunningBrowser; page: Page } = {} as never;
  beforeAll(async () => {
    held.book = createBook(texts);
    const env = { XDG_DATA_HOME: join(held.book.home, 'data') };
    held.app = await launchBrowser(held.book.folder, { home: held.book.home, env });
    held.page = held.app.page;
    await isReady(held.page);
  });
  afterAll(async () => {
    await held.app?.stop();
    held.book?.dispose();
  });
  return held;
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true });
const said = (page: Page, text: string | RegExp) => statusOf(page).getByText(text).waitFor();
const takeBack = async (page: Page) => {
  await statusOf(page).getByRole('button', { name: 'Undo' }).click();
  await said(page, 'Taken back.');
};

describe('a document that is renamed in the tree', () => {
  const held = story();

  it('shows which links it would break before anything happens, and Escape leaves all as it was', async () => {
    const { page, book } = held;
    await openDocument(page, elena);
    await typeAtEnd(page, 'More of her.');
    await rowOf(page, 'elena.md').focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name of elena.md' }).fill('maria.md');
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'elena.md becomes bible/maria.md' });
    await question.getByText('3 links in 2 documents', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect([book.text(ferry), book.text(road)]).toEqual([texts[ferry], texts[road]]);
    expect(book.text(elena)).toBe(`${texts[elena]}More of her.`);
  });

  it('keeps the links that are ticked, and its tab, text and undo', async () => {
    const { page, book } = held;
    await rowOf(page, 'elena.md').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('maria');
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: road }).uncheck();
    await page.getByRole('button', { name: 'Go on, and change 1 document' }).click();
    await said(page, 'elena.md is maria.md now. 1 document leads to it as before.');
    expect(book.text(ferry)).toBe(texts[ferry].replace('elena.md', 'maria.md').replace('[[elena', '[[maria'));
    expect(book.text(road)).toBe(texts[road]);
    await tabOf(page, 'maria.md').waitFor();
    expect(await tabOf(page, 'elena.md').count()).toBe(0);
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(() => book.text('bible/maria.md'), { timeout: 15_000 }).toBe(texts[elena]);
  });

  it('is as before once that is taken back', async () => {
    const { page, book } = held;
    await takeBack(page);
    await tabOf(page, 'elena.md').waitFor();
    for (const [path, text] of Object.entries(texts)) expect(book.text(path)).toBe(text);
    expect(existsSync(join(book.folder, 'bible/maria.md'))).toBe(false);
  });

  it('is dragged into another folder, with its links', async () => {
    const { page, book } = held;
    await rowOf(page, 'chapters').click();
    await rowOf(page, 'elena.md').dragTo(rowOf(page, 'chapters'));
    await page.getByRole('button', { name: 'Go on, and change 2 documents' }).click();
    await said(page, /is chapters\/elena\.md now/u);
    expect(book.text(road)).toBe(texts[road].replace('../bible/', ''));
    await takeBack(page);
    expect(book.text(road)).toBe(texts[road]);
  });
});

describe('the tree', () => {
  const held = story();

  it('moves a document to the trash with Delete, and takes it out again', async () => {
    const { page, book } = held;
    await openDocument(page, 'notes.md');
    await rowOf(page, 'notes.md').focus();
    await page.keyboard.press('Delete');
    await said(page, 'notes.md is in the trash.');
    expect(existsSync(join(book.folder, 'notes.md'))).toBe(false);
    await tabOf(page, 'notes.md').waitFor({ state: 'detached' });
    await rowOf(page, 'notes.md').waitFor({ state: 'detached' });
    await takeBack(page);
    await rowOf(page, 'notes.md').waitFor();
    expect(book.text('notes.md')).toBe(texts['notes.md']);
  });

  it('has a menu with what can be done, by keyboard too', async () => {
    const { page, book } = held;
    await rowOf(page, 'notes.md').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter');
    await tabOf(page, 'notes 2.md').waitFor();
    expect(book.text('notes 2.md')).toBe(texts['notes.md']);
    await rowOf(page, 'bible').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'New folder here…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('people');
    await page.keyboard.press('Enter');
    await said(page, 'The folder people was made.');
    expect(readdirSync(join(book.folder, 'bible')).sort()).toEqual(['elena.md', 'people']);
    await rowOf(page, 'bible').click();
    await rowOf(page, 'people').waitFor();
  });

  it('leaves a name that is being written when another row is clicked (FR-126)', async () => {
    const { page, book } = held;
    await rowOf(page, 'notes.md').focus();
    await page.keyboard.press('F2');
    const name = page.getByRole('textbox', { name: 'New name of notes.md' });
    await name.fill('other.md');
    await rowOf(page, 'notes 2.md').click();
    await name.waitFor({ state: 'detached' });
    await tabOf(page, 'notes 2.md')
      .and(page.getByRole('tab', { selected: true }))
      .waitFor();
    await page.keyboard.press('Enter');
    await editorOf(page).waitFor();
    expect(readdirSync(book.folder).filter((file) => /^(?:notes|other)/u.test(file))).toEqual(['notes 2.md', 'notes.md']);
  });
});

describe('a search in all documents', () => {
  const held = story();
  const field = () => held.page.getByRole('searchbox', { name: 'Search in all documents' });

  it('finds, and leads to a match by keyboard alone', async () => {
    const { page } = held;
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await field().and(page.locator(':focus')).waitFor();
    await page.keyboard.type('salt');
    await page.getByText('5 matches in 4 documents').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabOf(page, '01-ferry.md')
      .and(page.getByRole('tab', { selected: true }))
      .waitFor();
    await editorOf(page).and(page.locator(':focus')).waitFor();
    await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('Salt');
  });

  it('looks for words, letter case and expressions, and only where it is told', async () => {
    const { page } = held;
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await field().fill('salt');
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.getByText('3 matches in 3 documents').waitFor();
    await page.getByRole('textbox', { name: 'Only in' }).fill('chapters/');
    await page.getByText('1 match in 1 document').waitFor();
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await field().fill('(salt');
    await page.getByText('Not a valid expression').waitFor();
    await page.getByRole('textbox', { name: 'Only in' }).fill('');
    await page.getByRole('button', { name: 'Match case' }).click();
    await field().fill('(s)(alt)');
    await page.getByText('5 matches in 4 documents').waitFor();
  });

  it('shows what would be replaced, replaces what is ticked, and takes it back', async () => {
    const { page, book } = held;
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByRole('textbox', { name: 'Replace with' }).fill('$1moke');
    await page.locator('.search-hit ins', { hasText: 'Smoke' }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Replace in notes.md' }).uncheck();
    await page.getByRole('button', { name: 'Replace 4 matches' }).click();
    await said(page, '4 matches replaced in 3 documents.');
    expect(book.text(road)).toBe(texts[road].replace('salt, Salt', 'smoke, Smoke'));
    expect(book.text(ferry)).toBe(texts[ferry].replace('Salt', 'Smoke'));
    expect(book.text('notes.md')).toBe(texts['notes.md']);
    await expect.poll(() => editorOf(page).textContent()).toContain('Smoke on her sleeve');
    await takeBack(page);
    for (const [path, text] of Object.entries(texts)) expect(book.text(path)).toBe(text);
  });
});
