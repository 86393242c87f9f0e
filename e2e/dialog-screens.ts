import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startProviderServer } from '../test/helpers/provider-server.ts';
import { codeScreens, functionOf } from './code-screens.ts';
import { handsOn } from './hands-on.ts';
import { launchBrowser } from './launch.ts';
import { isStill, type Screen } from './screens.ts';
import { keptIn, killPages } from './window-kill.ts';
import { createBook, editorOf, isReady, openDocument, save, tabOf, typeAtEnd } from './writer.ts';

const [source, chapter, note] = ['bible/ines.md', 'chapters/01.md', 'notes/tide.md'];
const ferry =
  '# The Ferry\n\nInes **wrote** with her left hand, [as ever](../bible/ines.md). #sea\n\n## The crossing\n\nThe sea was grey.\n\n## The quay\n\nNobody waited.\n';

/** A window on a book in which every box has something to show; its page was killed before, with a text that was not saved. */
export interface DialogStage {
  readonly page: Page;
  /** Every box, bar and panel that the screens of the book do not have, in an order in which each can be reached. */
  readonly screens: readonly Screen[];
  stop(): Promise<void>;
}

/** Opens that window, so wide. */
export async function openDialogStage(width = 1280): Promise<DialogStage> {
  const models = await startProviderServer();
  const book = dialogBook(`${models.origin}/v1`);
  // No trash can be made in a file.
  const app = await launchBrowser(book.folder, { home: book.home, env: { XDG_DATA_HOME: join(book.home, 'settings.json') } });
  await isReady(app.page);
  await openDocument(app.page, note);
  await typeAtEnd(app.page, 'Mine, not saved.\n');
  await expect.poll(() => keptIn(book.home).includes('not saved')).toBe(true);
  await killPages(app.page);
  book.write(note, '# Tide\n\nHigh at noon, theirs.\n');
  const page = await app.page.context().newPage();
  page.setDefaultTimeout(15_000);
  await page.setViewportSize({ width, height: 840 });
  await page.goto(new URL(app.url).origin);
  await isStill(page);
  return {
    page,
    screens: [
      ...boxesOf(page),
      ...askingOf(page, models.behave),
      ...besideOf(page, book.write),
      ...codeScreens(page, book.write, chapter, source),
    ],
    async stop() {
      await app.stop();
      await models.close();
      book.dispose();
    },
  };
}

function dialogBook(address: string) {
  const book = createBook({
    [source]: '# Ines\n\nInes is left-handed.\n',
    [chapter]: ferry,
    [note]: '# Tide\n\nHigh at noon.\n',
    'log.md': '# Log\n\nRain.\n\nEnd.\n',
    'notes/guide.md': '# Guide\n\nPress the button.\n',
    'latin.md': Buffer.from('# Café\n\nolé\n', 'latin1'),
    'src/languages.ts': functionOf('languageForPath', 7),
  });
  const app = { 'saving.autosave': 'off', 'ai.provider': 'compatible', 'ai.compatible.address': address, 'ai.compatible.model': 'a-model' };
  writeFileSync(join(book.home, 'settings.json'), JSON.stringify({ app }));
  book.stemma('init');
  for (const path of [source, chapter, 'log.md', 'notes/guide.md']) book.stemma('track', path);
  book.stemma('anchors', 'add', chapter, '--file', 'src/languages.ts', '--symbol', 'languageForPath', '--section', 'The quay');
  const log = book.text('log.md');
  book.write('log (conflicted copy 2026-03-02).md', log.replace('Rain', 'Snow'));
  book.write('log.md', log.replace('End.', 'The end.'));
  return book;
}

