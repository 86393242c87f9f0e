import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, save, saveNothingUnasked, showSource, tabOf } from './writer.ts';

const long = `# Long\n\n${Array.from({ length: 300 }, (_, at) => `Line ${at}.\n`).join('')}`;

const block = '---\nvmark:\n  id: 01890a5d-ac96-774b-bcce-b302099a8057\n---\n';

describe('one text in several places', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ 'a.md': long, 'b.md': '# B\n', 'shared.md': '# Shared\n', 'tracked.md': `${block}# Tracked\n` });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
    await showSource(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  const first = () => page.getByRole('main').getByRole('textbox', { name: 'Text of the document' });
  const second = () => page.getByRole('region', { name: /^Second editor/u }).getByRole('textbox', { name: 'Text of the document' });
  const hasFocus = (place: ReturnType<typeof first>) =>
    expect.poll(() => place.evaluate((text) => text === document.activeElement)).toBe(true);

  it('has one text and one history in two editors, and a cursor and a scroll in each', async () => {
    await openDocument(page, 'a.md');
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Alt+Shift+E');
    await hasFocus(second());
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('From the second.');
    await second().getByText('From the second.').waitFor();
    await first().getByText('# Long').waitFor();
    await tabOf(page, 'a.md, unsaved changes').waitFor();
    await first().focus();
    await page.keyboard.type('First. ');
    await first().getByText('First. # Long').waitFor();
    await second().getByText('From the second.').waitFor();
    // The second one takes back what was done last, wherever, and sees it; then its own.
    await second().focus();
    await page.keyboard.press('ControlOrMeta+Z');
    await first().getByText('First. # Long').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Z');
    await second().getByText('From the second.').waitFor({ state: 'detached' });
    await tabOf(page, 'a.md').and(page.locator('[aria-label="a.md"]')).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+Z');
    await page.keyboard.press('ControlOrMeta+Shift+Z');
    await save(page);
    expect(book.text('a.md')).toBe(`First. ${long}From the second.`);
  });

  it('goes on where another document is in front, and is saved from where it is typed', async () => {
    await openDocument(page, 'b.md');
    // The box gives the focus back to the second editor before the document takes it.
    await first().and(page.locator(':focus')).waitFor();
    await second().focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' More.');
    await tabOf(page, 'a.md, unsaved changes').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await tabOf(page, 'a.md').and(page.locator('[aria-label="a.md"]')).waitFor();
    expect(book.text('a.md')).toBe(`First. ${long}From the second. More.`);
    await page.keyboard.press('ControlOrMeta+Z');
    await second().getByText('From the second.', { exact: true }).waitFor();
    book.write('b.md', '# B, from outside\n');
    await first().getByText('# B, from outside').waitFor();
    await page.getByRole('button', { name: 'Close the second editor' }).click();
    await second().waitFor({ state: 'detached' });
    await openDocument(page, 'a.md');
    await page.keyboard.press('ControlOrMeta+End');
    await first().getByText('From the second.', { exact: true }).waitFor();
  });

  it('shows the identity block as little in the second editor as in the first', async () => {
    await openDocument(page, 'tracked.md');
    await page.keyboard.press('Alt+Shift+E');
    await second().getByText('# Tracked').waitFor();
    for (const place of [first(), second()]) await expect.poll(() => place.textContent()).not.toContain('vmark:');
    await page.getByRole('button', { name: 'Close the second editor' }).click();
    await second().waitFor({ state: 'detached' });
  });

  it('follows in a window that has no changes of it, and asks in one that has', async () => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    await isReady(other);
    await openDocument(page, 'shared.md');
    await openDocument(other, 'shared.md');
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('One.\n');
    await save(page);
    await editorOf(other).getByText('One.').waitFor();
    await editorOf(other).focus();
    await other.keyboard.press('ControlOrMeta+End');
    await other.keyboard.type('Two.\n');
    await page.keyboard.type('Three.\n');
    await save(page);
    await other.getByRole('region', { name: 'Changed outside' }).waitFor();
    expect(book.text('shared.md')).toBe('# Shared\nOne.\nThree.\n');
    await other.getByRole('button', { name: 'Merge…' }).click();
    await other.getByRole('radio', { name: 'Yours: Two.' }).and(other.locator(':focus')).waitFor();
    await other.keyboard.press('3');
    await other.keyboard.press('ControlOrMeta+Enter');
    await save(other);
    await editorOf(page).getByText('Two.').waitFor();
    expect(book.text('shared.md')).toBe('# Shared\nOne.\nTwo.\nThree.\n');
    await other.close();
  });
});
