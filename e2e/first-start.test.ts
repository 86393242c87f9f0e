import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchElectron, type RunningElectron } from './electron-app.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, isReady, openBreakdown, openDocument, rowOf, tabOf } from './writer.ts';

const [chapter, source] = ['chapters/03-the-fourth-step.md', 'bible/mira.md'];
const sample = 'Corran Point';

/** What is in a folder by path, but for what a core that opened it derives. */
function textsOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('index.db'));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]));
}

describe('a writer who never opened anything', () => {
  let book: Book;
  beforeEach(() => {
    book = createBook({ 'note.md': '# Note\n' });
    mkdirSync(join(book.folder, 'shelf', sample), { recursive: true });
  });
  afterEach(() => book.dispose());
  const taken = () => readdirSync(join(book.folder, 'shelf', sample));
  const copy = () => join(book.folder, 'shelf', `${sample} 2`);

  describe('in the browser shell', () => {
    let app: RunningBrowser;
    afterEach(async () => void (await app?.stop()));

    it('is offered the sample, puts it where there is room, and sees one stale chapter in it', async () => {
      app = await launchBrowser(book.folder, { home: book.home, env: { HOME: book.folder, USERPROFILE: book.folder } });
      const { page } = app;
      await isReady(page);
      await page.getByRole('button', { name: 'Open the sample…' }).click();
      const picker = page.getByRole('dialog', { name: 'Where to put the sample' });
      await picker.getByRole('option', { name: 'shelf' }).click();
      await picker.getByText(join(book.folder, 'shelf'), { exact: true }).waitFor();
      await picker.getByRole('button', { name: 'Put it here and open it' }).click();
      await tabOf(page, 'README.md').waitFor();
      expect(textsOf(copy())).toEqual(textsOf('resources/sample'));
      expect(taken()).toEqual([]);
      await openBreakdown(page);
      await rowOf(page, chapter, source, 'changed').waitFor();
      expect(await page.getByRole('listitem').and(page.locator('[data-state]')).count()).toBe(1);
    });

    it('is not offered it again once a document was opened, but finds it in the palette', async () => {
      app = await launchBrowser(book.folder, { home: book.home });
      const { page } = app;
      await isReady(page);
      await page.getByRole('button', { name: 'Open the sample…' }).waitFor();
      await openDocument(page, 'note.md');
      await page.keyboard.press('Alt+Shift+W');
      await page.getByRole('main').getByRole('heading', { name: 'book' }).waitFor();
      expect(await page.getByRole('button', { name: 'Open the sample…' }).count()).toBe(0);
      await page.reload();
      await isReady(page);
      expect(await page.getByRole('button', { name: 'Open the sample…' }).count()).toBe(0);
      await page.keyboard.press('ControlOrMeta+Shift+P');
      await page.keyboard.type('sample');
      await page.getByRole('option', { name: 'Open the sample…' }).waitFor();
    });
  });

  describe('in the window of Electron, or its double', () => {
    let app: RunningElectron;
    afterEach(async () => void (await app?.dispose()));

    it('is asked by the system where the sample goes, and it opens in a window of its own', async () => {
      app = await launchElectron(book.folder, { home: book.home });
      const page = await app.window('/');
      await isReady(page);
      await app.evaluate(
        ({ dialog }, into) => {
          dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [into] });
        },
        join(book.folder, 'shelf'),
      );
      await page.getByRole('button', { name: 'Open the sample…' }).click();
      await expect.poll(() => app.windows().length).toBe(2);
      const opened = app.windows().find((other) => other !== page)!;
      await opened.getByRole('row', { name: 'outline.md' }).waitFor();
      expect(textsOf(copy())).toEqual(textsOf('resources/sample'));
      expect(taken()).toEqual([]);
    });
  });
});
