import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, isReady, openDocument, save, statusOf, typeAtEnd } from './writer.ts';

describe('a document that saves itself', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ 'log.md': '# Log\n', 'other.md': '# Other\n' });
    book.stemma('init');
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await openDocument(page, 'log.md');
    await typeAtEnd(page, 'First.\n');
    await save(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const isSaid = (text: RegExp) => statusOf(page).getByText(text).waitFor();
  const authors = () => book.lines('transformation').map(({ body }) => (body.agent as { type: string }).type);

  it('is on disk after a rest and to be recorded; nothing of it is in the ledger yet', async () => {
    await typeAtEnd(page, 'Second.\n');
    await isSaid(/^Saved \d\d:\d\d · to be recorded$/u);
    expect(book.text('log.md')).toContain('Second.');
    expect(authors()).toEqual(['human']);
  });

  it('is recorded as one version when the writer saves, although nothing is unsaved', async () => {
    await page.keyboard.press('ControlOrMeta+S');
    await isSaid(/^Saved \d\d:\d\d · recorded$/u);
    expect(authors()).toEqual(['human', 'human']);
  });

  it('is recorded when the window is left, and when another document is looked at', async () => {
    const leaving = [() => page.evaluate(() => dispatchEvent(new Event('blur'))), () => openDocument(page, 'other.md')];
    for (const leave of leaving) {
      await openDocument(page, 'log.md');
      await isSaid(/^Saved \d\d:\d\d · recorded$/u);
      const before = authors().length;
      await typeAtEnd(page, 'More.\n');
      await isSaid(/^Saved \d\d:\d\d · to be recorded$/u);
      await leave();
      await expect.poll(authors).toHaveLength(before + 1);
    }
  });

  it('is recorded before the command line looks, as the writer', async () => {
    await openDocument(page, 'log.md');
    await isSaid(/^Saved \d\d:\d\d · recorded$/u);
    const before = authors().length;
    await typeAtEnd(page, 'Last.\n');
    await isSaid(/^Saved \d\d:\d\d · to be recorded$/u);
    expect(book.stemma.json('scan', 'scan')).toMatchObject({ external: 0, unchanged: 1 });
    expect(authors()).toEqual(Array.from({ length: before + 1 }, () => 'human'));
    await page.keyboard.press('ControlOrMeta+S');
    await isSaid(/^Saved \d\d:\d\d · recorded$/u);
  });

  it('is recorded where the ledger cannot be locked, and the status bar says what kind of place that is', async () => {
    expect(await statusOf(page).getByText('Shared drive').count()).toBe(0);
    const lock = join(book.folder, '.vmark/index.db-lock');
    rmSync(lock);
    mkdirSync(lock);
    const before = authors().length;
    await typeAtEnd(page, 'On a drive.\n');
    await page.keyboard.press('ControlOrMeta+S');
    await isSaid(/^Shared drive$/u);
    await expect.poll(authors).toHaveLength(before + 1);
  });
});
