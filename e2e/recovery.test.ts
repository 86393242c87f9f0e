import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useMortalWindow } from './mortal.ts';
import { keptIn } from './window-kill.ts';
import {
  type Book,
  editorOf,
  isReady,
  openDocument,
  runCommand,
  saveNothingUnasked,
  showSource,
  statusOf,
  tabOf,
  typeAtEnd,
} from './writer.ts';

const log = '# Log\n\nRain in the morning.\n';
const ines = '# Ines\n\nThe older sister.\n';

describe('text that is not saved when the window ends', () => {
  const night = Array.from({ length: 300 }, (_, at) => `Line ${at + 1} of a long night.`).join('\n\n');
  const mortal = useMortalWindow({ 'long.md': night, 'log.md': log, 'bible/ines.md': ines, 'third.md': '# Third\n' });
  let book: Book;
  let page: Page;
  beforeAll(async () => {
    ({ book, page } = mortal);
    await showSource(page);
    await saveNothingUnasked(page);
  });

  const list = () => page.getByRole('dialog', { name: 'Recovered Texts' });
  const button = (name: string) => list().getByRole('button', { name, exact: true });
  const front = () => editorOf(page).locator('.cm-line').allTextContents();
  /** Waits until the journal has what was typed. */
  const isKept = (text: string) => expect.poll(() => keptIn(book.home).includes(text)).toBe(true);
  const openAgain = async () => {
    await mortal.openAgain();
    ({ page } = mortal);
  };

  it('is there again after a reload, as it was: text, cursor, undo and tabs, without a question', async () => {
    await openDocument(page, 'third.md');
    await openDocument(page, 'log.md');
    await typeAtEnd(page, 'Mine.');
    await page.keyboard.press('ArrowLeft');
    await page.reload();
    await isReady(page);
    await tabOf(page, 'log.md')
      .and(page.getByRole('tab', { selected: true }))
      .waitFor();
    await editorOf(page).and(page.locator(':focus')).waitFor();
    expect((await page.getByRole('tab').allTextContents()).map((name) => name.replace(/\W*$/u, ''))).toEqual(['third.md', 'log.md']);
    expect(await list().count()).toBe(0);
    await page.keyboard.type('!');
    expect(await front()).toEqual(['# Log', '', 'Rain in the morning.', 'Mine!.']);
    await page.keyboard.press('ControlOrMeta+Z');
    await page.keyboard.press('ControlOrMeta+Z');
    expect((await front()).join('\n')).toBe(log);
    expect(book.text('log.md')).toBe(log);
    // Typed at once behind what was typed before, it may be one step with that.
    for (let step = 0; step < 2; step++) await page.keyboard.press('ControlOrMeta+Shift+Z');
    expect((await front()).at(-1)).toBe('Mine!.');
  });

  it('stands where it stood: how each document is shown, what is at its top, and the second editor', async () => {
    await openDocument(page, 'long.md');
    await page.keyboard.press('Alt+G');
    await page.keyboard.type('401');
    await page.keyboard.press('Enter');
    const place = () => statusOf(page).getByRole('button', { name: /^Ln 401/u });
    await place().waitFor();
    await page.keyboard.press('Alt+Shift+E');
    const second = page.getByRole('region', { name: /long\.md/u }).getByRole('textbox');
    await second.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await second.getByText('Line 300 of a long night.').waitFor();
    await openDocument(page, 'third.md');
    await page.keyboard.press('ControlOrMeta+E');
    await page.getByRole('button', { name: 'Shown as: Reading' }).waitFor();
    await page.reload();
    await isReady(page);
    await page.getByRole('button', { name: 'Shown as: Reading' }).waitFor();
    // The second editor stands where the writer was in it, and not where the first one is.
    await second.getByText('Line 300 of a long night.').waitFor();
    expect(await second.getByText('Line 201 of a long night.').count()).toBe(0);
    // What is in front takes the focus first.
    await page.locator('.reading:focus').waitFor();
    await page.keyboard.press('F6');
    await second.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('!');
    await second.getByText('Line 300 of a long night.!').waitFor();
    await page.keyboard.press('ControlOrMeta+Z');
    await second.getByText('Line 300 of a long night.', { exact: true }).waitFor();
    await tabOf(page, 'long.md').click();
    await place().waitFor();
    await expect
      .poll(async () => (await editorOf(page).first().locator('.cm-line').allTextContents()).includes('Line 201 of a long night.'))
      .toBe(true);
    await page.keyboard.press('Alt+Shift+E');
    await tabOf(page, 'third.md').click();
    await page.keyboard.press('ControlOrMeta+/');
    await page.getByRole('button', { name: 'Shown as: Source' }).waitFor();
    await openDocument(page, 'log.md');
  });

  it('is listed after the process of the page was killed, and opened over a file that somebody wrote only to be decided', async () => {
    await openDocument(page, 'bible/ines.md');
    await typeAtEnd(page, 'She left in March.');
    await isKept('She left in March.');
    await mortal.kill('page');
    book.write('bible/ines.md', ines.replace('older', 'younger'));
    await openAgain();
    await list().getByText('These 2 texts were not saved when the program ended. Nothing has been written.').waitFor();
    await list()
      .getByText(/the file was changed since$/u)
      .waitFor();
    await list()
      .getByText(/the file is as it was$/u)
      .waitFor();
    await button('Compare ines.md').click();
    const compared = list().getByRole('region', { name: 'Comparison' });
    await compared.getByRole('textbox', { name: 'On disk, read only' }).getByText('younger').waitFor();
    await compared.getByRole('textbox', { name: 'Recovered, not saved' }).getByText('She left in March.').waitFor();
    await button('Open ines.md').click();
    await button('Open ines.md').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Changed outside' }).getByText('bible/ines.md was changed outside').waitFor();
    expect(await front()).toEqual(['# Ines', '', 'The older sister.', 'She left in March.']);
    expect(book.text('bible/ines.md')).toBe(ines.replace('older', 'younger'));
  });

  it('waits to be decided about, and is found in the palette; what is discarded is gone for good', async () => {
    await runCommand(page, 'Recovered Texts');
    await button('Discard log.md').click();
    await button('Discard log.md for good').click();
    await list().waitFor({ state: 'detached' });
    await page.reload();
    await isReady(page);
    await tabOf(page, 'ines.md').waitFor();
    expect(await list().count()).toBe(0);
    expect(book.text('log.md')).toBe(log);
  });

  it('comes back after the whole program was killed', async () => {
    await openDocument(page, 'third.md');
    await typeAtEnd(page, 'Typed before the end.');
    await isKept('Typed before the end.');
    await mortal.kill('all');
    await openAgain();
    await list().getByText('third.md').waitFor();
    await page.keyboard.press('Enter');
    await list().waitFor({ state: 'detached' });
    await openDocument(page, 'third.md');
    expect(await front()).toEqual(['# Third', 'Typed before the end.']);
    await tabOf(page, 'third.md, unsaved changes').waitFor();
    expect(book.text('third.md')).toBe('# Third\n');
  });
});
