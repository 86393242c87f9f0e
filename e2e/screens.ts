import type { Page } from 'playwright-core';
import { type Book, createBook, editorOf, isReady, openBreakdown, openDocument, rowOf, tabOf, typeAtEnd } from './writer.ts';

const [source, chapter] = ['bible/ines.md', 'chapters/01.md'];

/** A screen by its name; `show` brings the page there from where the one before it left it. */
export type Screen = readonly [name: string, show: () => Promise<unknown>];

/** The book that the screens are shown with. */
export function screenBook(): Book {
  const text = '# The Ferry\n\nInes **wrote** with her `left` hand, [as ever](../bible/ines.md).\n\n> A quotation.\n\n- one\n- two\n';
  return createBook({ [source]: '# Ines\n\nInes is left-handed.\n', [chapter]: text });
}

/** Every screen and dialog of the window, in an order in which each can be reached; in a page that shows that book. */
export function screensOf(page: Page, book: Book): readonly Screen[] {
  const press = (...keys: string[]) => keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = () => rowOf(page, chapter, source, 'changed');
  const section = (name: string) => page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name, exact: true }).click();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const edit = (before: string, after: string) => book.write(source, book.text(source).replace(before, after));

  return [
    ['the welcome page', () => page.getByText('Open a document from the list at the left').waitFor()],
    [
      'the breakdown while provenance is off',
      async () => {
        await openBreakdown(page);
        await heading('Nothing is recorded here yet');
      },
    ],
    [
      'the breakdown while nothing is tracked',
      async () => {
        await button('Turn on for this workspace').click();
        await heading('Nothing is tracked yet');
      },
    ],
    [
      'the keys of the breakdown',
      async () => {
        await press('?');
        await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      },
    ],
    [
      'a document with the coherence panel',
      async () => {
        await press('Escape');
        await button('Back to the editor').click();
        await openDocument(page, chapter);
        await press('ControlOrMeta+Shift+E');
        await page.getByText('This document is not tracked').waitFor();
      },
    ],
    [
      'find and replace',
      async () => {
        // In a narrow window the files come back to where the panel was.
        await press('ControlOrMeta+Shift+E', 'ControlOrMeta+F');
        await page.keyboard.type('left');
        await page.getByRole('search').getByText('1 match').or(page.getByText('1 of 1')).waitFor();
      },
    ],
    [
      'quick open',
      async () => {
        await press('Escape', 'ControlOrMeta+P');
        await page.getByRole('option', { name: 'ines.md' }).waitFor();
      },
    ],
    [
      'the command palette',
      async () => {
        await press('Escape', 'ControlOrMeta+Shift+P');
        await page.getByRole('option', { name: 'Coherence breakdown' }).waitFor();
      },
    ],
    [
      'a new document',
      async () => {
        await press('Escape', 'Alt+Shift+U');
        await page.getByRole('dialog', { name: 'New document' }).waitFor();
      },
    ],
    [
      'the name of a document without a file',
      async () => {
        await press('Escape', 'Alt+Shift+N');
        await editorOf(page).and(page.locator(':focus')).waitFor();
        await press('ControlOrMeta+S');
        await page.getByRole('dialog', { name: 'Save as' }).waitFor();
      },
    ],
    [
      'the settings of files',
      async () => {
        await press('Escape');
        await page.locator('.cm-content:focus').waitFor();
        await press('Alt+Shift+W', 'ControlOrMeta+,');
        await page.getByRole('switch', { name: 'Insert identity block on save' }).waitFor();
      },
    ],
    [
      'the settings of the editor',
      async () => {
        await button('Editor').click();
        await page.getByRole('switch', { name: 'Show identity block' }).waitFor();
      },
    ],
    [
      'the folder picker',
      async () => {
        await press('Escape', 'ControlOrMeta+Shift+O');
        await page.getByRole('option', { name: 'chapters' }).waitFor();
      },
    ],
    [
      'the menu of a file',
      async () => {
        await press('Escape');
        await page.getByRole('row', { name: 'bible' }).click();
        await page.getByRole('row', { name: 'ines.md' }).click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
      },
    ],
    [
      'the name of a file in the tree',
      async () => {
        await page.getByRole('menuitem', { name: 'Rename' }).click();
        await page.getByRole('textbox', { name: 'New name of ines.md' }).waitFor();
      },
    ],
    [
      'the question what becomes of links',
      async () => {
        await page.getByRole('textbox', { name: 'New name of ines.md' }).fill('inez.md');
        await press('Enter');
        await page.getByRole('alertdialog', { name: 'ines.md becomes bible/inez.md' }).waitFor();
      },
    ],
    [
      'the search with a replacement',
      async () => {
        await press('Escape', 'ControlOrMeta+Shift+F');
        await page.getByRole('searchbox', { name: 'Search in all documents' }).fill('left');
        await button('Replace').click();
        await page.getByRole('textbox', { name: 'Replace with' }).fill('right');
        await button('Replace 2 matches').waitFor();
      },
    ],
    [
      'the bar of a document that was changed outside',
      async () => {
        await page.getByRole('searchbox', { name: 'Search in all documents' }).press('Escape');
        await openDocument(page, source);
        await typeAtEnd(page, 'Mine.');
        edit('left-handed', 'right-handed');
        await page.getByRole('region', { name: 'Changed outside' }).waitFor();
      },
    ],
    [
      'the question before a tab is closed',
      async () => {
        await press('Alt+Shift+W');
        await page.getByRole('alertdialog').waitFor();
      },
    ],
    [
      'the comparison',
      async () => {
        await button('Cancel').click();
        await button('Compare').click();
        await page.getByRole('textbox', { name: 'On disk, read only' }).waitFor();
      },
    ],
    [
      'the breakdown with a row',
      async () => {
        await button('Take theirs').click();
        book.stemma.json('record', 'record', chapter, '--from', source);
        edit('right-handed', 'left-handed again');
        await openBreakdown(page);
        await row().getByText('2 words changed').waitFor();
      },
    ],
    [
      'an open row',
      async () => {
        await row().getByRole('button', { expanded: false }).click();
        await row().getByRole('insertion').filter({ hasText: 'again' }).waitFor();
      },
    ],
    [
      'the form of a waiver that is refused',
      async () => {
        await press('w', 'Enter');
        await page.getByText('Say why the difference may stand.').waitFor();
      },
    ],
    [
      'a decision that waits',
      async () => {
        await press('Escape');
        await button('Accept latest').click();
        await button('Take back').waitFor();
      },
    ],
    [
      'the breakdown whose filter hides every row',
      async () => {
        await button('Take back').click();
        await page.getByRole('radio', { name: /^Diverged/u }).click();
        await heading('No row matches');
      },
    ],
    [
      'the question what a revised document still rests on',
      async () => {
        await button('Show all').click();
        await row().getByRole('button', { expanded: false }).click();
        await button('Revise').click();
        await tabOf(page, '01.md').waitFor();
        await editorOf(page).getByText('The Ferry').waitFor();
        await typeAtEnd(page, 'More.\n');
        await press('ControlOrMeta+S');
        await page.getByRole('region', { name: 'Still rests on these' }).waitFor();
      },
    ],
    [
      'the breakdown with a document that lost what it rests on',
      async () => {
        await openBreakdown(page);
        await page.getByText(/^Provenance unknown/u).click();
        await heading('Nothing is stale');
      },
    ],
    [
      'a document as it reads',
      async () => {
        await button('Back to the editor').click();
        await openDocument(page, chapter);
        await press('ControlOrMeta+E');
        await page.getByRole('article', { name: 'chapters/01.md, as it reads' }).getByText('A quotation').waitFor();
      },
    ],
    [
      'a document and how it reads side by side',
      async () => {
        await press('ControlOrMeta+Shift+M');
        await page.getByRole('button', { name: 'Shown as: Side by side' }).waitFor();
      },
    ],
    [
      'the source of a document',
      async () => {
        await press('ControlOrMeta+Shift+M', 'ControlOrMeta+/');
        await page.getByRole('button', { name: 'Shown as: Source' }).waitFor();
      },
    ],
    [
      'the goal of a document',
      async () => {
        await press('ControlOrMeta+/', 'Alt+Shift+B');
        await page.getByRole('dialog', { name: 'Writing goal' }).waitFor();
      },
    ],
    [
      'an export of several documents',
      async () => {
        await press('Escape', 'Alt+Shift+X');
        await page.getByRole('radio', { name: 'Several documents as one' }).click();
        await page.getByRole('list', { name: 'Documents in their order' }).waitFor();
      },
    ],
    [
      'an export by a program that is looked for',
      async () => {
        await page.getByRole('radio', { name: 'Word document' }).click();
        await page.getByText(/Pandoc \d|was not found/u).waitFor();
      },
    ],
    [
      'the settings of spelling',
      async () => {
        await press('Escape', 'ControlOrMeta+,');
        await section('Spelling');
        await page.getByRole('switch', { name: 'Check spelling' }).waitFor();
      },
    ],
    [
      'the settings of looks',
      async () => {
        await section('Appearance');
        await page.getByRole('radio', { name: 'Dark' }).waitFor();
      },
    ],
    [
      'the keys of commands, one of which is asked for',
      async () => {
        await section('Keys');
        await button('Add a key for Bold').click();
        await press('ControlOrMeta+I');
        await page.getByText('is the key of Italic').waitFor();
      },
    ],
    [
      'what a search in the settings finds',
      async () => {
        await page.getByRole('searchbox', { name: 'Search settings' }).fill('go');
        await button('Add a key for Go to line…').waitFor();
      },
    ],
    [
      'what is said of the program',
      async () => {
        await press('Escape', 'ControlOrMeta+Shift+P');
        await page.keyboard.type('about');
        await press('Enter');
        await page.getByRole('dialog', { name: 'Stemma' }).waitFor();
      },
    ],
    [
      'a new folder',
      async () => {
        await press('Escape');
        // Revising has opened the panel, which has the files' place where there is little.
        if (!(await page.getByRole('row', { name: 'chapters' }).isVisible())) await press('ControlOrMeta+Shift+E');
        await page.getByRole('row', { name: 'chapters' }).click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'New folder' }).click();
        await page.getByRole('dialog', { name: /^New folder/u }).waitFor();
      },
    ],
    [
      'a document that is moved',
      async () => {
        await press('Escape');
        await page.getByRole('row', { name: '01.md' }).click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Move to…' }).click();
        await page.getByRole('dialog', { name: /^Move/u }).waitFor();
      },
    ],
    [
      'a document with its tree',
      async () => {
        await press('Escape');
        await openDocument(page, chapter);
      },
    ],
  ];
}

/** The page is there, and nothing in it is on its way from one look to another. */
export async function isStill(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await isReady(page);
}
