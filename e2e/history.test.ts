import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, save, saveNothingUnasked, showSource, typeAtEnd } from './writer.ts';

const log = '# Log\r\n\r\nRain in the morning.\r\n';

describe('the history of a document', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ 'log.md': log, 'tracked.md': '# Tracked\n' });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await showSource(page);
    await saveNothingUnasked(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const box = (name: string) => page.getByRole('dialog', { name: `History of ${name}` });
  const front = () => editorOf(page).locator('.cm-line').allTextContents();

  it('shows what was there beside what is there now, and puts it back by keys alone; what was unsaved is saved first', async () => {
    await openDocument(page, 'log.md');
    await typeAtEnd(page, 'Wind at noon.');
    await save(page);
    await typeAtEnd(page, ' And later.');
    await page.keyboard.press('Alt+Shift+V');
    const dialog = box('log.md');
    await dialog.getByText('Versions are kept in the app data of this machine').waitFor();
    await dialog.getByRole('option', { name: /Another program/u }).waitFor();
    await page.keyboard.press('End');
    await dialog.getByRole('option', { name: /Another program/u, selected: true }).waitFor();
    await dialog.getByRole('region', { name: 'Comparison' }).getByText('And later.').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.getByRole('button', { name: 'Restore this version' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => book.text('log.md')).toBe(log);
    expect(await front()).toEqual(['# Log', '', 'Rain in the morning.', '']);
    await editorOf(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ControlOrMeta+Z');
    expect((await front()).at(-1)).toBe('Wind at noon. And later.');
  });

  it('is put back where it differs from the text in the window, whatever the file holds', async () => {
    const restore = () => page.getByRole('button', { name: 'Restore this version' });
    // The window has what was taken back; the file has what was restored, which is the newest version.
    expect((await front()).at(-1)).toBe('Wind at noon. And later.');
    expect(book.text('log.md')).toBe(log);
    await page.keyboard.press('Alt+Shift+V');
    const versions = box('log.md').getByRole('option');
    await versions.first().click();
    await box('log.md').getByRole('region', { name: 'Comparison' }).getByText('And later.').waitFor();
    expect(await restore().isEnabled()).toBe(true);
    await versions.nth(1).click();
    await box('log.md').getByText('The text is the same as it stands here.').waitFor();
    await restore().and(page.locator(':disabled')).waitFor();
    await page.keyboard.press('Escape');
    await box('log.md').waitFor({ state: 'detached' });
    expect(book.text('log.md')).toBe(log);
  });

  it('of one that the ledger has names its versions and who made them', async () => {
    book.stemma('init');
    await openDocument(page, 'tracked.md');
    await typeAtEnd(page, 'One.\n');
    await save(page);
    await typeAtEnd(page, 'Two.\n');
    await page.keyboard.press('ControlOrMeta+S');
    await expect.poll(() => book.text('tracked.md')).toContain('Two.');
    await page.keyboard.press('ControlOrMeta+Shift+P');
    await page.keyboard.type('History');
    await page.keyboard.press('Enter');
    const dialog = box('tracked.md');
    await dialog.getByText('The ledger keeps every version.').waitFor();
    await dialog.getByRole('option', { name: /You v1$/u }).click();
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => book.text('tracked.md')).toMatch(/^---\nvmark:\n {2}id: \S+\n---\n# Tracked\nOne\.\n$/u);
    const last = book.lines('transformation').at(-1);
    expect(last?.body.intent).toMatchObject({ kind: 'restore' });
  });
});
