import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type LaunchOptions, launchBrowser, type RunningBrowser, type RunningServer, startServer } from './launch.ts';
import { waitForEnd } from './probe.ts';
import { killPages } from './window-kill.ts';
import { type Book, createBook, isReady, statusOf } from './writer.ts';

/** What is killed: the processes of the page, core with its server, or both. */
export type Mortality = 'page' | 'core' | 'all';

/** A window over a book that a story kills and opens again. */
export interface MortalWindow {
  readonly book: Book;
  /** Another one after each death of the page. */
  readonly page: Page;
  /** Ends it by SIGKILL. What had no server any more has another afterwards. */
  kill(what: Mortality): Promise<void>;
  /** Comes back as a writer does: to a page that is there still, or in a new one. */
  openAgain(): Promise<void>;
}

/** Opens such a window for the tests of a `describe`. What it gives is there once they run. */
export function useMortalWindow(texts: Readonly<Record<string, string | Buffer>>, options: LaunchOptions = {}): MortalWindow {
  let book: Book;
  let app: RunningBrowser;
  let server: Pick<RunningServer, 'url' | 'pid'> & { stop?: RunningServer['stop'] };
  let page: Page;
  let died: Mortality = 'page';
  beforeAll(async () => {
    book = createBook(texts);
    app = await launchBrowser(book.folder, { ...options, home: book.home });
    server = { url: app.url, pid: app.pid };
    ({ page } = app);
    await isReady(page);
  });
  afterAll(async () => {
    await server?.stop?.();
    await app?.stop('SIGKILL');
    book?.dispose();
  });

  const isLost = () => statusOf(page).getByText('Connection lost, trying again');
  const startAgain = async (port?: number) => {
    await waitForEnd(server.pid);
    server = await startServer(book.folder, book.home, options, port);
  };
  return {
    get book() {
      return book;
    },
    get page() {
      return page;
    },
    async kill(what) {
      died = what;
      if (what !== 'page') process.kill(server.pid, 'SIGKILL');
      if (what !== 'core') await killPages(page);
      if (what === 'all') await startAgain();
      if (what !== 'core') return;
      // The page must have noticed: else nobody could tell when it is back.
      await isLost().waitFor();
      await startAgain(Number(new URL(server.url).port));
    },
    async openAgain() {
      const other = await page.context().newPage();
      await other.goto(died === 'page' ? new URL(server.url).origin : server.url);
      if (died === 'core') {
        // The new address lets the browser in; the page that was there comes back by itself.
        await other.close();
        await page.bringToFront();
        await isLost().waitFor({ state: 'detached' });
        return;
      }
      page = other;
      await isReady(page);
    },
  };
}
