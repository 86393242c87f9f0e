import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draft, faceOf, replace, save } from './fixtures/face.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, isReady, openBreakdown, rowOf } from './writer.ts';

const source = 'outline.md';
const chapterAt = (at: number) => `chapters/${String(at).padStart(3, '0')}.md`;
const count = 250;

/** More documents than are drawn at once, and more rows than one message holds. */
describe('a breakdown of many documents', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  const most = { rows: 0 };
  beforeAll(async () => {
    const chapters = Array.from({ length: count }, (_, at) => [chapterAt(at), `# Chapter ${at}\n`]);
    book = createBook({ [source]: '# Outline\n\nThe tide is late.\n', ...Object.fromEntries(chapters) });
    writeFileSync(join(book.home, 'settings.json'), JSON.stringify({ insertIdentity: true, app: { 'view.begun': true } }));
    const { call, close } = await faceOf(book.folder, book.home);
    for (const [path] of chapters) await draft(call, book, path!, [source]);
    await save(call, source, replace('late', 'early'));
    await close();
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    page.setDefaultTimeout(20_000);
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        most.rows = Math.max(most.rows, payload.toString().match(/"silenced":null/gu)?.length ?? 0);
      });
    });
    await page.reload();
    await isReady(page);
    await openBreakdown(page);
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const drawn = () => page.locator('.bd-row').count();
  const focused = () => page.evaluate(() => document.activeElement?.closest('.bd-group')?.getAttribute('aria-label'));

  it('draws the rows near what is seen, and never asks for more than 200 at once', async () => {
    await page.locator('.bd-filter').first().getByText(String(count)).waitFor();
    await rowOf(page, chapterAt(0), source, 'changed').waitFor();
    expect(await drawn()).toBeLessThan(60);
    await page.locator('.bd-page').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await rowOf(page, chapterAt(199), source, 'changed').waitFor();
    await page.locator('.bd-page').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await rowOf(page, chapterAt(count - 1), source, 'changed').waitFor();
    expect(await drawn()).toBeLessThan(60);
    expect(most.rows).toBe(200);
  });

  it('goes from row to row by keys, also to those that were not drawn', async () => {
    await page.locator('.bd-page').evaluate((pane) => pane.scrollTo(0, 0));
    await rowOf(page, chapterAt(0), source, 'changed').locator('.bd-head').focus();
    for (let step = 1; step <= 40; step++) {
      await page.keyboard.press('j');
      await expect.poll(focused).toBe(chapterAt(step));
    }
    await page.keyboard.press('k');
    await expect.poll(focused).toBe(chapterAt(39));
    await page.keyboard.press('Enter');
    const row = rowOf(page, chapterAt(39), source, 'changed');
    await row.getByRole('insertion').filter({ hasText: 'early' }).waitFor();
    await page.locator('.bd-page').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await rowOf(page, chapterAt(count - 1), source, 'changed').waitFor();
    // What is open, and has the focus, stays wherever one looks.
    expect(await row.locator('.bd-open').count()).toBe(1);
    expect(await focused()).toBe(chapterAt(39));
  });

  it('finds by name among those that were never drawn', async () => {
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('chapters/247');
    await rowOf(page, chapterAt(247), source, 'changed').waitFor();
    await expect.poll(drawn).toBe(1);
  });
});
