import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked } from './writer.ts';

/** A window in which a story is written: each test has an empty document of its own in front. */
export interface Desk {
  readonly book: Book;
  readonly page: Page;
  /** The document in front. */
  readonly path: string;
  /** Brings another document to the front. */
  open(path: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses keys, one after another. */
  press(...keys: string[]): Promise<void>;
  /** Waits until the document in front is this text, or like it, saving it by key. */
  written(wanted: string | RegExp): Promise<void>;
  /** Runs a command of the palette by its name. */
  run(name: string): Promise<void>;
}

/** Opens one window for the tests of a `describe`, over these texts and so many empty documents. What it gives is there once they run. */
export function useDesk(count: number, texts: Readonly<Record<string, string | Buffer>> = {}): Desk {
  let book: Book;
  let app: RunningBrowser;
  let path = '';
  let turn = 0;
  beforeAll(async () => {
    const empty = Object.fromEntries(Array.from({ length: count }, (_, at) => [`text-${at}.md`, '']));
    book = createBook({ ...empty, ...texts });
    app = await launchBrowser(book.folder, { home: book.home });
    await isReady(app.page);
    await saveNothingUnasked(app.page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  beforeEach(() => desk.open(`text-${turn++}.md`));
  const desk: Desk = {
    get book() {
      return book;
    },
    get page() {
      return app.page;
    },
    get path() {
      return path;
    },
    async open(wanted) {
      path = wanted;
      await openDocument(app.page, path);
    },
    type: (text) => app.page.keyboard.type(text),
    async press(...keys) {
      for (const key of keys) await app.page.keyboard.press(key);
    },
    written(wanted) {
      const saved = async () => {
        await app.page.keyboard.press('ControlOrMeta+S');
        return book.text(path);
      };
      const waiting = expect.poll(saved);
      return typeof wanted === 'string' ? waiting.toBe(wanted) : waiting.toMatch(wanted);
    },
    async run(name) {
      await app.page.keyboard.press('F1');
      await app.page.getByRole('combobox', { name: 'Go to' }).pressSequentially(name);
      await app.page.getByRole('option', { selected: true }).filter({ hasText: name }).waitFor();
      await app.page.keyboard.press('Enter');
      await editorOf(app.page).and(app.page.locator(':focus')).waitFor();
    },
  };
  return desk;
}
