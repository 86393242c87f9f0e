import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked, tabOf, typeAtEnd } from './writer.ts';

/** Loads the page anew and, as on a machine with other work, keeps what it asks by these names from core until it is let go. */
async function reloadHolding(page: Page, calls: RegExp) {
  const asked = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/socket/u, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (!calls.test(String(message))) return server.send(message);
      asked.resolve();
      void letGo.promise.then(() => server.send(message));
    });
    server.onMessage((message) => socket.send(message));
  });
  await page.reload();
  await asked.promise;
  return letGo.resolve;
}

describe('a window that has not loaded all of itself', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ 'note.md': '# Note\n', 'other.md': 'The ferry.\n' });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await openDocument(page, 'note.md');
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  /** Loads the page anew, with a part of it held back until it is let go. */
  async function reloadWithout(part: RegExp) {
    const letGo = Promise.withResolvers<void>();
    await page.route(part, async (route) => {
      await letGo.promise;
      await route.continue();
    });
    await page.reload();
    await isReady(page);
    await editorOf(page).focus();
    return letGo.resolve;
  }
  const early = () => page.getByRole('textbox', { name: 'Loading…' }).and(page.locator(':focus'));

  it('keeps what is typed for the box that was asked for, and nothing of it gets into the text', async () => {
    const letGo = await reloadWithout(/\/asked-[^/]*\.js$/u);
    await page.keyboard.press('ControlOrMeta+P');
    await early().waitFor();
    await page.keyboard.type('oth');
    letGo();
    const field = page.getByRole('combobox', { name: 'Go to' });
    await expect.poll(() => field.inputValue().catch(() => null)).toBe('oth');
    await page.keyboard.type('er');
    await page.getByRole('option', { name: 'other.md' }).waitFor();
    await page.keyboard.press('Enter');
    await editorOf(page).getByText('The ferry.').waitFor();
    expect([book.text('note.md'), book.text('other.md')]).toEqual(['# Note\n', 'The ferry.\n']);
  });

  it('keeps it for the search, and Escape does not wait', async () => {
    const letGo = await reloadWithout(/\/search-panel-[^/]*\.js$/u);
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await early().waitFor();
    await page.keyboard.press('Escape');
    await editorOf(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await early().waitFor();
    await page.keyboard.type('ferry');
    letGo();
    await expect
      .poll(() =>
        page
          .getByRole('searchbox', { name: 'Search in all documents' })
          .inputValue()
          .catch(() => null),
      )
      .toBe('ferry');
    await page.getByRole('button', { name: /The ferry/u }).waitFor();
    expect(book.text('other.md')).toBe('The ferry.\n');
  });
});

describe('a window whose folder is not known yet', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let letGo: () => void;
  beforeAll(async () => {
    book = createBook({ 'note.md': '# Note\n' });
    app = await launchBrowser(dirname(book.folder), { home: book.home });
    page = app.page;
    letGo = await reloadHolding(page, /"workspace\/(info|files)"/u);
    await page.locator('html[data-started]').waitFor({ state: 'attached' });
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  it('does not say that the folder has no documents, and picks the next folder beside this one once it is known', async () => {
    await page.keyboard.press('ControlOrMeta+Shift+O');
    const picker = page.getByRole('dialog', { name: 'Open folder' });
    await picker.getByRole('option', { name: 'Up one folder' }).waitFor();
    expect(await page.getByText('This folder has no documents yet.').count()).toBe(0);
    letGo();
    await picker.getByText(dirname(book.folder), { exact: true }).waitFor();
    await picker.getByRole('option', { name: 'book', exact: true }).waitFor();
  });
});

describe('a window that does not know yet what was left', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ 'left.md': '# Left\n', 'other.md': '# Other\n' });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
    await openDocument(page, 'left.md');
    await typeAtEnd(page, 'Unsaved.');
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  it('says nothing of it, and opens it behind what the writer began to write in', async () => {
    const letGo = await reloadHolding(page, /"journal\/list"/u);
    await isReady(page);
    await page.keyboard.press('F1');
    await page.getByRole('combobox', { name: 'Go to' }).pressSequentially('recovered texts');
    await page.keyboard.press('Enter');
    const list = page.getByRole('dialog', { name: 'Recovered texts' });
    await list.getByRole('button', { name: 'Close' }).waitFor();
    expect(await list.getByText('There is nothing to recover.').count()).toBe(0);
    await page.keyboard.press('Escape');
    await openDocument(page, 'other.md');
    await typeAtEnd(page, 'Early.');
    letGo();
    await page.locator('html[data-started]').waitFor({ state: 'attached' });
    await tabOf(page, 'left.md, unsaved changes').waitFor();
    await page.keyboard.type(' Late.');
    await editorOf(page).getByText('Early. Late.').waitFor();
    await tabOf(page, 'left.md').click();
    await editorOf(page).getByText('Unsaved.').waitFor();
  });
});
