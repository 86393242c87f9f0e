import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startProviderServer } from '../test/helpers/provider-server.ts';
import { launchBrowser } from './launch.ts';
import { isStill, type Screen } from './screens.ts';
import { keptIn, killPages } from './window-kill.ts';
import { createBook, editorOf, isReady, openBreakdown, openDocument, runCommand, save, tabOf, typeAtEnd } from './writer.ts';

const [source, chapter, note] = ['bible/ines.md', 'chapters/01.md', 'notes/tide.md'];
const ferry =
  '# The Ferry\n\nInes **wrote** with her left hand, [as ever](../bible/ines.md). #sea\n\n## The crossing\n\nThe sea was grey.\n\n## The quay\n\nNobody waited.\n';
const functionOf = (name: string, limit: number) =>
  `export function ${name}(path: string): string[] {\n  const parts = path.split("/");\n  return parts.length > ${limit} ? [] : parts;\n}\n`;

const twoFunctions = (limit: number) => ['languageForPath', 'languageForText'].map((name) => functionOf(name, limit)).join('\n');

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
  const app = await launchBrowser(book.folder, { home: book.home });
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
    screens: [...boxesOf(page), ...askingOf(page, models.behave), ...besideOf(page, book.write), ...codeOf(page, book.write)],
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
    'src/languages.ts': twoFunctions(7),
  });
  const app = { 'saving.autosave': 'off', 'ai.provider': 'compatible', 'ai.compatible.address': address, 'ai.compatible.model': 'a-model' };
  writeFileSync(join(book.home, 'settings.json'), JSON.stringify({ app }));
  book.stemma('init');
  for (const path of [source, chapter, 'log.md', 'notes/guide.md']) book.stemma('track', path);
  for (const [name, heading] of [
    ['languageForPath', 'The quay'],
    ['languageForText', 'The crossing'],
  ] as const)
    book.stemma('anchors', 'add', chapter, '--file', 'src/languages.ts', '--symbol', name, '--section', heading);
  const log = book.text('log.md');
  book.write('log (conflicted copy 2026-03-02).md', log.replace('Rain', 'Snow'));
  book.write('log.md', log.replace('End.', 'The end.'));
  return book;
}

const handsOn = (page: Page) => ({
  press: async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  },
  button: (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name, exact: true }),
  box: (name: string) => page.getByRole('dialog', { name }),
  /** Puts away what lies over the window, and asks for a command by its name. */
  command: async (title: string) => {
    await page.keyboard.press('Escape');
    await page.locator('.overlay').waitFor({ state: 'detached' });
    await runCommand(page, title);
  },
  opened: async (path: string) => {
    await page.keyboard.press('Escape');
    await page.locator('.overlay').waitFor({ state: 'detached' });
    await openDocument(page, path);
  },
});

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
      'what stop tracking takes out',
      async () => {
        await command('Stop Tracking…');
        await page.getByRole('alertdialog').getByText(source).waitFor();
      },
    ],
    [
      'the signs',
      async () => {
        await press('Escape');
        await editorOf(page).and(page.locator(':focus')).waitFor();
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

function codeOf(page: Page, write: Write): readonly Screen[] {
  const { press, button, box, command, opened } = handsOn(page);
  const row = page.locator('.code-rows li.bd-row').first();
  return [
    [
      'the picker of code',
      async () => {
        await press('Escape');
        await button('Take theirs').click();
        await opened(chapter);
        await command('Anchor to code…');
        await box('Anchor to code').getByRole('combobox', { name: 'File' }).fill('languages');
        await box('Anchor to code').getByRole('option', { name: 'src/languages.ts' }).waitFor();
      },
    ],
    [
      'a declaration before it is picked',
      async () => {
        await press('Enter');
        await box('Anchor to code').getByRole('region', { name: 'Preview of function languageForPath' }).waitFor();
      },
    ],
    [
      'the other document of a pair',
      async () => {
        await command('Pair with…');
        await page.getByRole('combobox', { name: 'The other document' }).fill('ines');
        await page.getByRole('option', { name: source }).waitFor();
      },
    ],
    [
      'the breakdown with a pair that is out of step',
      async () => {
        await press('Enter');
        await page.getByText(/are a pair now\./u).waitFor();
        write(source, '# Ines\n\nInes is right-handed.\n');
        write('src/languages.ts', twoFunctions(9));
        await openBreakdown(page);
        await page
          .getByRole('listitem', { name: new RegExp(`${source}: `, 'u') })
          .first()
          .getByRole('button', { expanded: false })
          .click();
        await page.locator('.bd-row ins').first().waitFor();
      },
    ],
    [
      'code that has changed',
      async () => {
        await row.getByRole('button', { expanded: false }).click();
        await button('Confirm reviewed', row).waitFor();
      },
    ],
    [
      'other code for a text',
      async () => {
        await button('Rebind…', row).click();
        await box('Rebind to other code').getByRole('combobox', { name: 'File' }).fill('languages');
        await box('Rebind to other code').getByRole('option', { name: 'src/languages.ts' }).waitFor();
      },
    ],
    [
      'the end of an anchor',
      async () => {
        await press('Escape');
        await button('Remove', row).click();
        await box('Remove this anchor?').waitFor();
      },
    ],
    [
      'several rows about code before they are confirmed',
      async () => {
        await press('Escape');
        await box('Remove this anchor?').waitFor({ state: 'detached' });
        for (const one of await page.locator('.code-rows li.bd-row').all()) {
          await one.locator('button[aria-expanded]').focus();
          await press('x');
        }
        await press('a');
        await box('Confirm 2 code anchors').getByRole('list', { name: 'What will be recorded' }).locator('ins').first().waitFor();
      },
    ],
    [
      'code that is gone',
      async () => {
        await press('Escape');
        write('src/languages.ts', 'export const other = () => ["something", "else", "altogether", 1, 2, 3];\n');
        await button('Refresh').click();
        await page.locator('.code-rows li.bd-row[data-state=lost]').first().waitFor();
        await row.locator('button[aria-expanded=false]').click();
        await button('Describes removed code', row).click();
        await box('This text describes removed code').waitFor();
      },
    ],
  ];
}
