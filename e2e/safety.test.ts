import type { Page } from 'playwright-core';
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
  tabOf,
  typeAtEnd,
} from './writer.ts';

const block = (last: string) => `---\r\nvmark:\r\n  id: 01890a5d-ac96-774b-bcce-b302099a80${last}\r\n---\r\n`;
const ferry = '# Ferry\r\n\r\nSee [Ines](bible/ines.md).\r\n';
const idIn = (text: string) => /^ {2}id: (\S+)/mu.exec(text)?.[1];
const withoutBlock = (text: string) => text.replace(/^---\r?\nvmark:[\s\S]*?\n---\r?\n/u, '');

describe('what a writer does to be safe', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({
      'ferry.md': `${block('57')}${ferry}`,
      'bible/ines.md': `${block('58')}# Ines\r\n`,
      'latin.md': Buffer.from('# Café\n\nolé\n', 'latin1'),
      'log.md': '# Log\n\nRain.\n',
    });
    book.stemma('init');
    for (const path of ['ferry.md', 'bible/ines.md']) book.stemma('track', path);
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    page.setDefaultTimeout(20_000);
    await isReady(page);
    await saveNothingUnasked(page);
    await showSource(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const lines = () => editorOf(page).locator('.cm-line').allTextContents();
  const copyBox = (name: string) => page.getByRole('dialog', { name: `Save a copy of ${name}` });
  const command = (title: string) => runCommand(page, title);

  it('keeps a copy of the text as it stands, with no identity and with links that lead where they led', async () => {
    const before = book.text('ferry.md');
    await openDocument(page, 'ferry.md');
    await typeAtEnd(page, 'Not saved.');
    await tabOf(page, 'ferry.md, unsaved changes').waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+S');
    await copyBox('ferry.md').getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('kept/ferry');
    await copyBox('ferry.md').getByText('Will be kept/ferry.md').waitFor();
    await page.keyboard.press('Enter');
    await copyBox('ferry.md').waitFor({ state: 'detached' });
    await page.getByRole('tab', { selected: true, name: 'ferry.md' }).and(page.locator('[title*="kept/"]')).waitFor();
    await editorOf(page).and(page.locator(':focus')).waitFor();
    const copy = book.text('kept/ferry.md');
    // It is another document, with an identity of its own.
    expect(withoutBlock(copy)).toBe(`${ferry.replace('bible/', '../bible/')}Not saved.`);
    expect(idIn(copy)).not.toBe(idIn(before));
    expect(book.text('ferry.md')).toBe(before);
    await page.keyboard.press('Alt+Shift+W');
    await tabOf(page, 'ferry.md, unsaved changes').click();
    expect((await lines()).at(-1)).toBe('Not saved.');
    await page.keyboard.press('ControlOrMeta+Z');
    await tabOf(page, 'ferry.md, unsaved changes').waitFor({ state: 'detached' });
  });

  it('offers a free name for a copy, puts it over nothing, and keeps the encoding', async () => {
    await openDocument(page, 'latin.md');
    await page.getByRole('region', { name: 'Encoding' }).getByRole('button', { name: 'Pick an encoding…' }).click();
    await page.getByRole('radio', { name: /^Windows-1252.*Café/u }).press(' ');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Read again as Windows-1252/u })
      .click();
    await page.getByRole('region', { name: 'Encoding' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await editorOf(page).getByText('olé').waitFor();
    await command('Save a copy as…');
    const name = copyBox('latin.md').getByRole('textbox', { name: 'Name' });
    expect(await name.inputValue()).toBe('latin 2');
    await name.fill('log');
    await page.keyboard.press('Enter');
    await copyBox('latin.md').getByRole('alert').waitFor();
    expect(book.text('log.md')).toBe('# Log\n\nRain.\n');
    await name.fill('latin 2');
    await page.keyboard.press('Enter');
    await copyBox('latin.md').waitFor({ state: 'detached' });
    await tabOf(page, 'latin 2.md').waitFor();
    await expect.poll(() => withoutBlock(book.bytes('latin 2.md').toString('latin1'))).toBe('# Café\n\nolé\n');
  });

  it('stops tracking of those that are ticked, and undo does not bring an identity back', async () => {
    await openDocument(page, 'ferry.md');
    await typeAtEnd(page, 'Before.');
    await save(page);
    await command('Stop Tracking…');
    const question = page.getByRole('alertdialog', { name: 'Stop tracking the documents of this folder?' });
    await question.getByText(/id: 01890a5d-ac96-774b-bcce-b302099a8057/u).waitFor();
    await question.getByRole('checkbox', { name: 'bible/ines.md' }).press('Space');
    expect(await question.getByRole('checkbox', { name: 'bible/ines.md' }).isChecked()).toBe(false);
    const ines = book.bytes('bible/ines.md');
    await question.getByRole('button', { name: /^Take out/u }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => book.text('ferry.md')).toBe(`${ferry}Before.`);
    expect(book.bytes('bible/ines.md').equals(ines)).toBe(true);
    await editorOf(page).getByText('vmark:').waitFor({ state: 'detached' });
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+Z');
    await editorOf(page).getByText('Before.').waitFor({ state: 'detached' });
    expect(await lines()).toEqual([...ferry.split('\r\n')]);
    await page.keyboard.press('ControlOrMeta+Shift+Z');
    await editorOf(page).getByText('Before.').waitFor();
  });
});
