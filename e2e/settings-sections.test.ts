import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderServer, startProviderServer } from '../test/helpers/provider-server.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { keptIn, killPages } from './window-kill.ts';
import { type Book, createBook, editorOf, isReady, openDocument, save, saveNothingUnasked, typeAtEnd } from './writer.ts';

const programs = ['claude', 'codex', 'gemini'] as const;

/** What settings that have a section of their own do: who is asked, and what is kept on this machine. */
describe('a section of the settings', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer();
    book = createBook({ 'one.md': '# One\n\nFirst words.\n', 'two.md': '# Two\n' });
    for (const program of programs) install(program);
    app = await launchBrowser(book.folder, { home: book.home, env: { PATH: `${shelf()}:${process.env.PATH}` } });
    page = app.page;
    page.setDefaultTimeout(20_000);
    await isReady(page);
    await saveNothingUnasked(page);
    await openDocument(page, 'one.md');
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
    await server?.close();
  });

  /** Where programs that can be asked are, and what they are told. */
  const shelf = () => join(book.folder, '..', 'programs');
  const told = (program: string) => readFileSync(join(shelf(), `${program}.told`), 'utf8').split('\n');
  const install = (program: string) => {
    mkdirSync(shelf(), { recursive: true });
    const path = join(shelf(), program);
    writeFileSync(path, `#!/bin/sh\ncat > /dev/null\nprintf '%s\\n' "$@" > '${path}.told'\nprintf '# One\\n\\nWords of ${program}.\\n'\n`);
    chmodSync(path, 0o755);
  };
  const dialog = () => page.getByRole('dialog', { name: 'Settings' });
  const shown = async (section: string) => {
    await page.keyboard.press('ControlOrMeta+,');
    await dialog().getByRole('button', { name: section, exact: true }).click();
  };
  const closed = async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  };
  /** What is sent is shown the first time that somebody is asked. */
  const ask = async (isFirst = true) => {
    const asked = page.getByRole('combobox', { name: 'Ask AI' });
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+J');
    await asked.fill('say it in other words');
    await page.getByRole('radio', { name: 'Document' }).press('Space');
    await asked.press('Enter');
    if (isFirst) {
      await page.getByRole('region', { name: 'The text that is sent' }).waitFor();
      await page.keyboard.press('Enter');
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  const bar = () => page.getByRole('region', { name: 'Suggestions' });
  const dismiss = async () => {
    await editorOf(page).focus();
    await page.keyboard.press('Alt+Shift+Backspace');
    await bar().waitFor({ state: 'detached' });
  };

  it.each([
    ['Anthropic', true],
    ['OpenAI', true],
    ['Google', true],
    ['Your own server', false],
    ['Ollama', false],
  ])('has %s asked where the writer says, and for the model that the writer names', async (name, hasKey) => {
    server.behave({ kind: 'answer', parts: ['# One\n\nOther words.\n'] });
    const before = server.requests.length;
    const model = `model-of-${name.toLowerCase().replaceAll(' ', '-')}`;
    await shown('AI');
    await page.getByRole('radio', { name: new RegExp(`^${name}`, 'u') }).press('Space');
    for (const [label, value] of [
      ['Address', `${server.origin}/${name === 'Google' ? 'v1beta' : 'v1'}`],
      ['Model', model],
      ...(hasKey ? [['Key', 'a-key']] : []),
    ] as const) {
      await page.getByLabel(label!, { exact: true }).fill(value!);
      await page.getByLabel(label!, { exact: true }).press('Enter');
    }
    await page.getByText('Ready to be asked.').waitFor();
    await closed();
    await ask();
    await expect.poll(() => server.requests.slice(before).some(({ path, body }) => `${path} ${body}`.includes(model))).toBe(true);
    await bar()
      .getByText(/^1 of \d/u)
      .waitFor();
    await dismiss();
  });

  it.each(programs)('has %s started for the model that the writer names, and for its own choice where none is named', async (program) => {
    for (const model of [`model-of-${program}`, '']) {
      await shown('AI');
      await page.getByRole('radio', { name: new RegExp(`^${program}`, 'iu') }).press('Space');
      await page.getByLabel('Model', { exact: true }).fill(model);
      await page.getByLabel('Model', { exact: true }).press('Enter');
      await page.getByText('Ready to be asked.').waitFor();
      await closed();
      await ask(model !== '');
      await bar()
        .getByText(/^1 of \d/u)
        .waitFor();
      await editorOf(page).getByText(program).waitFor();
      expect(told(program).filter((word) => word.startsWith('--model'))).toEqual(model === '' ? [] : [`--model=${model}`]);
      await dismiss();
    }
  });

  const rowOf = (about: string) => dialog().locator('.setting', { hasText: about });
  const remove = async (name: string, about: string) => {
    await rowOf(about)
      .getByRole('button', { name: `Delete ${name}`, exact: true })
      .click();
    await rowOf(about)
      .getByRole('button', { name: `Delete ${name} for good` })
      .click();
  };
  /** The folder that is said to have a part, with something in it. */
  const folderOf = async (about: string) => {
    await shown('Files & images');
    const folder = (await rowOf(about).locator('.picker-path').textContent())!;
    expect(folder.startsWith(book.home)).toBe(true);
    expect(filesIn(folder).length).toBeGreaterThan(0);
    return folder;
  };
  const isNothingLeft = (name: string, about: string) =>
    rowOf(about)
      .getByRole('button', { name: `Delete ${name}`, exact: true })
      .and(page.locator(':disabled'))
      .waitFor();
  const filesIn = (folder: string) =>
    existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()) : [];

  it('says how much history is kept and where, and deletes it for good', async () => {
    await openDocument(page, 'two.md');
    await typeAtEnd(page, 'More.');
    await save(page);
    const about = 'Saved versions of documents that no ledger keeps';
    const folder = await folderOf(about);
    await remove('History', about);
    await isNothingLeft('History', about);
    await expect.poll(() => filesIn(folder)).toEqual([]);
    await closed();
    await page.keyboard.press('Alt+Shift+V');
    await page.getByRole('dialog', { name: 'History of two.md' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('option').count()).toBe(0);
    expect(book.text('two.md')).toBe('# Two\nMore.');
    await page.keyboard.press('Escape');
  });

  it('deletes the search index, and the next search makes it anew and finds the same', async () => {
    const about = 'Made from the documents';
    const place = join(book.home, 'search');
    const search = async () => {
      await page.keyboard.press('ControlOrMeta+Shift+F');
      const field = page.getByRole('searchbox', { name: 'Search in all documents' });
      await field.fill('');
      await page.getByText('1 match in 1 document').waitFor({ state: 'detached' });
      await field.fill('First words');
      await page.getByText('1 match in 1 document').waitFor();
      await expect.poll(() => filesIn(place).length).toBeGreaterThan(0);
    };
    await search();
    expect(await folderOf(about)).toBe(place);
    await remove('Search index', about);
    await isNothingLeft('Search index', about);
    expect(filesIn(place)).toEqual([]);
    await closed();
    await search();
  });

  it('deletes what a window left that ended, and leaves what is open', async () => {
    await openDocument(page, 'two.md');
    await typeAtEnd(page, 'Left behind.');
    await expect.poll(() => keptIn(book.home)).toContain('Left behind.');
    await killPages(page);
    page = await page.context().newPage();
    await page.goto(new URL(app.url).origin);
    await isReady(page);
    const list = page.getByRole('dialog', { name: 'Recovered texts' });
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await openDocument(page, 'one.md');
    await typeAtEnd(page, 'Open still.');
    await expect.poll(() => keptIn(book.home)).toContain('Open still.');
    const about = 'What windows left that ended';
    await folderOf(about);
    await remove('Recovery', about);
    await expect.poll(() => keptIn(book.home)).not.toContain('Left behind.');
    expect(keptIn(book.home)).toContain('Open still.');
    await closed();
    await page.reload();
    await isReady(page);
    await editorOf(page).getByText('Open still.').waitFor();
    expect(await list.count()).toBe(0);
  });
});
