import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import {
  type Book,
  createBook,
  editorOf,
  isReady,
  openDocument,
  runCommand,
  save,
  saveNothingUnasked,
  showSource,
  statusOf,
  tabOf,
  typeAtEnd,
} from './writer.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');

describe('how a file is written', () => {
  let book: Book;
  let app: RunningBrowser;
  beforeAll(async () => {
    book = createBook({
      'latin.md': latin('# Café\r\n\r\nolé\r\n'),
      'mixed.md': 'one\r\ntwo\nthree',
      'wide.md': Buffer.from('\ufeffhéllo\n', 'utf16le'),
    });
    app = await launchBrowser(book.folder, { home: book.home });
    await isReady(app.page);
    await saveNothingUnasked(app.page);
    await showSource(app.page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  const command = (name: string) => runCommand(app.page, name);

  it('is asked where it is no UTF-8: it is shown, cannot be changed, and is read in the encoding that is picked', async () => {
    const { page } = app;
    await openDocument(page, 'latin.md');
    const bar = page.getByRole('region', { name: 'Encoding' });
    await bar.getByText('latin.md is not UTF-8 text').waitFor();
    await typeAtEnd(page, 'lost?');
    expect(await editorOf(page).textContent()).not.toContain('lost?');
    await tabOf(page, 'latin.md').and(page.locator('[aria-label="latin.md"]')).waitFor();
    await bar.getByRole('button', { name: 'Pick an encoding…' }).click();
    await page.getByRole('radio', { name: /^Windows-1252.*Café/u }).press(' ');
    await page.getByRole('button', { name: 'Read again as Windows-1252' }).press('Enter');
    await bar.waitFor({ state: 'detached' });
    await statusOf(page).getByRole('button', { name: 'Encoding and line endings: Windows-1252 · CRLF. Change' }).waitFor();
    await typeAtEnd(page, 'señor');
    await save(page);
    expect(book.bytes('latin.md').equals(latin('# Café\r\n\r\nolé\r\nseñor'))).toBe(true);
    // Somebody else writes it in UTF-8: it is followed as that.
    book.write('latin.md', 'Ünïcode\n');
    await statusOf(page).getByText('UTF-8 · LF').waitFor();
    await editorOf(page).getByText('Ünïcode').waitFor();
  });

  it('is said where a character cannot be written in it, and nothing is written', async () => {
    const { page } = app;
    await openDocument(page, 'wide.md');
    await statusOf(page).getByText('UTF-16 LE BOM · LF').waitFor();
    await typeAtEnd(page, '日本');
    await save(page);
    const wide = Buffer.from('\ufeffhéllo\n日本', 'utf16le');
    expect(book.bytes('wide.md').equals(wide)).toBe(true);
    await statusOf(page)
      .getByRole('button', { name: /^Encoding and line endings/u })
      .click();
    await page.getByRole('radio', { name: /^ISO 8859-1 /u }).press(' ');
    await page.getByRole('button', { name: 'Save as ISO 8859-1' }).click();
    await page.getByRole('alert').getByText('wide.md cannot be written as iso-8859-1').waitFor();
    expect(book.bytes('wide.md').equals(wide)).toBe(true);
    await page.getByRole('radio', { name: /^UTF-8/u }).press(' ');
    await page.getByRole('button', { name: 'Save as UTF-8' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(book.text('wide.md')).toBe('\ufeffhéllo\n日本');
  });

  it('is changed on purpose by commands, undone, and otherwise kept as it was found', async () => {
    const { page } = app;
    await openDocument(page, 'mixed.md');
    await statusOf(page).getByText('UTF-8 · mixed line breaks').waitFor();
    await command('Convert line endings to CRLF');
    await statusOf(page).getByText('UTF-8 · CRLF').waitFor();
    await command('Byte order mark on or off');
    await command('Newline at the end on or off');
    await statusOf(page).getByText('UTF-8 BOM · CRLF').waitFor();
    await page.locator('.cm-content .cm-line').nth(3).waitFor();
    expect(book.text('mixed.md')).toBe('one\r\ntwo\nthree');
    await save(page);
    expect(book.text('mixed.md')).toBe('\ufeffone\r\ntwo\r\nthree\r\n');
    await editorOf(page).focus();
    for (const _ of [1, 2, 3]) await page.keyboard.press('ControlOrMeta+Z');
    await statusOf(page).getByText('UTF-8 · mixed line breaks').waitFor();
    await tabOf(page, 'mixed.md, unsaved changes').waitFor();
    await save(page);
    expect(book.text('mixed.md')).toBe('one\r\ntwo\nthree');
  });
});
