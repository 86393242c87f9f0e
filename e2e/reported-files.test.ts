import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useMortalWindow } from './mortal.ts';
import { keptIn, pathsKeptIn } from './window-kill.ts';
import { type Book, editorOf, openDocument, saveNothingUnasked, statusOf, tabOf, typeAtEnd } from './writer.ts';

/** A line of text, so often that it makes about so many megabytes. */
const megabytes = (count: number, line: string) => line.repeat(Math.ceil((count * 1_000_000) / line.length));
const drawing = (at: number) => `drawings/plan-${String(at).padStart(2, '0')}.drawing.md`;
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle r="4" cx="4" cy="4"/></svg>';

/** What people reported of files (docs/field-reports.md): the scenario, and what is right. */
describe('a report about files', () => {
  const mortal = useMortalWindow(
    {
      'moved.md': '# Moved\n\n',
      'parts/other.md': '# Other\n',
      'large.md': `# Large\n\nA heron.\n\n${megabytes(3, 'The river is wide and slow here.\n')}\nThe last kingfisher.\n`,
      'to-large.md': '# To it\n\n[the large one](large.md)\n',
      'shown/note.md': '# Note\n\n![a dot](dot.svg)\n',
      'shown/dot.svg': picture,
      'shown/accents.md': '# Accents\n\n![composed](cafe\u0301.svg)\n\n![decomposed](th\u00e9.svg)\n',
      // Each name in the other form than its link.
      'shown/caf\u00e9.svg': picture,
      'shown/the\u0301.svg': picture,
      'real/behind.md': '# Behind\n\nFirst.\n',
      'test.MD': '# Test\n\nFirst.\n',
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [drawing(at), megabytes(10, `{"type":"line","points":[${at},1,2,3,4,5,6,7,8,9]}\n`)]),
      ),
    },
    // All of it at once would not fit.
    { env: { NODE_OPTIONS: '--max-old-space-size=256' } },
  );
  let book: Book;
  let page: Page;
  beforeAll(async () => {
    ({ book, page } = mortal);
    page.setDefaultTimeout(20_000);
    await saveNothingUnasked(page);
    book.stemma('init');
    book.stemma('track', 'real/behind.md');
  });
  const row = (name: string) => page.getByRole('row', { name, exact: true });
  const searched = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await page.getByRole('searchbox', { name: 'Search in all documents' }).fill(text);
  };
  const filesShown = async () => {
    const back = page.getByRole('button', { name: 'Back to the files' });
    if ((await back.count()) > 0) await back.click();
    await page.getByRole('treegrid', { name: 'Files' }).waitFor();
  };
  /** Rows of quick open for what is typed. */
  const quickRows = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+P');
    await page.getByRole('combobox', { name: 'Go to' }).fill(text);
    await page.getByRole('option', { selected: true }).waitFor();
    const rows = await page.getByRole('option').allTextContents();
    await page.keyboard.press('Escape');
    return rows;
  };

  it('FR-080: a note of 3 MB that others link to is found by its last word, and has its backlink', async () => {
    await searched('kingfisher');
    await page.getByText('1 match in 1 document').waitFor();
    await page.getByText('The last kingfisher.').waitFor();
    await openDocument(page, 'large.md');
    await page.keyboard.press('Alt+Shift+O');
    await page.getByRole('button', { name: /^to-large\.md/u }).waitFor();
    await filesShown();
  });

  it('FR-081: twenty files of 10 MB that look like text are looked into one by one, in memory that would not hold them all', async () => {
    await searched('"points":[19,1');
    await page.getByText('500 or more matches in 1 document', { exact: true }).waitFor();
    await searched('no such word anywhere');
    await page.getByText('Not found.').waitFor();
    await openDocument(page, 'large.md');
    await page.keyboard.press('ControlOrMeta+P');
    await page.getByRole('combobox', { name: 'Go to' }).fill('plan-03');
    await page.getByRole('option', { selected: true, name: /plan-03/u }).waitFor();
    await page.keyboard.press('Enter');
    // Before it is opened its size is said.
    await page.getByText(/plan-03\.drawing\.md has 10\.0 million characters/u).waitFor();
  });

  it('FR-131: a note that is moved away from the picture beside it still shows it', async () => {
    await filesShown();
    await openDocument(page, 'shown/note.md');
    const image = editorOf(page).getByRole('img', { name: 'a dot' });
    const width = () => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth);
    await expect.poll(width).toBe(8);
    await row('note.md').dragTo(row('parts'));
    await page.getByRole('button', { name: 'Go on, and change 1 document' }).click();
    await statusOf(page)
      .getByText(/is parts\/note\.md now/u)
      .waitFor();
    expect(book.text('parts/note.md')).toContain('# Note\n\n![a dot](../shown/dot.svg)\n');
    await page.locator('[role="tab"][title="parts/note.md"]').waitFor();
    await expect.poll(width).toBe(8);
  });

  it('FR-146: a picture whose link has its accents in another form than its name is shown, written in and read', async () => {
    await openDocument(page, 'shown/accents.md');
    const isShown = async (place: Locator) => {
      for (const name of ['composed', 'decomposed']) {
        const image = place.getByRole('img', { name, exact: true });
        await expect.poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBe(8);
      }
    };
    await isShown(editorOf(page));
    await page.keyboard.press('ControlOrMeta+E');
    await page.getByRole('button', { name: 'Shown as: Reading' }).waitFor();
    await isShown(page.locator('.reading'));
    await page.keyboard.press('ControlOrMeta+E');
    await page.getByRole('button', { name: 'Shown as: Live preview' }).waitFor();
  });

  it('FR-137: a folder link and a loop are left alone, and a change behind the link is one change of the real file', async () => {
    symlinkSync('real', join(book.folder, 'linked'));
    symlinkSync('..', join(book.folder, 'real/loop'));
    expect(await quickRows('behind')).toHaveLength(1);
    await openDocument(page, 'real/behind.md');
    const before = book.lines('transformation').length;
    book.write('linked/behind.md', '# Behind\n\nFirst.\n\nFrom behind the link.\n');
    await editorOf(page).getByText('From behind the link.').waitFor();
    expect(await quickRows('behind')).toHaveLength(1);
    expect(await page.getByRole('tab', { name: /^behind\.md/u }).count()).toBe(1);
    book.stemma('scan');
    expect(book.lines('transformation').length - before).toBe(1);
  });

  it('FR-142: renamed in case only by another program, an open document has one tab and one row', async () => {
    await openDocument(page, 'test.MD');
    renameSync(join(book.folder, 'test.MD'), join(book.folder, 'test.md'));
    await row('test.md').waitFor();
    await row('test.MD').waitFor({ state: 'detached' });
    expect(await quickRows('test.md')).toHaveLength(1);
    await page.screenshot({ path: '/tmp/c/142.png' });
    expect(await page.getByRole('tab', { name: /^test\.md/iu }).count()).toBe(1);
  });

  it('FR-007: dragged to another folder it keeps what was typed, there; and what is typed on is there after the whole app is killed', async () => {
    await openDocument(page, 'moved.md');
    await typeAtEnd(page, 'Typed before.');
    await row('moved.md').dragTo(row('parts'));
    await page.locator('[role="tab"][title="parts/moved.md"]').waitFor();
    // What is moved is saved first, also where nothing is saved by itself.
    expect(book.text('parts/moved.md')).toContain('Typed before.');
    await typeAtEnd(page, ' Only in the window.');
    await tabOf(page, 'moved.md, unsaved changes').waitFor();
    await expect.poll(() => pathsKeptIn(book.home)).toContain('parts/moved.md');
    await expect.poll(() => keptIn(book.home)).toContain('Only in the window.');
    const onDisk = book.text('parts/moved.md');
    await mortal.kill('all');
    await mortal.openAgain();
    ({ page } = mortal);
    const list = page.getByRole('dialog', { name: 'Recovered texts' });
    await list.getByText('moved.md', { exact: true }).waitFor();
    await list.getByText('parts', { exact: true }).waitFor();
    await list.getByRole('button', { name: /^Open (?:it|all)$/u }).click();
    await list.waitFor({ state: 'detached' });
    await openDocument(page, 'parts/moved.md');
    await editorOf(page).getByText('Typed before. Only in the window.').waitFor();
    expect(book.text('parts/moved.md')).toBe(onDisk);
  });
});
