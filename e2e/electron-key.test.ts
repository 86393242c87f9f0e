import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningElectron, runtimes } from './electron-app.ts';
import { type Book, createBook, isReady } from './writer.ts';

const canary = 'sk-canary-0123456789abcdef';

describe.each(runtimes)('a key in $name', ({ reason, launch }) => {
  let book: Book;
  let app: RunningElectron;
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
    book = createBook({ 'a.md': '# A\n' });
  });
  afterEach(async () => {
    await app?.dispose();
    book?.dispose();
  });

  /** What holds the key as it is, of the folder and of the app data. */
  function filesWithCanary(): string[] {
    const files = [book.home, book.folder].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    return files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file, 'latin1').includes(canary));
  }

  it('is sealed by the secret store of the system, and in no file as it is', async () => {
    app = await launch(book.folder, { home: book.home });
    const page = await app.window('/');
    await isReady(page);
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('button', { name: 'AI', exact: true }).press('Enter');
    await page.getByRole('radio', { name: 'Anthropic' }).press('Space');
    await page.getByText('Kept in the secret store of your system').waitFor();
    await page.getByLabel('Key', { exact: true }).fill(canary);
    await page.keyboard.press('Enter');
    await page.getByText('Ready to be asked.').waitFor();
    expect(existsSync(join(book.home, 'electron/secrets.json'))).toBe(true);
    expect(filesWithCanary()).toEqual([]);
  });

  it('of a repository is entered once, sealed, and forgotten again', async () => {
    book.stemma('init');
    book.stemma('repositories', 'link', 'engine', '--url', 'https://127.0.0.1:1/engine.git', '--token-env', 'STEMMA_GIT_TOKEN_ENGINE');
    app = await launch(book.folder, { home: book.home });
    const page = await app.window('/');
    await isReady(page);
    await page.keyboard.press('ControlOrMeta+Shift+P');
    await page.keyboard.type('linked repos');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Linked repositories' });
    await dialog.getByRole('button', { name: 'Allow engine' }).press('Enter');
    await dialog.getByText('STEMMA_GIT_TOKEN_ENGINE has no value in this program.').waitFor();
    await dialog.getByRole('button', { name: 'Enter the token of engine' }).press('Enter');
    await dialog.getByLabel('Token of engine').fill(canary);
    await page.keyboard.press('Enter');
    await dialog.getByText("kept in this system's secret store").waitFor();
    if (process.env.STEMMA_PICTURE !== undefined) await page.screenshot({ path: process.env.STEMMA_PICTURE });
    const sealed = join(book.home, 'electron/secrets.json');
    expect(readFileSync(sealed, 'utf8')).toContain('git.STEMMA_GIT_TOKEN_ENGINE');
    expect(filesWithCanary()).toEqual([]);
    await dialog.getByRole('button', { name: 'Forget the token of engine' }).press('Enter');
    await dialog.getByText('Enter the token once').waitFor();
    expect(readFileSync(sealed, 'utf8')).not.toContain('git.');
  });
});
