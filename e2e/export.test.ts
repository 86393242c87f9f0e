import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPandoc, makeDocx } from '#core/export/pandoc';
import { exportBook, pagesOf } from './fixtures/export-book.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, isReady, openDocument, statusOf } from './writer.ts';

type Printed = Window & { printed: string[] };
declare const window: Printed;

const pandoc = await findPandoc();

/** How light a drawing is where it is drawn at all, from 0 to 255: the mean of its pixels that are not clear. */
async function lightOf(page: Page, svg: string): Promise<number> {
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/svg+xml;base64,${btoa(unescape(encodeURIComponent(source)))}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 300 });
    const ink = canvas.getContext('2d')!;
    ink.drawImage(image, 0, 0, 300, 300);
    const { data } = ink.getImageData(0, 0, 300, 300);
    let [sum, count] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3]! < 128) continue;
      sum += (data[at]! + data[at + 1]! + data[at + 2]!) / 3;
      count++;
    }
    return count === 0 ? 0 : sum / count;
  }, svg);
}

describe('what is exported', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  const told = () => JSON.parse(readFileSync(join(book.home, 'told.json'), 'utf8')) as { argv: string[]; input: string };
  beforeAll(async () => {
    book = createBook({
      ...exportBook,
      'ten.md': `# Ten\n\n${'A line of a long note.\n\n'.repeat(300)}`,
      'tall.md': '# Tall\n\n![Tall](tall.svg)\n\n- פריט אחד\n- one item\n',
      'tall.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="2400"><rect width="400" height="2400" fill="#a74"/></svg>',
    });
    mkdirSync(join(book.home, 'bin'));
    const program = [
      `#!${process.execPath}`,
      "if (process.argv[2] === '--version') { console.log('pandoc 3.1.9'); process.exit(0); }",
      "const input = require('node:fs').readFileSync(0, 'utf8');",
      `require('node:fs').writeFileSync(${JSON.stringify(join(book.home, 'told.json'))}, JSON.stringify({ argv: process.argv.slice(2), input }));`,
      "process.stdout.write('PK');",
    ];
    writeFileSync(join(book.home, 'bin', 'pandoc'), program.join('\n'));
    chmodSync(join(book.home, 'bin', 'pandoc'), 0o755);
    app = await launchBrowser(book.folder, { home: book.home, env: { PATH: `${join(book.home, 'bin')}:${process.env.PATH}` } });
    page = app.page;
    // What would be printed is read from the frame that prints itself.
    await page.addInitScript(() => {
      window.printed = [];
      Object.defineProperty(window, 'print', {
        value: () => (window.top as unknown as Printed).printed.push(document.documentElement.outerHTML),
      });
    });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await isReady(page);
    await openDocument(page, '01-ferry.md');
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  /** Exports by the dialog; answers the file that was handed over. */
  const exported = async (...choices: string[]) => {
    await page.keyboard.press('Alt+Shift+X');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    for (const choice of choices) await dialog.getByRole('radio', { name: choice }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    await statusOf(page).getByText('among your downloads').waitFor();
    await dialog.waitFor({ state: 'detached' });
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };
  /** The exported page in a browser of its own, without a network and without scripts; and what it asked for. */
  const alone = async (html: string) => {
    const place = join(book.home, 'alone.html');
    writeFileSync(place, html);
    const context = await app.browser.newContext({ offline: true, javaScriptEnabled: false, colorScheme: 'dark' });
    const shown = await context.newPage();
    const asked: string[] = [];
    shown.on('request', (request) => asked.push(request.url()));
    await shown.goto(`file://${place}`);
    return {
      shown,
      asked: () => asked.filter((url) => !url.startsWith('data:') && !url.startsWith('file:')),
      close: () => context.close(),
    };
  };

  it('as a web page validates, holds no script, no identity and no frontmatter, and opens alone', async () => {
    const { name, text } = await exported('Web page');
    expect(name).toBe('The Salt Road.html');
    const { results } = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(text);
    expect(results.flatMap(({ messages }) => messages)).toEqual([]);
    expect(text).not.toMatch(/<script|onclick|vmark|01998f2e|lang: en/iu);
    expect(text).toContain('<html lang="en-GB">');
    const { shown, asked, close } = await alone(text);
    expect(asked()).toEqual([]);
    expect(await shown.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await shown.locator('math').count()).toBe(2);
    const bare = (rows: Element[]) => rows.flatMap((row) => [...row.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE));
    expect(await shown.locator('math mrow').evaluateAll(bare)).toEqual([]);
    expect(await shown.getByRole('link', { name: 'far' }).getAttribute('href')).toBe('https://example.org/x.png');
    const drawings = Array.from(text.matchAll(/image\/svg\+xml;base64,([^"]*)/gu), ([, part]) =>
      Buffer.from(part!, 'base64').toString('utf8'),
    );
    expect(drawings).toHaveLength(2);
    for (const drawing of drawings) expect(drawing).not.toMatch(/<script|\sonload=/iu);
    // FR-170: the window is dark here, and the diagram has dark lines on what is light.
    const diagram = drawings.find((drawing) => drawing.includes('Boat'))!;
    expect(await lightOf(page, diagram)).toBeGreaterThan(180);
    await close();
  });

  it('is dark ink on white paper, also when the window is dark, and has every page', async () => {
    await openDocument(page, 'ten.md');
    const { text } = await exported('Web page');
    const { shown, close } = await alone(text);
    const [ink, paper] = await shown.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body);
      return [color, backgroundColor].map((one) => Number(/\d+/u.exec(one)?.[0]));
    });
    expect(ink).toBeLessThan(80);
    expect(paper).toBeGreaterThan(240);
    expect(pagesOf(await shown.pdf({ format: 'A5' }))).toBeGreaterThanOrEqual(10);
    await close();
    await openDocument(page, '01-ferry.md');
  });

  it('has a picture that is higher than the paper on one page, and the mark of each line of a list at its own side', async () => {
    await openDocument(page, 'tall.md');
    const { text } = await exported('Web page');
    const { shown, close } = await alone(text);
    expect(pagesOf(await shown.pdf({ format: 'A5' }))).toBeLessThanOrEqual(3);
    const edges = (selector: string) =>
      shown.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]));
    const [[listLeft, listRight] = []] = await edges('ul');
    const [[hebrewLeft, hebrewRight] = [], [latinLeft, latinRight] = []] = await edges('li');
    expect([hebrewLeft, latinRight]).toEqual([listLeft, listRight]);
    expect(listRight! - hebrewRight!).toBe(latinLeft! - listLeft!);
    await close();
    await openDocument(page, '01-ferry.md');
  });

  it('of several documents is one, in which links and footnotes lead where they should', async () => {
    const { text } = await exported('Several documents as one');
    const { shown, close } = await alone(text);
    const ids = await shown.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    await shown.getByRole('link', { name: 'the letter' }).click();
    expect(await shown.locator(':target').textContent()).toBe('The answer');
    await shown.getByRole('link', { name: 'back', exact: true }).click();
    expect(await shown.locator(':target h1').first().textContent()).toBe('The Ferry');
    expect(await shown.locator('[data-footnote-ref]').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      '#c1-fn-1',
      '#c2-fn-1',
    ]);
    await close();
  });

  it('as a Word document is Pandoc’s work, which has the footnotes as such', async () => {
    const { name, text } = await exported('Word document');
    expect([name, text]).toEqual(['The Salt Road.docx', 'PK']);
    expect(told().argv).toEqual(['--from=html+epub_html_exts', '--to=docx', '--standalone', '--output=-']);
    expect(told().input).toContain('epub:type="noteref"');
    expect(told().input).not.toMatch(/vmark|<script/u);
  });

  it.skipIf(pandoc.kind === 'none')('is a Word document that Pandoc reads again, where this machine has Pandoc', async () => {
    const made = await makeDocx(told().input);
    expect(made).toMatchObject({ kind: 'made' });
    const file = join(book.home, 'road.docx');
    writeFileSync(file, Buffer.from(made.kind === 'made' ? made.bytes : '', 'base64'));
    const again = execFileSync('pandoc', ['--from=docx', '--to=gfm', file], { encoding: 'utf8' });
    expect(again).toMatch(/^# The Ferry$/mu);
    expect(again).toMatch(/^\[\^1\]: /mu);
    expect(again).toMatch(/<img src="media\/|!\[[^\]]*\]\(media\//u);
    expect(again).not.toMatch(/vmark|lang: en/u);
  });

  it('by the print dialog has what was folded away, and nothing of the window', async () => {
    await page.keyboard.press('Alt+Shift+P');
    await expect.poll(() => page.evaluate(() => window.printed.length)).toBe(1);
    const [printed = ''] = await page.evaluate(() => window.printed);
    expect(printed).toContain('<details open');
    expect(printed).not.toContain('01-ferry.md');
  });

  it('on the clipboard is HTML, of the selection too', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('textbox', { name: 'Text of the document' }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Alt+Shift+H');
    await statusOf(page).getByText('Copied as HTML').waitFor();
    const source = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return (await item!.getType('text/html')).text();
    });
    expect(source).toContain('The Ferry</h1>');
    expect(source).not.toMatch(/vmark|Salt Road/u);
  });
});
