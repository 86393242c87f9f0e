import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from './launch.ts';
import { createBook, editorOf, isReady, openDocument, typeAtEnd } from './writer.ts';

const note = `${'Ines wrote with her left hand while Marcus held the rope of the small grey boat at the pier. '.repeat(22)}\n`;

async function openFolder(
  files: Iterable<readonly [string, string]>,
): Promise<{ page: Page; since: number; text: (path: string) => string }> {
  const book = createBook({ 'a.md': '# A\n' });
  onTestFinished(() => book.dispose());
  const folders = new Set<string>();
  for (const [path, text] of files) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!folders.has(folder)) mkdirSync(join(book.folder, folder));
    folders.add(folder);
    writeFileSync(join(book.folder, path), text);
  }
  const since = Date.now();
  const app = await launchBrowser(book.folder, { home: book.home });
  onTestFinished(async () => void (await app.stop()));
  await isReady(app.page);
  return { page: app.page, since, text: book.text };
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true });

function* manyNotes(): Generator<readonly [string, string]> {
  for (let at = 0; at < 50_000; at++)
    yield [`area-${Math.floor(at / 100)}/note-${at}.md`, at === 41_234 ? `${note}The zqxneedle.\n` : note];
}

it('FR-075: of 50,000 notes the tree can be used, and one is opened, written and found while the rest is looked through', {
  timeout: 600_000,
}, async () => {
  const { page, since, text } = await openFolder(manyNotes());
  await rowOf(page, 'area-0').waitFor();
  console.log(`50,000 notes: the tree after ${Date.now() - since} ms`);
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('searchbox', { name: 'Search in all documents' }).fill('zqxneedle');
  await openDocument(page, 'a.md');
  await typeAtEnd(page, 'Typed while it is searched.');
  await expect.poll(() => text('a.md')).toContain('Typed while it is searched.');
  await page.keyboard.press('ControlOrMeta+Shift+F');
  // Nothing is indexed yet: every note is read, and how far that is stands there meanwhile.
  await page.getByRole('button', { name: /zqxneedle/u }).click({ timeout: 400_000 });
  await editorOf(page).getByText('zqxneedle').waitFor();
  console.log(`50,000 notes: one in all of them found after ${Date.now() - since} ms`);
});

function* largeNotes(): Generator<readonly [string, string]> {
  for (let at = 0; at < 180; at++) yield [`part-${at % 6}/note-${at}.md`, note.repeat(140)];
}

it('FR-076: of 180 notes of 50 MB the list stands with the window, and one is opened and written', async () => {
  const { page, since, text } = await openFolder(largeNotes());
  await rowOf(page, 'part-0').waitFor();
  console.log(`180 notes of 50 MB: the tree after ${Date.now() - since} ms`);
  await openDocument(page, 'part-3/note-3.md');
  await typeAtEnd(page, 'More.');
  await expect.poll(() => text('part-3/note-3.md').endsWith('More.')).toBe(true);
});
