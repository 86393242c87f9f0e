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
