import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinText, split } from '#renderer/editor/line-breaks.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, linkBeside, openDocument, statusOf, tabOf, typeAtEnd } from './writer.ts';

/** Whether all files are tried (`npm run test:long`); a part of them otherwise. */
const isEverything = process.env.STEMMA_ALL !== undefined;
const found = globSync('node_modules/**/*.md')
  .sort()
  .filter((_, at) => isEverything || at % 3 === 0);

/** Texts as people have them, and as an editor that is careless would not leave them. */
const made: Readonly<Record<string, string | Buffer>> = {
  'crlf.md': '# A\r\n\r\nb\r\n',
  'mixed.md': 'a\r\nb\nc\r\nd\re\n\r\nf\r\r\n',
  'lone-cr.md': 'a\rb\rc',
  'bom.md': '\ufeff# With a mark\r\n',
  'two-boms.md': '\ufeff\ufefftext\n',
  'no-end.md': '# No final newline',
  'many-ends.md': 'text\n\n\n\n',
  'tabs.md': '\t- a\n\t\t- b  \n \t c\t\n',
  'decomposed.md': 'cafe\u0301 \u1100\u1161\u11a8 A\u030a\n',
  'emoji.md': '👩‍👩‍👧‍👦 🇪🇸 ✍🏽 𝕬\n',
  'odd-signs.md': 'a\u2028b\u2029c\u0085d\u000be\u000cf\u0000g\n',
  'front.md': '---\r\ntitle:   "Kept"   # as it is\r\n\r\ntags: [a,b]\r\n---\r\n\r\nText\r\n',
  'empty.md': '',
  'five-megabytes.md': `# Long\r\n\r\n${'The quick brown fox jumps over the lazy dog. \r\n'.repeat(109_000)}`,
};

describe('a text that nobody edited', () => {
  let book: Book;
  let app: RunningBrowser;
  const real = new Map(found.map((path, at) => [`real/${at}-${path.split('/').at(-2)}.md`, readFileSync(path)]));
  const originals = new Map([...real, ...Object.entries(made).map(([path, text]) => [path, Buffer.from(text)] as const)]);
  beforeAll(async () => {
    book = createBook(Object.fromEntries(originals));
    app = await launchBrowser(book.folder, { home: book.home });
    await isReady(app.page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const changed = () => [...originals].filter(([path, bytes]) => !book.bytes(path).equals(bytes)).map(([path]) => path);

  it('is one of 300 real ones, or of those with everything that can go wrong', () => {
    expect(found.length).toBeGreaterThanOrEqual(300);
    expect(originals.size).toBe(found.length + Object.keys(made).length);
    expect(originals.get('five-megabytes.md')!.length).toBeGreaterThan(5_000_000);
  });

  it('is saved with 0 bytes changed, each of them', async () => {
    const { call, close } = await linkBeside(app.page);
    const left = [...originals];
    const saveOne = async ([path, bytes]: (typeof left)[number]) => {
      const opened = await call('document/open', { path });
      if (opened.kind !== 'text') throw new Error(`${path} is no text`);
      const { doc, breaks } = split(opened.text);
      const text = joinText(doc, breaks);
      expect(Buffer.from(text).equals(bytes), path).toBe(true);
      const saved = await call('document/save', { path, text, base: opened.base, idem: v7() });
      expect(saved, path).toMatchObject({ kind: 'saved', base: opened.base, recorded: { kind: 'off' } });
    };
    while (left.length > 0) await Promise.all(left.splice(0, 8).map(saveOne));
    close();
    expect(changed()).toEqual([]);
  });

  // All 300 of them with `npm run test:long`: that takes some minutes.
  it('is the same file after each went through every mode and was saved', async () => {
    const { page } = app;
    const all = [...originals.keys()].filter((path) => !path.includes('five-megabytes')).slice(-300);
    const paths = isEverything ? all : all.filter((_, at) => at % 40 === 0);
    expect(all.length).toBe(300);
    for (const path of paths) {
      await page.evaluate(([open, root]) => new BroadcastChannel('stemma').postMessage({ open, root }), [path, book.folder] as const);
      await tabOf(page, path.slice(path.lastIndexOf('/') + 1))
        .and(page.getByRole('tab', { selected: true }))
        .waitFor();
      await statusOf(page).getByRole('button', { name: 'Shown as: Live preview. Change' }).waitFor();
      // Source, reading, back, both, back, live preview.
      for (const key of ['/', 'E', 'E', 'Shift+M', 'Shift+M', '/', 'S']) await page.keyboard.press(`ControlOrMeta+${key}`);
      await statusOf(page).getByRole('button', { name: 'Shown as: Live preview. Change' }).waitFor();
      await page.keyboard.press('Alt+Shift+W');
      await expect.poll(() => page.getByRole('tab').count()).toBe(0);
    }
    expect(changed()).toEqual([]);
  }, 600_000);

  it.each([...Object.keys(made), ...[...real.keys()].filter((_, at) => at % 100 === 0)])(
    'is the same file after an edit at the page that was taken back: %s',
    async (path) => {
      const { page } = app;
      const original = originals.get(path)!;
      if (path === 'five-megabytes.md') await openLong(page, path);
      else await openDocument(page, path);
      await page.keyboard.press('ControlOrMeta+S');
      await typeAtEnd(page, '~');
      await page.keyboard.press('ControlOrMeta+S');
      await expect.poll(() => book.bytes(path).equals(Buffer.concat([original, Buffer.from('~')]))).toBe(true);
      await page.keyboard.press('Backspace');
      await page.keyboard.press('ControlOrMeta+S');
      await expect.poll(() => book.bytes(path).equals(original)).toBe(true);
      await statusOf(page)
        .getByText(/^Saved \d\d:\d\d$/u)
        .waitFor();
      await tabOf(page, path.slice(path.lastIndexOf('/') + 1)).waitFor();
      await page.keyboard.press('Alt+Shift+W');
      await expect.poll(() => page.getByRole('tab').count()).toBe(0);
    },
  );

  it('is left alone by all that, and no ledger was begun', () => {
    expect(changed()).toEqual([]);
    expect(() => book.lines()).toThrow(/ENOENT/u);
  });
});

/** Opens a document that is asked about first. */
async function openLong(page: Page, path: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+P');
  await page.getByRole('combobox', { name: 'Go to' }).fill(path);
  await page.getByRole('option', { selected: true }).filter({ hasText: path }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open it' }).click();
  await editorOf(page).and(page.locator(':focus')).waitFor();
}
