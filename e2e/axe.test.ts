import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openBreakdown, openDocument, rowOf, statusOf, tabOf, typeAtEnd } from './writer.ts';

const [source, chapter] = ['bible/ines.md', 'chapters/01.md'];

describe('axe', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    const text = '# The Ferry\n\nInes **wrote** with her `left` hand, [as ever](../bible/ines.md).\n\n> A quotation.\n\n- one\n- two\n';
    book = createBook({ [source]: '# Ines\n\nInes is left-handed.\n', [chapter]: text });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    // Nothing is on its way from one colour to another while it is looked at.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await isReady(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const press = (...keys: string[]) => keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = () => rowOf(page, chapter, source, 'changed');
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const edit = (before: string, after: string) => book.write(source, book.text(source).replace(before, after));

  /** Each brings the page from where the one before it left it. */
  const screens: readonly (readonly [name: string, show: () => Promise<unknown>])[] = [
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
        await press('ControlOrMeta+F');
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
        await press('Escape', 'Alt+Shift+N');
        await page.getByRole('dialog', { name: 'New document' }).waitFor();
      },
    ],
    [
      'the settings of files',
      async () => {
        await press('Escape', 'ControlOrMeta+,');
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
  ];

  const findings = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    // There are no frames; looking for them takes a page of its own.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    // Only colours depend on the theme.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
    const { violations, passes } = await axe.analyze();
    expect(passes.length).toBeGreaterThan(0);
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return grave.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)]);
  };

  it.each(screens)('finds nothing serious in %s, light and dark', async (_, show) => {
    await show();
    expect(await findings('light')).toEqual([]);
    expect(await findings('dark')).toEqual([]);
  });

  it('finds nothing serious in the Spanish window', async () => {
    await button('Back to the editor').click();
    await statusOf(page).getByRole('button', { name: 'English' }).click();
    await page.getByRole('radio', { name: 'Español' }).click();
    await page.getByRole('dialog', { name: 'Ajustes' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await findings('light')).toEqual([]);
  });
});
