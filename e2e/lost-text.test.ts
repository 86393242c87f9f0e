import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { keptIn, killPages, pathsKeptIn } from './window-kill.ts';
import { type Book, createBook, editorOf, isReady, linkBeside, openDocument, saveNothingUnasked, tabOf, typeAtEnd } from './writer.ts';

/** What people reported of text that went (docs/field-reports.md): the scenario, and what is right. */
describe('a report of lost text', () => {
  let book: Book;
  let app: RunningBrowser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    book = createBook({
      'touched.md': '# Touched\n\n',
      'left.md': '# Left\n\n',
      'from.md': '# From\n\n[there](to.md)\n',
      'to.md': '# To\n\n```haskell\nmain = print 1\n```\n',
      'moved.md': '# Moved\n\n',
    });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    context = page.context();
    page.setDefaultTimeout(20_000);
    await isReady(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  const isClean = (name: string) =>
    tabOf(page, name)
      .and(page.locator(`[aria-label="${name}"]`))
      .waitFor();

  it('FR-006: typed on while something touches and replaces the file after each save by itself, every letter is there', async () => {
    await openDocument(page, 'touched.md');
    await page.keyboard.press('ControlOrMeta+End');
    const place = join(book.folder, 'touched.md');
    const typed = ['# Touched\n\n'];
    for (let burst = 0; burst < 6; burst++) {
      const word = `burst${burst} `;
      await page.keyboard.type(word, { delay: 30 });
      typed.push(word);
      await expect.poll(() => book.text('touched.md')).toBe(typed.join(''));
      // The one that touches comes while the next word is being typed.
      const touching = (async () => {
        utimesSync(place, new Date(), new Date());
        writeFileSync(`${place}.other`, readFileSync(place));
        renameSync(`${place}.other`, place);
      })();
      await page.keyboard.type('on ', { delay: 60 });
      typed.push('on ');
      await touching;
    }
    await expect.poll(() => book.text('touched.md')).toBe(typed.join(''));
    expect((await editorOf(page).locator('.cm-line').allTextContents()).join('\n')).toBe(typed.join('').replace('# ', ''));
    expect(await page.getByRole('region', { name: 'Changed outside' }).count()).toBe(0);
  });

  it('FR-020: typed, and a link followed at once to code of a language that was not loaded: the text is in its own file', async () => {
    const to = book.text('to.md');
    await openDocument(page, 'from.md');
    await typeAtEnd(page, 'Typed before.');
    await editorOf(page)
      .getByText('there')
      .click({ modifiers: ['ControlOrMeta'] });
    await editorOf(page).getByText('main = print 1').waitFor();
    await expect.poll(() => book.text('from.md')).toBe('# From\n\n[there](to.md)\nTyped before.');
    expect(book.text('to.md')).toBe(to);
  });

  it('FR-014: left within a moment of each word, all words are there', async () => {
    await openDocument(page, 'left.md');
    for (let word = 0; word < 12; word++) {
      await editorOf(page).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(`word${word} `);
      await page.reload();
      await isReady(page);
      await editorOf(page).getByText(`word${word}`).waitFor();
    }
    await page.keyboard.press('ControlOrMeta+S');
    const words = Array.from({ length: 12 }, (_, word) => `word${word} `).join('');
    await expect.poll(() => book.text('left.md')).toBe(`# Left\n\n${words}`);
  });

  it('FR-165: on a German keyboard the digit on a key is that key, and what needs a sign is reached by letters', async () => {
    await openDocument(page, 'left.md');
    await page.keyboard.press('ControlOrMeta+End');
    const cdp = await context.newCDPSession(page);
    // There Shift makes `/` of 7.
    const seven = { modifiers: 2 + 8, key: '/', code: 'Digit7', windowsVirtualKeyCode: 55 };
    for (const type of ['rawKeyDown', 'keyUp'] as const) await cdp.send('Input.dispatchKeyEvent', { type, ...seven });
    await expect.poll(() => book.text('left.md')).toMatch(/^1\. word0/mu);
    await page.keyboard.press('Alt+Shift+M');
    await page.getByRole('button', { name: 'Shown as: Source' }).waitFor();
    await page.keyboard.press('Alt+Shift+M');
    await page.getByRole('button', { name: 'Shown as: Live preview' }).waitFor();
  });

  it('FR-007: moved with unsaved text it stays unsaved under its new path, and is there after a kill', async () => {
    await saveNothingUnasked(page);
    await openDocument(page, 'moved.md');
    await isClean('moved.md');
    await typeAtEnd(page, 'Only in the window.');
    const { call, close } = await linkBeside(page);
    await call('files/create-folder', { path: 'parts' });
    await call('files/move', { moves: [{ from: 'moved.md', to: 'parts/moved.md' }], links: [] });
    close();
    await page.locator('[role="tab"][title="parts/moved.md"]').and(tabOf(page, 'moved.md, unsaved changes')).waitFor();
    // What is no text is kept within a second, too.
    await expect.poll(() => pathsKeptIn(book.home)).toContain('parts/moved.md');
    expect(keptIn(book.home)).toContain('Only in the window.');
    await killPages(page);
    page = await context.newPage();
    await page.goto(new URL(app.url).origin);
    await isReady(page);
    const list = page.getByRole('dialog', { name: 'Recovered texts' });
    await list.getByText('moved.md', { exact: true }).waitFor();
    await list.getByText('parts', { exact: true }).waitFor();
    await list.getByRole('button', { name: /^Open (?:it|all)$/u }).click();
    await list.waitFor({ state: 'detached' });
    await openDocument(page, 'parts/moved.md');
    await editorOf(page).getByText('Only in the window.').waitFor();
    expect(book.text('parts/moved.md')).toBe('# Moved\n\n');
  });
});
