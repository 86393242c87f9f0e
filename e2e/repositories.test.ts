import { basename, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { createGitServer } from '../test/helpers/git-server.ts';
import { cloneRepository, createRepository } from '../test/helpers/repository.ts';
import { launchBrowser } from './launch.ts';
import { createBook, editorOf, isReady, openBreakdown, openDocument, saveNothingUnasked } from './writer.ts';

const token = 'canary-3b9c-token';
const rows = 'export function readRows(text: string) {\n  return text.split("\\n").map((line) => line.trim());\n}\n';

it('links a private repository by keys, asks before anything is sent, and fetches it with a token that no page sees', async () => {
  const upstream = createRepository();
  upstream.write('src/rows.ts', rows);
  upstream.commit('one');
  const bare = cloneRepository(upstream, '--bare').folder;
  const server = await createGitServer(join(bare, '..'), token);
  const book = createBook({ 'one.md': '# One\n\nRows are read.\n' });
  onTestFinished(() => book.dispose());
  book.stemma('init');
  const env = { STEMMA_GIT_TOKEN_ENGINE: token, GIT_SSL_CAINFO: server.authority };
  const app = await launchBrowser(book.folder, { home: book.home, env });
  onTestFinished(async () => void (await app.stop()));
  const { page } = app;
  const frames: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
  await page.reload();
  await isReady(page);
  await saveNothingUnasked(page);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('linked repos');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Linked repositories' });
  await dialog.getByRole('button', { name: 'Link a repository…' }).press('Enter');
  await dialog.getByLabel('Name').fill('engine');
  await dialog.getByLabel('Folder or https address').fill('http://127.0.0.1/engine.git');
  await page.keyboard.press('Enter');
  await expect.poll(() => dialog.getByRole('alert').textContent()).toContain('begins with https://');
  await dialog.getByLabel('Folder or https address').fill(server.url(basename(bare)));
  await dialog.getByLabel('Variable of its token').fill('STEMMA_GIT_TOKEN_ENGINE');
  await page.keyboard.press('Enter');
  await dialog.getByText('Not fetched on this machine yet.').waitFor();
  expect(server.requests).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  await dialog.getByRole('button', { name: 'Fetch engine' }).press('Enter');
  await dialog.getByText(/^At [0-9a-f]{12}, fetched/u).waitFor();
  expect(server.requests.some(({ authorization }) => authorization !== null)).toBe(true);
  if (process.env.STEMMA_PICTURE !== undefined) await page.screenshot({ path: process.env.STEMMA_PICTURE });
  await dialog.getByText('Its token comes from STEMMA_GIT_TOKEN_ENGINE').waitFor();
  expect(await dialog.getByRole('button', { name: 'Enter the token' }).count()).toBe(0);
  expect(frames.some((frame) => frame.includes('repository-progress'))).toBe(true);
  expect(frames.filter((frame) => frame.includes(token))).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await dialog.count()).toBe(0);
  await anchorToEngine(page);
  upstream.write('src/rows.ts', `// Rows.\n${rows.replace('.trim()', '.trimEnd()')}`);
  upstream.commit('two');
  upstream.git('push', '--quiet', bare, '+main:main');
  await fetchAgain(page);
  await openBreakdown(page);
  const row = page.locator('.code-rows li.bd-row');
  await row.getByRole('button', { expanded: false }).click();
  await row.getByRole('button', { name: 'Open code' }).waitFor();
  await page.keyboard.press('o');
  const view = page.getByRole('dialog', { name: 'src/rows.ts' });
  await view.getByText('in the linked repository engine').waitFor();
  const marked = view.locator('.code-line[data-described]');
  await marked.first().waitFor();
  expect((await marked.allTextContents()).join('')).toBe(`${rows.trimEnd().replace('.trim()', '.trimEnd()')}\n`);
  expect(await view.locator('.code-line').first().textContent()).toBe('// Rows.\n');
  expect(await view.getByRole('textbox').count()).toBe(0);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  if (process.env.STEMMA_PICTURE !== undefined) await page.screenshot({ path: `${process.env.STEMMA_PICTURE}.code.png` });
  await page.keyboard.press('Escape');
  await view.waitFor({ state: 'detached' });
  expect(frames.filter((frame) => frame.includes(token))).toEqual([]);
});

/** Anchors the document to a declaration of the linked repository, by the picker. */
async function anchorToEngine(page: Page): Promise<void> {
  await openDocument(page, 'one.md');
  await editorOf(page).click();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('anchor to code');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Anchor to code' });
  await dialog.getByLabel('Code of').selectOption('engine');
  await dialog.getByRole('combobox', { name: 'File' }).fill('rows');
  await dialog.getByRole('option', { name: 'src/rows.ts' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: 'Declaration' }).fill('rr');
  await dialog.getByRole('region', { name: 'Preview of function readRows' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('one.md is anchored to function readRows.').waitFor();
}

async function fetchAgain(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('linked repos');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Linked repositories' });
  const before = await dialog.getByText(/^At [0-9a-f]{12}, fetched/u).textContent();
  await dialog.getByRole('button', { name: 'Fetch engine' }).press('Enter');
  await expect.poll(() => dialog.getByText(/^At [0-9a-f]{12}, fetched/u).textContent()).not.toBe(before);
  await page.keyboard.press('Escape');
}