function boxesOf(page: Page): readonly Screen[] {
  const { press, button, box, command, opened } = handsOn(page);
  return [
    [
      'the texts that were not saved, one beside its file',
      async () => {
        await button('Compare tide.md', box('Recovered texts')).click();
        await page.getByRole('textbox', { name: 'On disk, read only' }).getByText('theirs').waitFor();
      },
    ],
    [
      'the history of a document',
      async () => {
        await opened(chapter);
        await typeAtEnd(page, '\nMore.\n');
        await save(page);
        await press('Alt+Shift+V');
        await box('History of 01.md').getByRole('option').nth(1).waitFor();
        await box('History of 01.md').getByRole('region', { name: 'Comparison' }).getByText('More.').waitFor();
      },
    ],
    [
      'the name of a copy',
      async () => {
        await opened(chapter);
        await press('ControlOrMeta+Shift+S');
        await box('Save a copy of 01.md').getByText('Will be chapters/01 2.md').waitFor();
      },
    ],
    [
      'what is deleted for good where there is no trash',
      async () => {
        await opened(chapter);
        await page.getByRole('row', { name: 'log.md', exact: true }).click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Move to trash' }).click();
        await page.getByRole('alertdialog', { name: 'Delete for good?' }).waitFor();
      },
    ],
    [
      'what stop tracking takes out',
      async () => {
        await command('Stop Tracking…');
        await page.getByRole('alertdialog').getByText(source).waitFor();
      },
    ],
    [
      'the signs',
      async () => {
        await opened(chapter);
        await press('Alt+Shift+S');
        await page.getByRole('option').nth(5).waitFor();
      },
    ],
    [
      'the headings of a document',
      async () => {
        await command('Go to heading…');
        await page.getByRole('option', { name: 'The crossing' }).waitFor();
      },
    ],
    [
      'how a file is written',
      async () => {
        await command('Encoding and line endings…');
        await box('How 01.md is written')
          .getByRole('radio', { name: /^UTF-8/u })
          .first()
          .waitFor();
      },
    ],
    [
      'the bar of a document that is not UTF-8',
      async () => {
        await opened('latin.md');
        await page.getByRole('region', { name: 'Encoding' }).waitFor();
      },
    ],
    [
      'the encodings of a document',
      async () => {
        await button('Pick an encoding…').click();
        await page.getByRole('radio', { name: /^Windows-1252/u }).waitFor();
      },
    ],
    [
      'the folder that the sample is put in',
      async () => {
        await command('Open the sample…');
        await box('Where to put the sample').getByRole('option').first().waitFor();
      },
    ],
    [
      'the folders that were open before',
      async () => {
        await command('Open recent folder…');
        await box('Open recent folder').getByRole('option').first().waitFor();
      },
    ],
    [
      'the menu of a tab',
      async () => {
        await opened(chapter);
        await tabOf(page, '01.md').click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Close others' }).waitFor();
      },
    ],
    [
      'the linked repositories, none yet',
      async () => {
        await command('Linked repositories…');
        await page.getByText('No repository is linked yet.').waitFor();
      },
    ],
    [
      'an address of a repository that is refused',
      async () => {
        await button('Link a repository…').click();
        await page.getByLabel('Name').fill('engine');
        await page.getByLabel('Folder or https address').fill('http://127.0.0.1/engine.git');
        await press('Enter');
        await box('Linked repositories').getByRole('alert').waitFor();
      },
    ],
    [
      'a linked repository',
      async () => {
        await page.getByLabel('Folder or https address').fill('https://127.0.0.1/engine.git');
        await press('Enter');
        await page.getByText('Not fetched on this machine yet.').waitFor();
      },
    ],
    [
      'the settings of AI',
      async () => {
        await command('Settings…');
        await button('AI').click();
        await page.getByRole('radio', { name: 'Anthropic' }).waitFor();
      },
    ],
    [
      'the settings of the language',
      async () => {
        await button('Language').click();
        await page.getByRole('radio', { name: 'Español' }).waitFor();
      },
    ],
  ];
}

function askingOf(page: Page, behave: Awaited<ReturnType<typeof startProviderServer>>['behave']): readonly Screen[] {
  const { press, button, opened } = handsOn(page);
  const asked = page.getByRole('combobox', { name: 'Ask AI' });
  const suggestions = page.getByRole('region', { name: 'Suggestions' });
  return [
    [
      'the question to a model',
      async () => {
        await opened(chapter);
        await press('ControlOrMeta+J');
        await page.getByRole('option').first().waitFor();
      },
    ],
    [
      'a document that a model reads along',
      async () => {
        await asked.fill('@ines');
        await page.getByRole('option', { name: source }).waitFor();
        await press('Enter');
        await button(new RegExp(source, 'u')).waitFor();
      },
    ],
    [
      'what is sent to a model',
      async () => {
        await asked.fill('say it in other words');
        await page.getByRole('radio', { name: 'Document' }).click();
        await asked.press('Enter');
        await page.getByRole('region', { name: 'The text that is sent' }).waitFor();
      },
    ],
    [
      'an answer that is coming',
      async () => {
        behave({ kind: 'silent' });
        await press('Enter');
        await suggestions.getByText(/characters so far/u).waitFor();
      },
    ],
    [
      'suggestions',
      async () => {
        await button('Cancel', suggestions).click();
        await suggestions.waitFor({ state: 'detached' });
        behave({ kind: 'answer', parts: [ferry.replace('grey', 'green').replace('Nobody', 'A boy')] });
        await press('ControlOrMeta+J');
        await asked.fill('say it in other words');
        await page.getByRole('radio', { name: 'Document' }).click();
        await asked.press('Enter');
        await suggestions.getByText(/^1 of \d/u).waitFor();
      },
    ],
  ];
}

type Write = ReturnType<typeof createBook>['write'];

function besideOf(page: Page, write: Write): readonly Screen[] {
  const { press, button, opened } = handsOn(page);
  return [
    [
      'the outline, the links and the tags',
      async () => {
        await editorOf(page).focus();
        await press('Alt+Shift+Backspace', 'Alt+Shift+O');
        await page.getByRole('row', { name: /^The crossing/u }).waitFor();
        await button(/^#sea/u).waitFor();
      },
    ],
    [
      'a second editor beside',
      async () => {
        await button('Back to the files').click();
        await editorOf(page).focus();
        await press('Alt+Shift+E');
        await page.getByRole('region', { name: /^Second editor/u }).waitFor();
      },
    ],
    [
      'the bar of a conflicted copy',
      async () => {
        await editorOf(page).first().focus();
        await press('Alt+Shift+E');
        await page.getByRole('region', { name: /^Second editor/u }).waitFor({ state: 'detached' });
        await opened('log.md');
        await page.getByRole('region', { name: 'Conflicted copy' }).waitFor();
      },
    ],
    [
      'two copies that are joined',
      async () => {
        await button('Join…').click();
        await page.getByRole('dialog').getByText('Snow.').first().waitFor();
      },
    ],
    [
      'the merge of a document that was changed outside',
      async () => {
        await opened('notes/guide.md');
        await typeAtEnd(page, 'Mine.');
        write('notes/guide.md', '# Guide\n\nPress the button twice.\n\nTheirs.\n');
        await button('Merge…').click();
        await page.getByRole('region', { name: 'Merge' }).waitFor();
      },
    ],
  ];
}
