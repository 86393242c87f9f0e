import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitEnvironment } from '../test/helpers/repository.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, save, showSource, statusOf, tabOf, typeAtEnd } from './writer.ts';

const log = '# Log\n\nFirst of March: rain.\n\nSecond of March: wind.\n';
const others = Array.from({ length: 50 }, (_, at) => `parts/${String(at).padStart(2, '0')}.md`);

describe('a document that somebody else writes', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({
      'log.md': log,
      'mine.md': log,
      'theirs.md': log,
      'both.md': log,
      'gone.md': log,
      'own.md': log,
      ...Object.fromEntries(others.map((path) => [path, `# ${path}\n\nas on main\n`])),
    });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await showSource(page);
    // What becomes of unsaved text is the writer's to say here.
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('radio', { name: 'Never' }).click();
    await page.getByRole('radio', { name: 'Never', checked: true }).waitFor();
    await page.keyboard.press('Escape');
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const bar = () => page.getByRole('region', { name: 'Changed outside' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const front = () => editorOf(page).locator('.cm-line').allTextContents();
  const said = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });
  const isInText = () => expect.poll(() => editorOf(page).evaluate((text) => text === document.activeElement)).toBe(true);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: book.folder, env: gitEnvironment, stdio: 'pipe' });
  /** Unsaved text here and another text on disk: the bar is there, and nothing was written. */
  const disagree = async (path: string) => {
    await openDocument(page, path);
    await typeAtEnd(page, 'Mine.\n');
    const theirs = log.replace('wind', 'snow');
    book.write(path, theirs);
    await bar().getByText(`${path} was changed outside while you have unsaved changes.`).waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await said(/Choose first what to keep/u);
    expect(book.text(path)).toBe(theirs);
    return theirs;
  };

  it('is followed while it is as it was saved, with the cursor at its text', async () => {
    await openDocument(page, 'log.md');
    await page.keyboard.press('ControlOrMeta+Home');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await statusOf(page).getByText('Ln 3, Col 3').waitFor();
    book.write('log.md', log.replace('# Log\n', '# The log\n\nKept by Ines.\n').replace('wind', 'snow'));
    await statusOf(page).getByText('Ln 5, Col 3').waitFor();
    expect(await front()).toEqual(['# The log', '', 'Kept by Ines.', '', 'First of March: rain.', '', 'Second of March: snow.', '']);
    await said(/^log\.md was changed outside; the page shows it as it is now\./u);
    expect(await bar().count()).toBe(0);
    expect(await page.title()).toBe('log.md — book');
    // What another program wrote is one step: undo leads back before it, redo to it.
    await isInText();
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(async () => (await front())[0]).toBe('# Log');
    await page.keyboard.press('ControlOrMeta+Shift+Z');
    await expect.poll(async () => (await front())[0]).toBe('# The log');
    await page.keyboard.press('ControlOrMeta+S');
  });

  it('is compared, and nothing is written by that', async () => {
    const theirs = await disagree('mine.md');
    await button('Compare').click();
    const view = page.getByRole('region', { name: 'Comparison' });
    await view.getByRole('textbox', { name: 'On disk, read only' }).getByText('snow').waitFor();
    await view.getByRole('textbox', { name: 'Yours, as it stands here' }).getByText('Mine.').waitFor();
    await button('Compare').click();
    await editorOf(page).getByText('Mine.').waitFor();
    expect(book.text('mine.md')).toBe(theirs);
    expect(await bar().count()).toBe(1);
  });

  it('is what the writer kept, once it is saved after Keep mine', async () => {
    const theirs = book.text('mine.md');
    await button('Keep mine').click();
    await bar().waitFor({ state: 'detached' });
    await isInText();
    expect(book.text('mine.md')).toBe(theirs);
    await tabOf(page, 'mine.md, unsaved changes').waitFor();
    await save(page);
    expect(book.text('mine.md')).toBe(`${log}Mine.\n`);
  });

  it('is theirs after Take theirs, and undo brings the own text back', async () => {
    const theirs = await disagree('theirs.md');
    await button('Take theirs').click();
    await bar().waitFor({ state: 'detached' });
    await isInText();
    await expect.poll(front).toEqual(theirs.split('\n'));
    await page.getByRole('tab', { name: 'theirs.md', exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(front).toEqual(`${log}Mine.\n`.split('\n'));
    expect(book.text('theirs.md')).toBe(theirs);
    await page.keyboard.press('ControlOrMeta+Shift+Z');
    await expect.poll(front).toEqual(theirs.split('\n'));
  });

  it('is merged place by place with keys alone, and nothing is written before the result is taken and saved', async () => {
    await openDocument(page, 'both.md');
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('Kept by Ines. ');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('Mine.\n');
    const theirs = log.replace('rain', 'hail').replace(/$/u, 'Theirs.\n');
    book.write('both.md', theirs);
    await bar().waitFor();
    await button('Merge…').click();
    const merge = page.getByRole('region', { name: 'Merge' });
    const place = (name: string) => merge.getByRole('radiogroup', { name });
    await place('Change 3 of 3 · changed by both').getByRole('radio', { name: 'Yours: Mine.' }).and(page.locator(':focus')).waitFor();
    expect(await merge.getByRole('button', { name: 'Take the result' }).isDisabled()).toBe(true);
    await page.keyboard.press('3');
    await merge.getByText('Every place is chosen.').waitFor();
    await page.keyboard.press('n');
    await place('Change 1 of 3 · changed by you').getByRole('radio', { checked: true }).and(page.locator(':focus')).waitFor();
    // Somebody writes again while it is being looked at: what was chosen stays.
    const again = theirs.replace('hail', 'sleet');
    book.write('both.md', again);
    await merge.getByText('It was changed outside again.').waitFor();
    await merge.getByRole('region', { name: 'Result' }).getByText('sleet').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await bar().waitFor({ state: 'detached' });
    await isInText();
    const merged = `Kept by Ines. ${log.replace('rain', 'sleet')}Mine.\nTheirs.\n`;
    await expect.poll(front).toEqual(merged.split('\n'));
    expect(book.text('both.md')).toBe(again);
    await save(page);
    expect(book.text('both.md')).toBe(merged);
  });

  it('that is removed is said, its text is kept, and can be saved again', async () => {
    await openDocument(page, 'gone.md');
    rmSync(join(book.folder, 'gone.md'));
    await bar().getByText('gone.md was removed or renamed outside. Your text is kept here.').waitFor();
    await tabOf(page, 'gone.md, unsaved changes, removed outside').waitFor();
    await page.getByRole('row', { name: 'gone.md' }).waitFor({ state: 'detached' });
    expect(await front()).toEqual(log.split('\n'));
    await button('Save again').click();
    await bar().waitFor({ state: 'detached' });
    expect(book.text('gone.md')).toBe(log);
    await page.getByRole('row', { name: 'gone.md' }).waitFor();
  });

  it('is not the own save: no bar comes of it, and what is typed meanwhile stays', async () => {
    await openDocument(page, 'own.md');
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+End');
    const lines = Array.from({ length: 8 }, (_, at) => `Line ${at}.`);
    for (const line of lines) {
      await page.keyboard.type(line);
      await page.keyboard.press('ControlOrMeta+S');
      await page.keyboard.type('\n');
    }
    await save(page);
    const whole = `${log}${lines.map((line) => `${line}\n`).join('')}`;
    await expect.poll(() => book.text('own.md')).toBe(whole);
    // When this is listed, what came before it has been heard of.
    book.write('later.md', '');
    await page.getByRole('row', { name: 'later.md' }).waitFor();
    expect(await bar().count()).toBe(0);
    expect(await front()).toEqual(whole.split('\n'));
    expect(book.text('own.md')).toBe(whole);
  });

  it('is one of 50 that git checks out: those that are open follow, unsaved text is kept', async () => {
    const commit = (message: string) => git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', 'commit', '--quiet', '-am', message);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    commit('main');
    git('checkout', '--quiet', '-b', 'draft');
    for (const path of others) book.write(path, `# ${path}\n\nas on draft\n`);
    book.write('parts/new.md', 'only on draft\n');
    git('add', '.');
    commit('draft');
    git('checkout', '--quiet', 'main');
    const [first, second] = ['parts/07.md', 'parts/31.md'];
    await openDocument(page, first);
    await editorOf(page).getByText('as on main').waitFor();
    await openDocument(page, second);
    await typeAtEnd(page, 'Mine.\n');
    await page.getByRole('searchbox', { name: 'Filter files' }).fill('new');
    await page.getByText('No file has that in its name.').waitFor();
    // Git would not go over a file of the writer's; what is only typed it does not know of.
    git('checkout', '--quiet', 'draft');
    await bar().getByText(`${second} was changed outside`).waitFor();
    await editorOf(page).getByText('Mine.').waitFor();
    await page.getByRole('row', { name: 'new.md' }).waitFor();
    await openDocument(page, first);
    await editorOf(page).getByText('as on draft').waitFor();
    await openDocument(page, second);
    await button('Take theirs').click();
    await editorOf(page).getByText('as on draft').waitFor();
    for (const path of others) expect(book.text(path)).toBe(`# ${path}\n\nas on draft\n`);
  });
});
