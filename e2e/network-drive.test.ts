import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from './launch.ts';
import { createBook, editorOf, isReady, openDocument, save, statusOf } from './writer.ts';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>';
const shown = '.editor-host .cm-picture img';

/** Shows a folder a second time as a drive, which like one of another computer tells nothing of what is written there; why not where that cannot be. */
function mount(folder: string, drive: string): string | null {
  mkdirSync(drive);
  const { error, status, stderr } = spawnSync('bindfs', [folder, drive], { encoding: 'utf8' });
  if (error !== undefined) return 'bindfs is not on this machine';
  return status === 0 ? null : stderr.trim();
}

it('FR-140: a folder on a drive of another computer is written and read, its pictures are shown, and what is changed there is seen', async (context) => {
  const book = createBook({ 'note.md': '# Note\n\n![map](map.svg)\n', 'other.md': '# Other\n', 'map.svg': picture });
  onTestFinished(() => book.dispose());
  const drive = join(book.home, 'drive');
  const reason = mount(book.folder, drive);
  if (reason !== null) return context.skip(`no drive can be mounted here: ${reason}`);
  onTestFinished(() => void spawnSync('umount', [drive]));
  const app = await launchBrowser(realpathSync(drive), { home: book.home });
  onTestFinished(async () => void (await app.stop()));
  const { page } = app;
  await isReady(page);
  await statusOf(page).getByText('Network drive: changes are seen late').waitFor();
  await openDocument(page, 'note.md');
  await expect.poll(() => page.locator(shown).evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(40);
  book.write('note.md', '# Note\n\n![map](map.svg)\n\nFrom elsewhere.\n');
  await editorOf(page).getByText('From elsewhere.').waitFor();
  book.write('new.md', '# New\n');
  await page.getByRole('row', { name: 'new.md' }).waitFor();
  await openDocument(page, 'other.md');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('Written here.');
  await save(page);
  await expect.poll(() => book.text('other.md')).toBe('# Other\nWritten here.');
  await page.locator('.node', { hasText: 'other.md' }).focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('renamed');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'renamed.md' }).waitFor();
  expect(book.text('renamed.md')).toBe('# Other\nWritten here.');
});
