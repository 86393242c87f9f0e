import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doubleElectron, type RunningElectron } from './electron-app.ts';
import { exportBook, pagesOf } from './fixtures/export-book.ts';
import { type Book, createBook, isReady, openDocument, statusOf } from './writer.ts';

describe('what the desktop exports', () => {
  let book: Book;
  let app: RunningElectron;
  let page: Page;
  beforeAll(async () => {
    book = createBook(exportBook);
    app = await doubleElectron.launch(book.folder, { home: book.home });
    page = await app.window('/');
    await isReady(page);
    await openDocument(page, '01-ferry.md');
  });
  afterAll(async () => {
    await app?.dispose();
    book?.dispose();
  });

  const goes = (filePath: string) =>
    app.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = async () => ({ canceled: path === '', filePath: path });
    }, filePath);
  const exportAs = async (format: string) => {
    await page.keyboard.press('Alt+Shift+X');
    await page.getByRole('radio', { name: format }).click();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
  };

  it('goes where the writer says, as a page and as a PDF', async () => {
    const [html, pdf] = [join(book.home, 'road.html'), join(book.home, 'road.pdf')];
    await goes(html);
    await exportAs('Web page');
    await statusOf(page).getByText(`Exported to ${html}.`).waitFor();
    expect(readFileSync(html, 'utf8')).toMatch(/^<!DOCTYPE html>[\s\S]*<\/html>\n$/u);
    await goes(pdf);
    await exportAs('PDF document');
    await statusOf(page).getByText(`Exported to ${pdf}.`).waitFor();
    const bytes = readFileSync(pdf);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pagesOf(bytes)).toBeGreaterThanOrEqual(1);
    expect(readdirSync(book.home).filter((name) => name.endsWith('.new'))).toEqual([]);
    // The window in which it was printed is gone.
    expect(app.windows()).toHaveLength(1);
  });

  it('goes nowhere when the writer thinks better of it, and says why it could not be written', async () => {
    await goes('');
    await exportAs('Web page');
    const button = page.getByRole('button', { name: 'Export', exact: true });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await goes(join(book.home, 'no such folder', 'a.html'));
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'Nothing was exported' }).waitFor();
    await page.keyboard.press('Escape');
  });
});
