import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useMortalWindow } from './mortal.ts';
import { keptIn } from './window-kill.ts';
import { type Book, editorOf, isReady, openDocument, saveNothingUnasked, statusOf, tabOf, typeAtEnd } from './writer.ts';

describe('a document without a file', () => {
  const mortal = useMortalWindow({
    'chapters/01.md': '# One\n',
    'templates/letter.md': '# A letter\n\nDear reader,\n',
    'pictures/boat.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  let book: Book;
  let page: Page;
  beforeAll(() => {
    ({ book, page } = mortal);
  });

  const front = async () => (await editorOf(page).locator('.cm-line').allTextContents()).join('\n');
  const tabs = async () => (await page.getByRole('tab').allTextContents()).map((name) => name.replace(/\W*$/u, ''));
  const isKept = (text: string) => expect.poll(() => keptIn(book.home).includes(text)).toBe(true);
  const begin = async (text: string) => {
    const count = await page.getByRole('tab').count();
    await page.keyboard.press('Alt+Shift+N');
    await expect.poll(() => page.getByRole('tab').count()).toBe(count + 1);
    await editorOf(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(text);
  };
  const box = () => page.getByRole('dialog', { name: 'Save as' });

  it('is typed in at once; three of them come back after a reload with text and order, and no file was made', async () => {
    for (const text of ['First text', 'Second text', 'Third text']) await begin(text);
    await statusOf(page).getByText('No file yet').waitFor();
    await page.reload();
    await isReady(page);
    await tabOf(page, 'Untitled 3, not a file yet, unsaved changes')
      .and(page.getByRole('tab', { selected: true }))
      .waitFor();
    expect(await tabs()).toEqual(['Untitled', 'Untitled 2', 'Untitled 3']);
    expect(await front()).toBe('Third text');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(existsSync(join(book.folder, 'Untitled.md'))).toBe(false);
  });

  it('is listed after all was killed, also one of a template in which nobody typed', async () => {
    await page.keyboard.press('Alt+Shift+U');
    const making = page.getByRole('dialog', { name: 'New document' });
    await making.getByRole('combobox', { name: 'Template' }).selectOption('templates/letter.md');
    await making.getByRole('button', { name: 'Create' }).click();
    await editorOf(page).getByText('Dear reader,').waitFor();
    await isKept('Dear reader,');
    await mortal.kill('all');
    await mortal.openAgain();
    ({ page } = mortal);
    const list = page.getByRole('dialog', { name: 'Recovered texts' });
    await list
      .getByText(/it was never a file$/u)
      .nth(3)
      .waitFor();
    await list.getByRole('button', { name: 'Open all' }).click();
    await list.waitFor({ state: 'detached' });
    expect((await tabs()).toSorted()).toEqual(['Untitled', 'Untitled 2', 'Untitled 3', 'Untitled 4']);
    await tabOf(page, 'Untitled 4').click();
    expect(await front()).toContain('Dear reader,');
  });

  it('asks for name and folder when it is saved: the folder is made, links lead where they did, and nothing there is written over', async () => {
    await tabOf(page, 'Untitled,').click();
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n\n![](pictures/boat.svg)\n\n# The crossing\n');
    await page.keyboard.press('ControlOrMeta+S');
    const [name, folder] = [box().getByRole('textbox', { name: 'Name' }), box().getByRole('combobox', { name: /folder/u })];
    await expect.poll(() => name.inputValue()).toBe('The crossing');
    await name.fill('01');
    await folder.fill('chapters');
    await page.keyboard.press('Enter');
    await box().getByRole('alert').getByText('chapters/01.md').waitFor();
    expect(book.text('chapters/01.md')).toBe('# One\n');
    await folder.fill('part two');
    await name.fill('x'.repeat(300));
    await page.keyboard.press('Enter');
    await box().getByRole('alert').getByText('too long').waitFor();
    expect(existsSync(join(book.folder, 'part two'))).toBe(false);
    await name.fill('01');
    await page.keyboard.press('Enter');
    await box().waitFor({ state: 'detached' });
    await tabOf(page, '01.md').waitFor();
    await editorOf(page).and(page.locator(':focus')).waitFor();
    expect(book.text('part two/01.md')).toBe('First text\n\n![](../pictures/boat.svg)\n\n# The crossing\n');
    await statusOf(page)
      .getByText(/^Saved \d\d:\d\d/u)
      .waitFor();
  });

  it('is asked about when it is closed: Cancel leaves it, Save names and closes it, and what is discarded is gone', async () => {
    const question = (name: string) => page.getByRole('alertdialog', { name: `Save the changes to ${name}?` });
    await tabOf(page, 'Untitled 2').click();
    await page.keyboard.press('Alt+Shift+W');
    await question('Untitled 2').getByRole('button', { name: 'Cancel' }).click();
    await tabOf(page, 'Untitled 2').waitFor();
    await editorOf(page).focus();
    await page.keyboard.press('Alt+Shift+W');
    await question('Untitled 2').getByRole('button', { name: 'Save', exact: true }).click();
    await box().getByRole('textbox', { name: 'Name' }).fill('second');
    await box()
      .getByRole('combobox', { name: /folder/u })
      .fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => existsSync(join(book.folder, 'second.md')) && book.text('second.md')).toBe('Second text');
    await expect.poll(tabs).not.toContain('second.md');
    await tabOf(page, 'Untitled 3').click();
    await page.keyboard.press('Alt+Shift+W');
    await question('Untitled 3').getByRole('button', { name: "Don't save" }).click();
    await expect.poll(tabs).not.toContain('Untitled 3');
    await page.reload();
    await isReady(page);
    await tabOf(page, 'Untitled 4').waitFor();
    expect(await tabs()).not.toContain('Untitled 3');
    await begin('');
    await page.keyboard.press('Alt+Shift+W');
    await expect.poll(tabs).not.toContain('Untitled 3');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  it('gets a name before a model is asked, and reads, exports and stands beside like any other', async () => {
    await tabOf(page, 'Untitled 4').click();
    await page.keyboard.press('ControlOrMeta+E');
    await page.locator('.reading-host').getByText('Dear reader,').waitFor();
    await page.keyboard.press('ControlOrMeta+E');
    await page.keyboard.press('Alt+Shift+O');
    await page.getByRole('region', { name: 'Outline' }).getByText('A letter').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+Shift+X');
    const exporting = page.getByRole('dialog', { name: 'Export' });
    const download = page.waitForEvent('download');
    await exporting.getByRole('button', { name: 'Export' }).click();
    expect((await download).suggestedFilename()).toBe('A letter.html');
    await exporting.waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+Shift+E');
    await page.getByRole('region', { name: /Untitled 4/u }).waitFor();
    await page.keyboard.press('Alt+Shift+E');
    await openDocument(page, 'chapters/01.md');
    await tabOf(page, 'Untitled 4').click();
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+J');
    await expect.poll(() => box().getByRole('textbox', { name: 'Name' }).inputValue()).toBe('A letter');
    await expect
      .poll(() =>
        box()
          .getByRole('combobox', { name: /folder/u })
          .inputValue(),
      )
      .toBe('chapters');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Ask AI' }).waitFor();
    expect(book.text('chapters/A letter.md')).toBe('# A letter\n\nDear reader,\n');
  });

  it('is not the one of another window: what two windows left comes back whole, also of one file', async () => {
    await page.keyboard.press('Escape');
    await saveNothingUnasked(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await isReady(other);
    for (const [window, text] of [
      [page, 'of one'],
      [other, 'of two'],
    ] as const) {
      await window.bringToFront();
      await openDocument(window, 'templates/letter.md');
      await typeAtEnd(window, `letter ${text}`);
      await window.keyboard.press('Alt+Shift+N');
      await tabOf(window, 'Untitled')
        .and(window.getByRole('tab', { selected: true }))
        .waitFor();
      await editorOf(window).and(window.locator(':focus')).waitFor();
      await window.keyboard.type(`paper ${text}`);
      await isKept(`letter ${text}`);
      await isKept(`paper ${text}`);
    }
    const address = page.url();
    for (const window of [page, other]) await window.goto('about:blank');
    await page.goto(address);
    await isReady(page);
    await page.getByRole('dialog', { name: 'Recovered texts' }).getByRole('button', { name: 'Open all' }).click();
    await expect.poll(async () => (await tabs()).filter((name) => name.startsWith('Untitled'))).toHaveLength(2);
    await tabOf(page, 'Untitled,').click();
    const first = await front();
    await tabOf(page, 'Untitled 2,').click();
    expect([first, await front()].toSorted()).toEqual(['paper of one', 'paper of two']);
    await tabOf(page, 'letter.md').click();
    await expect.poll(front).toMatch(/letter of (?:one|two)/u);
    const shown = await front();
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(front).toContain(shown.includes('of one') ? 'letter of two' : 'letter of one');
  });
});
