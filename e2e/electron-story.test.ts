import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningElectron, runtimes } from './electron-app.ts';
import { type Book, createBook, isReady, openDocument, rowOf, save, statusOf, typeAtEnd } from './writer.ts';

const ines = '# Ines\r\n\r\nInes is left-handed and hides it in company.\r\n';
const ferry = '# The Ferry\n\nInes held the rail with her right hand and wrote with her left.\n';
const [source, chapter] = ['bible/ines.md', 'chapters/01-the-ferry.md'];

describe.each(runtimes)('the first steps of a writer in $name', ({ reason, launch }) => {
  let book: Book;
  let app: RunningElectron;
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
    book = createBook({ [source]: ines, [chapter]: ferry });
  });
  afterEach(async () => {
    await app?.dispose();
    book?.dispose();
  });

  it('go from the setting over a save to the row of a chapter whose source was edited, opened by the menu', async () => {
    app = await launch(book.folder, { home: book.home });
    const page = await app.window('/');
    await isReady(page);

    await page.keyboard.press('ControlOrMeta+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('switch', { name: 'Insert identity block on save' }).focus();
    await page.keyboard.press('Space');
    await settings.getByRole('button', { name: 'Close' }).click();
    await statusOf(page).getByText('Provenance on').waitFor();
    expect(existsSync(join(book.folder, '.vmark'))).toBe(false);

    await openDocument(page, source);
    await typeAtEnd(page, 'She never learned to swim.\n');
    await save(page);
    const id = /^ {2}id: (\S+)\r$/mu.exec(book.text(source))?.[1];
    const block = `---\r\nvmark:\r\n  id: ${id}\r\n---\r\n`;
    expect(book.bytes(source)).toEqual(Buffer.from(`${block}${ines}She never learned to swim.\r\n`));
    expect(book.text(chapter)).toBe(ferry);

    book.stemma.json('record', 'record', chapter, '--from', source, '--agent', 'model:drafter');
    book.write(source, book.text(source).replace('left-handed', 'right-handed'));
    await app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('window.coherence-breakdown')!.click());
    const breakdown = await app.window('/breakdown');
    await rowOf(breakdown, chapter, source, 'changed').waitFor();
  });
});
