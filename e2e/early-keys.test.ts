import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook } from './writer.ts';

describe('a window whose folder is not known yet', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  const isAsked = Promise.withResolvers<void>();
  const isLetGo = Promise.withResolvers<void>();
  beforeAll(async () => {
    book = createBook({ 'note.md': '# Note\n' });
    app = await launchBrowser(dirname(book.folder), { home: book.home });
    page = app.page;
    await page.routeWebSocket(/\/socket/u, (socket) => {
      const server = socket.connectToServer();
      // As on a machine with other work: the folder is read late.
      socket.onMessage((message) => {
        const isList = /"workspace\/(info|files)"/u.test(String(message));
        if (!isList) return server.send(message);
        isAsked.resolve();
        void isLetGo.promise.then(() => server.send(message));
      });
      server.onMessage((message) => socket.send(message));
    });
    await page.reload();
    await page.locator('html[data-started]').waitFor({ state: 'attached' });
    await isAsked.promise;
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
    isLetGo.resolve();
    await picker.getByText(dirname(book.folder), { exact: true }).waitFor();
    await picker.getByRole('option', { name: 'book', exact: true }).waitFor();
  });
});
