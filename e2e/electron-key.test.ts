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
    const files = readdirSync(book.home, { recursive: true, encoding: 'utf8' }).map((name) => join(book.home, name));
    const holding = files.filter(
      (file) => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file, 'latin1').includes(canary),
    );
    expect(holding).toEqual([]);
  });
});
