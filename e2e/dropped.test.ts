import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchElectron, type RunningElectron } from './electron-app.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, statusOf, tabOf } from './writer.ts';

const inFront = (page: Page, name: string) =>
  tabOf(page, name)
    .and(page.getByRole('tab', { selected: true }))
    .waitFor();

/** Drops files as a system does: over the row of a name, or over the page. */
async function drop(
  page: Page,
  files: readonly { readonly name: string; readonly bytes: readonly number[]; readonly type?: string }[],
  row?: string,
) {
  const target = row === undefined ? page.getByRole('main') : page.getByRole('row', { name: row, exact: true });
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, bytes, type } of all) transfer.items.add(new File([new Uint8Array(bytes)], name, { type: type ?? '' }));
    return transfer;
  }, files);
  await target.dispatchEvent('dragover', { dataTransfer: data });
  await target.dispatchEvent('drop', { dataTransfer: data });
}

/** Drops something of this disk, which Chromium then looks at itself. */
async function dropPath(page: Page, path: string) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 640, y: 400, data });
  await session.detach();
}

const bytesOf = (text: string) => [...Buffer.from(text)];

describe('what comes from outside', () => {
  let book: Book;
  beforeEach(() => {
    book = createBook({ 'a.md': '# A\n', 'chapters/one.md': '# One\n' });
  });
  afterEach(() => book.dispose());

  describe('in the browser shell', () => {
    let app: RunningBrowser;
    let page: Page;
    beforeEach(async () => {
      mkdirSync(join(book.home, 'shelf'));
      const folders = [join(book.home, 'gone'), realpathSync(join(book.home, 'shelf'))];
      writeFileSync(join(book.home, 'recent-folders.json'), JSON.stringify({ folders }));
      writeFileSync(join(book.home, 'shelf/note.md'), '# Note\n');
      app = await launchBrowser(book.folder, { home: book.home });
      page = app.page;
      await isReady(page);
    });
    afterEach(async () => void (await app?.stop()));
    const said = (text: string | RegExp) => statusOf(page).getByText(text).waitFor();

    it('is opened where it is in the folder, and else added byte for byte under a free name', async () => {
      await drop(page, [{ name: 'one.md', bytes: bytesOf('# One\n') }]);
      await inFront(page, 'one.md');
      const other = '\uFEFF# Other\r\n';
      await drop(
        page,
        [
          { name: 'one.md', bytes: bytesOf(other) },
          { name: 'sum.xlsx', bytes: [1] },
        ],
        'one.md',
      );
      await inFront(page, 'one 2.md');
      await said('chapters/one 2.md was added to this folder as a copy. 1 other file was left: only Markdown documents can be added.');
      expect(book.text('chapters/one 2.md')).toBe(other);
      // A name that not every system takes becomes one, as one that is typed has to be.
      await drop(page, [{ name: 'plan: a?.md', bytes: bytesOf('# Plan\n') }]);
      await said('plan a.md was added to this folder as a copy.');
      expect(book.text('plan a.md')).toBe('# Plan\n');
      await drop(page, [{ name: 'latin.md', bytes: [0xe9, 0x0a] }]);
      await said(/^latin\.md is not UTF-8 text/u);
      await drop(page, [{ name: 'map.png', bytes: [1, 2], type: 'image/png' }], 'a.md');
      await said(/^Nothing was added/u);
      await dropPath(page, join(book.home, 'shelf'));
      await said('A browser does not say where the folder shelf is. Choose it with Open folder…');
      await dropPath(page, join(book.home, 'shelf/note.md'));
      await inFront(page, 'note.md');
      expect(book.text('note.md')).toBe('# Note\n');
    });

    it('is a folder of another day, or one that is gone and said to be', async () => {
      await page.getByRole('heading', { name: 'Recent folders' }).waitFor();
      await page.getByRole('list', { name: 'Recent folders' }).getByRole('button', { name: 'shelf' }).waitFor();
      await page.keyboard.press('Alt+Shift+D');
      const box = page.getByRole('dialog', { name: 'Open recent folder' });
      await box.getByRole('option', { name: 'gone' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await box
        .getByRole('alert')
        .getByText(/^.*gone is not there\./u)
        .waitFor();
      await page.keyboard.press('Delete');
      await box.getByRole('option', { name: 'gone' }).waitFor({ state: 'detached' });
      await box.getByRole('option', { name: 'shelf' }).click();
      await page.getByRole('row', { name: 'note.md', exact: true }).waitFor();
      // The folder that was left is the first of the list now.
      await page.getByRole('list', { name: 'Recent folders' }).getByRole('button', { name: 'book' }).waitFor();
    });
  });

  describe('in the app', () => {
    let app: RunningElectron;
    afterEach(async () => void (await app?.dispose()));

    it('is a document that the system opens, one that is dropped, or a folder that is offered', async () => {
      const shelf = join(realpathSync(book.home), 'shelf');
      mkdirSync(shelf);
      app = await launchElectron(join(book.folder, 'chapters/one.md'), { home: book.home });
      const first = await app.window('/');
      await inFront(first, 'one.md');
      await editorOf(first).getByText('One').waitFor();
      const openFile = (path: string) =>
        app.evaluate(({ app: program }, given) => void program.emit('open-file', { preventDefault() {} } as never, given), path);
      writeFileSync(join(shelf, 'two.md'), '# Two\n');
      writeFileSync(join(book.folder, 'chapters/three.md'), '# Three\n');
      await openFile(join(book.folder, 'chapters/three.md'));
      await inFront(first, 'three.md');
      expect(await app.startAgain(join(shelf, 'two.md'))).toBe(0);
      await expect.poll(() => app.windows().length).toBe(2);
      const second = app.windows().find((window) => window !== first)!;
      await inFront(second, 'two.md');
      await second.evaluate(
        (path) => {
          document.documentElement.dataset.electronDoublePaths = JSON.stringify({ 'two.md': path });
        },
        join(shelf, 'two.md'),
      );
      await drop(second, [{ name: 'two.md', bytes: bytesOf('# Two, as it is on the way\n') }]);
      await inFront(second, 'two.md');
      expect(await second.getByRole('tab').count()).toBe(1);
      const third = join(realpathSync(book.home), 'third');
      mkdirSync(third);
      await second.evaluate((path) => {
        document.documentElement.dataset.electronDoublePaths = JSON.stringify({ third: path });
      }, third);
      await dropPath(second, third);
      await second.getByRole('alertdialog', { name: 'Open third?' }).getByRole('button', { name: 'Open this folder' }).click();
      await expect.poll(() => app.windows().length).toBe(3);
    });
  });
});
