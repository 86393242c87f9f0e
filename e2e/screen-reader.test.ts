import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDialogStage } from './dialog-screens.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { isStill, type Screen, screenBook, screensOf } from './screens.ts';
import {
  type Book,
  createBook,
  editorOf,
  isReady,
  openBreakdown,
  openDocument,
  save,
  saveNothingUnasked,
  tabOf,
  typeAtEnd,
} from './writer.ts';

/** What can be acted on, and what holds others together: each is called something. */
const named = new Set(
  [
    'button checkbox combobox link listbox menu menuitem menuitemcheckbox menuitemradio option radio radiogroup searchbox slider spinbutton',
    'switch tab tablist textbox tree treeitem treegrid grid dialog alertdialog navigation region complementary image article',
  ].flatMap((roles) => roles.split(' ')),
);

interface Heard {
  readonly role: string;
  readonly name: string;
  readonly isFocused: boolean;
}

/** Everything that the page tells a screen reader of. */
async function heardIn(cdp: CDPSession): Promise<Heard[]> {
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => ({
      role: String(role?.value),
      name: String(name?.value ?? '').trim(),
      isFocused: properties.some((property) => property.name === 'focused' && property.value.value === true),
    }));
}

/** What is called nothing, what has the focus and says nothing of it, and boxes that are not told of. */
async function silentIn(page: Page, screens: readonly Screen[]): Promise<string[]> {
  const cdp = await page.context().newCDPSession(page);
  const silent: string[] = [];
  for (const [screen, show] of screens) {
    await show();
    // The focus comes a moment after what it is in.
    if (screen !== 'the welcome page')
      await page.waitForFunction(() => document.activeElement !== document.body, null, { timeout: 5000 }).catch(() => null);
    const heard = await heardIn(cdp);
    for (const { role, name } of heard) if (named.has(role) && name === '') silent.push(`${screen}: a ${role} without a name`);
    const focused = heard.filter(({ isFocused, role }) => isFocused && role !== 'RootWebArea');
    // What nobody has touched yet is read from its beginning.
    if (focused.length === 0 && screen !== 'the welcome page') silent.push(`${screen}: nothing has the focus`);
    for (const { role, name } of focused) if (name === '') silent.push(`${screen}: the focus is in a ${role} without a name`);
    const boxes = await page.locator('.overlay').count();
    if (boxes > 0 && !heard.some(({ role }) => role === 'dialog' || role === 'alertdialog')) silent.push(`${screen}: no box is told of`);
    if (!heard.some(({ role }) => /^(?:main|dialog|alertdialog|menu)$/u.test(role))) silent.push(`${screen}: no main part`);
  }
  return silent;
}

describe('a screen reader', () => {
  it('is told the name of everything that can be acted on, in every screen and every box', async () => {
    const book = screenBook();
    const app = await launchBrowser(book.folder, { home: book.home });
    onTestFinished(async () => {
      await app.stop();
      book.dispose();
    });
    await isStill(app.page);
    expect(await silentIn(app.page, screensOf(app.page, book))).toEqual([]);
    const stage = await openDialogStage();
    onTestFinished(stage.stop);
    expect(await silentIn(stage.page, stage.screens)).toEqual([]);
  }, 240_000);
});

describe('what happens away from the focus', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ 'bible/ines.md': '# Ines\n\nInes is left-handed.\n', 'chapters/01.md': '# The Ferry\n', 'log.md': '# Log\n' });
    for (const path of ['bible/ines.md', 'chapters/01.md']) {
      book.stemma('init');
      book.stemma('track', path);
    }
    book.stemma('record', 'chapters/01.md', '--from', 'bible/ines.md');
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      const live = 'output, [role=status], [role=alert], [aria-live]:not([aria-live=off])';
      new MutationObserver((changes) => {
        const regions = changes.flatMap(({ target, addedNodes }) => {
          const around = (target instanceof Element ? target : target.parentElement)?.closest(live);
          const within = [...addedNodes]
            .filter((node) => node instanceof Element)
            .flatMap((node) => [...node.querySelectorAll(live), node]);
          return [around, ...within.filter((node) => node.matches(live))].filter((one) => one != null);
        });
        for (const region of new Set(regions)) if (region.textContent !== '') said.push(region.textContent ?? '');
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const isSaid = (sentence: string | RegExp) =>
    expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { said: string[] }).said), { message: String(sentence) })
      .toContainEqual(typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence));
  const command = async (title: string) => {
    await page.keyboard.press('F1');
    await page.getByRole('combobox', { name: 'Go to' }).fill(`>${title}`);
    await page.getByRole('option', { selected: true }).filter({ hasText: title }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.overlay').waitFor({ state: 'detached' });
  };

  it('is said: saves, what others wrote, and what has to be chosen', async () => {
    await openDocument(page, 'log.md');
    await typeAtEnd(page, 'Rain.\n');
    await save(page);
    await isSaid('Saved log.md.');
    book.write('log.md', '# Log\n\nTheirs.\n');
    await isSaid('log.md was changed outside; the page shows it as it is now.');
    await typeAtEnd(page, 'Mine.\n');
    book.write('log.md', '# Log\n\nTheirs again.\n');
    await isSaid('log.md was changed outside while it has unsaved changes. Choose what to keep.');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await editorOf(page).getByText('Theirs again.').waitFor();
  });

  it('is said: finds, searches, what a command turned on, and what became of a file', async () => {
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+F');
    await page.keyboard.type('Theirs');
    await isSaid(/1 of 1|1 match/u);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await page.keyboard.type('left-handed');
    await isSaid('1 match in 1 document');
    await page.keyboard.press('Escape');
    await command('Typewriter');
    await isSaid(/Typewriter.*: on\./u);
    await page.getByRole('row', { name: 'log.md' }).focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name of log.md' }).fill('diary.md');
    await page.keyboard.press('Enter');
    await tabOf(page, 'diary.md').waitFor();
    await isSaid('diary.md');
  });

  it('is said: that the breakdown is computed, and what was decided', async () => {
    book.write('bible/ines.md', book.text('bible/ines.md').replace('left', 'right'));
    await openBreakdown(page);
    await isSaid(/^The breakdown is ready/u);
    const row = page.getByRole('listitem', { name: /01\.md rests on/u }).first();
    await row.getByRole('button', { expanded: false }).click();
    await page.getByRole('button', { name: 'Accept latest' }).click();
    await isSaid(/ccept/u);
  });
});
