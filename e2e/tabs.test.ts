import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, isReady, openDocument, saveNothingUnasked, statusOf, tabOf } from './writer.ts';

const names = ['one.md', 'two.md', 'three.md', 'four.md'];

describe('tabs', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook(Object.fromEntries(names.map((name) => [name, `# ${name}\n`])));
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
    for (const name of names) await openDocument(page, name);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  const tabs = () => page.getByRole('tab').evaluateAll((all) => all.map((tab) => tab.getAttribute('aria-label')));
  const stand = (wanted: readonly string[]) => expect.poll(tabs).toEqual(wanted);
  const choose = async (name: string) => {
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };

  it('that are pinned stand first, by key and by menu, and say so', async () => {
    await page.keyboard.press('Alt+Shift+K');
    await stand(['four.md, pinned', 'one.md', 'two.md', 'three.md']);
    await tabOf(page, 'two.md').click({ button: 'right' });
    await choose('Pin');
    await stand(['four.md, pinned', 'two.md, pinned', 'one.md', 'three.md']);
    await openDocument(page, 'four.md');
    await page.keyboard.press('Alt+Shift+K');
    await stand(['two.md, pinned', 'four.md', 'one.md', 'three.md']);
  });

  it('come back pinned with the window', async () => {
    await page.reload();
    await stand(['two.md, pinned', 'four.md', 'one.md', 'three.md']);
    await tabOf(page, 'four.md')
      .and(page.getByRole('tab', { selected: true }))
      .waitFor();
  });

  it('show what cannot be done with them', async () => {
    await tabOf(page, 'three.md').focus();
    await page.keyboard.press('Shift+F10');
    const looks = (name: string) =>
      page.getByRole('menuitem', { name }).evaluate((item) => [item.getAttribute('aria-disabled'), getComputedStyle(item).color]);
    const [[right, grey], [others, ink]] = await Promise.all([looks('Close to the right'), looks('Close others')]);
    expect([right, others, grey === ink]).toEqual(['true', null, false]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('are closed together, but for the pinned ones and those with unsaved changes', async () => {
    await openDocument(page, 'three.md');
    await page.keyboard.type('More. ');
    await tabOf(page, 'three.md, unsaved changes').waitFor();
    await tabOf(page, 'one.md').focus();
    await page.keyboard.press('Shift+F10');
    await choose('Close others');
    await stand(['two.md, pinned', 'one.md', 'three.md, unsaved changes']);
    await statusOf(page).getByText('1 tab with unsaved changes stays open.').waitFor();
    await openDocument(page, 'two.md');
    await page.keyboard.press('Alt+Shift+R');
    await stand(['two.md, pinned', 'three.md, unsaved changes']);
    await openDocument(page, 'three.md');
    await page.keyboard.press('ControlOrMeta+S');
    await stand(['two.md, pinned', 'three.md']);
    await openDocument(page, 'one.md');
    await page.keyboard.press('Alt+Shift+Q');
    await stand(['two.md, pinned', 'one.md']);
  });
});
