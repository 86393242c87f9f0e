import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, isReady, openDocument, showSource } from './writer.ts';

const copy = 'log (conflicted copy 2026-03-02).md';

describe('a conflicted copy of a sync client', () => {
  let book: Book;
  let app: RunningBrowser;
  beforeAll(async () => {
    book = createBook({ 'log.md': '# Log\n\nRain.\n\nEnd.\n' });
    book.stemma('init');
    book.stemma('track', 'log.md');
    const text = book.text('log.md');
    book.write(copy, text.replace('Rain', 'Snow'));
    book.write('log.md', text.replace('End.', 'The end.'));
    app = await launchBrowser(book.folder, { home: book.home });
    await isReady(app.page);
    await showSource(app.page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  it('is said beside its document, shown beside it, and joined with it in the same window', async () => {
    const { page } = app;
    await openDocument(page, 'log.md');
    const bar = page.getByRole('region', { name: 'Conflicted copy' });
    await bar.getByText(`${copy} is a conflicted copy of log.md`).waitFor();
    await bar.getByRole('button', { name: 'Show both' }).click();
    await page
      .getByRole('region', { name: `Second editor: ${copy}` })
      .getByText('Snow.')
      .waitFor();
    await page.getByRole('main').getByText('The end.').waitFor();
    await bar.getByRole('button', { name: 'Join…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Snow.').first().waitFor();
    await dialog.getByRole('button', { name: 'Join', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => book.text('log.md')).toContain('Snow.\n\nThe end.');
  });
});
