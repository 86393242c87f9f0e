import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderServer, startProviderServer } from '../test/helpers/provider-server.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, save, saveNothingUnasked, typeAtEnd } from './writer.ts';

/** What settings that have a section of their own do: who is asked, and what is kept on this machine. */
describe('a section of the settings', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer();
    book = createBook({ 'one.md': '# One\n\nFirst words.\n', 'two.md': '# Two\n' });
    app = await launchBrowser(book.folder, { home: book.home });
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

  const dialog = () => page.getByRole('dialog', { name: 'Settings' });
  const shown = async (section: string) => {
    await page.keyboard.press('ControlOrMeta+,');
    await dialog().getByRole('button', { name: section, exact: true }).click();
  };
  const closed = async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  };
  const ask = async () => {
    const asked = page.getByRole('combobox', { name: 'Ask AI' });
    await editorOf(page).focus();
    await page.keyboard.press('ControlOrMeta+J');
    await asked.fill('say it in other words');
    await page.getByRole('radio', { name: 'Document' }).press('Space');
    await asked.press('Enter');
    await page.getByRole('region', { name: 'The text that is sent' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
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
    const bar = page.getByRole('region', { name: 'Suggestions' });
    await bar.getByText(/^1 of \d/u).waitFor();
    await editorOf(page).focus();
    await page.keyboard.press('Alt+Shift+Backspace');
    await bar.waitFor({ state: 'detached' });
  });

  it('says how much history is kept and where, and deletes it for good', async () => {
    await openDocument(page, 'two.md');
    await typeAtEnd(page, 'More.');
    await save(page);
    await shown('Files & images');
    const part = dialog().locator('.setting', { hasText: 'Saved versions of documents that no ledger keeps' });
    const folder = (await part.locator('.picker-path').textContent())!;
    const files = () =>
      existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => !one.endsWith('/')) : [];
    expect(folder.startsWith(join(book.home, 'history'))).toBe(true);
    expect(files().length).toBeGreaterThan(0);
    await part.getByRole('button', { name: 'Delete History', exact: true }).click();
    await part.getByRole('button', { name: 'Delete History for good' }).click();
    await part.getByRole('button', { name: 'Delete History', exact: true }).and(page.locator(':disabled')).waitFor();
    await expect.poll(files).toEqual([]);
    await closed();
    await page.keyboard.press('Alt+Shift+V');
    await page.getByRole('dialog', { name: 'History of two.md' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('option').count()).toBe(0);
    expect(book.text('two.md')).toBe('# Two\nMore.');
  });
});
