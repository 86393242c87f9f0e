import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { createEveryState, entriesIn } from './fixtures/every-state.ts';
import { replace } from './fixtures/face.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, isReady, type Line, openBreakdown } from './writer.ts';

/** The book in which every state occurs, open at the breakdown, and what stories do there. */
export interface BreakdownStory {
  readonly book: Book;
  readonly page: Page;
  button(name: string | RegExp, within?: Page | Locator): Locator;
  /** Waits until the live region says it. */
  said(text: string | RegExp): Promise<void>;
  /** What an act appends, once it has ended. */
  appended(act: () => Promise<unknown>): Promise<Line[]>;
  /** What of that a person decided or wrote; an edit from outside that is recorded on the way is none of the act's. */
  decided(act: () => Promise<unknown>): Promise<Line[]>;
  /** Writes as another program does, with other words where these stand first. */
  edit(path: string, before: string, after: string): void;
  /** Opens a row and waits until what changed, or what to do, stands there. */
  open(row: Locator): Promise<void>;
  /** Shows every notice, where several are one line. */
  unfoldNotices(): Promise<void>;
}

/** What a row says whose source has another version than the one that was decided about. */
export const movedOn = /^The source moved on after this was shown, so nothing was recorded/u;

/** What rides along with a scan. */
const asides = new Set(['diagnostic', 'navigation', 'object-registered']);

/** Sets the story up before the tests of a file and takes it down after them; its book and its page are there by then. */
export function tellBreakdownStory(create: () => Promise<Book> = createEveryState): BreakdownStory {
  let book: Book | undefined;
  let app: RunningBrowser | undefined;
  beforeAll(async () => {
    book = await create();
    app = await launchBrowser(book.folder, { home: book.home });
    app.page.setDefaultTimeout(15_000);
    await app.page.emulateMedia({ reducedMotion: 'reduce' });
    await isReady(app.page);
    await openBreakdown(app.page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  const verbs = verbsOf(
    () => book!,
    () => app!.page,
  );
  return {
    get book() {
      return book!;
    },
    get page() {
      return app!.page;
    },
    ...verbs,
  };
}

function verbsOf(book: () => Book, page: () => Page): Omit<BreakdownStory, 'book' | 'page'> {
  const appended: BreakdownStory['appended'] = async (act) => {
    const before = new Set(entriesIn(book()).map((line) => line.id));
    await act();
    return entriesIn(book()).filter((line) => !before.has(line.id));
  };
  return {
    appended,
    button: (name, within = page()) => within.getByRole('button', { name, exact: true }),
    said: (text) => page().getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' }),
    decided: async (act) => (await appended(act)).filter(isDecided),
    edit: (path, before, after) => book().write(path, replace(before, after)(book().text(path))),
    async open(row) {
      await row.getByRole('button', { expanded: false }).first().click();
      await row
        .getByRole('region', { name: 'What changed' })
        .or(row.getByRole('group', { name: 'What to do' }))
        .first()
        .waitFor();
    },
    async unfoldNotices() {
      const folded = page().locator('.bd-notices:not([open]) > summary');
      if ((await folded.count()) > 0) await folded.click();
    },
  };
}

const isDecided = ({ kind, body }: Line) =>
  kind === 'transformation' ? (body.agent as { type: string }).type === 'human' : !asides.has(kind);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** What an id of any kind looks like. */
export const id = expect.stringMatching(uuid);

/** What a revision id looks like. */
export const revision = expect.stringMatching(/^rev1:[0-9a-f]{64}$/u);

/** What a content hash looks like. */
export const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/u);

/** What the name of an edge looks like. */
export const edge = { txf: id, input: expect.any(Number) };

/** A person as an actor. */
export const person = { type: 'human', id: expect.stringMatching(/\S/u) };

/** The envelope of an entry (format.md §5) with this body. */
export const entryOf = (kind: string, body: object) => ({
  format: 0,
  id,
  kind,
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
  writer: id,
  idem: id,
  body,
});
