import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, linkBeside, openDocument, statusOf } from './writer.ts';

const prose = 'Ines wrote with her left hand while Marcus held the rope of the small grey boat at the pier.';
const mixed = Array.from({ length: 15_000 }, (_, at) =>
  [`## Part ${at}`, `${prose} **Bold** and [a link](x.md).`, '- item', ''].join('\n'),
).join('\n');
const formulas = Array.from({ length: 750 }, (_, at) => `Line ${at} with $x_{${at}}^2 + y$ in it.\n`).join('\n');

const pictures = Array.from({ length: 50 }, (_, at) => `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="${620 + at}"/>`);

/** What people reported of other editors (docs/field-reports.md): the scenario, and what is right. */
describe('a report from the field', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({
      'mixed.md': mixed,
      'words.md': `# Novel\n\n${`${prose} `.repeat(1100)}\n\nlast paragraph\n`,
      'formulas.md': formulas,
      'autosave.md': '# Log\n\n',
      'stream.md': `${Array.from({ length: 300 }, (_, at) => `Paragraph ${at}. ${prose}`).join('\n\n')}\n`,
      'touched.md': '# Touched\n\n',
      'long.md': Array.from({ length: 3000 }, (_, at) => `Line ${at} of the log.\n`).join(''),
      'accents.md': 'Go to [the caf\u00e9](caf\u00e9.md) now.\n',
      'cafe\u0301.md': '# Caf\u00e9\n\nBehind the counter.\n',
      'task.md': 'Before.\n\n| a | b |\n| --- | --- |\n| text<br>- [ ] task | `x \\| y` and z \\| w |\n',
      'hebrew.md': '- פריט ראשון\n- פריט שני\n',
      'arabic.md': 'Latin words شهر جميل على البحر\n',
      'bold.md': '**bold**\n\n[[marcus]] end\n',
      'marcus.md': '# Marcus\n',
      'tall.md': `${pictures.map((_, at) => `Plate ${at}.\n\n![plate](plates/${at}.svg)\n`).join('\n')}\nThe end.\n`,
      ...Object.fromEntries(pictures.map((picture, at) => [`plates/${at}.svg`, picture])),
      'renamed.md': `${Array.from({ length: 200 }, (_, at) => `Paragraph ${at}. ${prose}`).join('\n\n')}\n`,
    });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const type = (text: string) => page.keyboard.type(text);
  const isWritten = (path: string, text: string) => expect.poll(() => book.text(path), { timeout: 15_000 }).toBe(text);
  const goToLine = async (line: number) => {
    await press('Alt+G');
    await type(String(line));
    await press('Enter');
    await editorOf(page).and(page.locator(':focus')).waitFor();
  };

  it('FR-063, FR-065: a novel of 20,000 words takes dots at its end and bold in its middle', async () => {
    await openDocument(page, 'words.md');
    await press('ControlOrMeta+End', 'ArrowLeft');
    await type('...');
    await press('ControlOrMeta+ArrowLeft', 'ControlOrMeta+ArrowLeft', 'ControlOrMeta+B');
    await expect.poll(() => book.text('words.md').slice(-30), { timeout: 15_000 }).toContain('**');
    expect(book.text('words.md').replaceAll('**', '')).toMatch(/last paragraph\.\.\.\n$/u);
  });

  it('FR-064: 60,000 lines take a word in their middle', async () => {
    await openDocument(page, 'mixed.md');
    await goToLine(30_002);
    await press('End', 'End');
    await type(' typed here');
    await isWritten('mixed.md', mixed.replace(/(?<=## Part 7500\n.*)(?=\n- item)/u, ' typed here'));
  });

  it('FR-071: among 750 formulas keys keep their order', async () => {
    await openDocument(page, 'formulas.md');
    await goToLine(701);
    await press('End');
    await type('abc');
    await press('Backspace', 'Enter');
    await type('de');
    await press('Backspace', 'Backspace', 'Backspace');
    await type('f');
    await isWritten('formulas.md', formulas.replace('Line 350 with $x_{350}^2 + y$ in it.', 'Line 350 with $x_{350}^2 + y$ in it.abf'));
  });

  it('FR-091: a word that is typed over an autosave is whole, and the cursor follows it', async () => {
    await openDocument(page, 'autosave.md');
    await press('ControlOrMeta+End');
    await type('incompre');
    await isWritten('autosave.md', '# Log\n\nincompre');
    await type('hensible');
    await isWritten('autosave.md', '# Log\n\nincomprehensible');
    await statusOf(page).getByText('Ln 3, Col 17').waitFor();
  });

  it('FR-006: what is typed without a pause for a minute is whole, though the file is touched after each of its saves', async () => {
    await openDocument(page, 'touched.md');
    await press('ControlOrMeta+End');
    const place = join(book.folder, 'touched.md');
    let [touched, last] = [0, book.text('touched.md')];
    // A helper of a sync client: it sets other times.
    const helper = setInterval(() => {
      const now = book.text('touched.md');
      if (now === last) return;
      last = now;
      touched++;
      utimesSync(place, 1_700_000_000 + touched, 1_700_000_000 + touched);
    }, 20);
    const words = Array.from({ length: 96 }, (_, at) => `w${String(at).padStart(2, '0')}.`);
    for (const [at, word] of words.entries()) {
      await page.keyboard.type(word, { delay: 125 });
      if (at % 2 === 1) await press('ControlOrMeta+S');
    }
    await isWritten('touched.md', `# Touched\n\n${words.join('')}`);
    clearInterval(helper);
    expect(touched).toBeGreaterThan(5);
    expect(await page.getByRole('region', { name: 'Changed outside' }).count()).toBe(0);
    await editorOf(page).getByText(words.join('')).waitFor();
  });

  it('FR-044: what is written in another file moves neither the page nor the cursor', async () => {
    await openDocument(page, 'long.md');
    await goToLine(1501);
    await expect.poll(async () => (await topLine()).text).toMatch(/^Line 14\d\d/u);
    const before = await topLine();
    book.write('marcus.md', '# Marcus\n\nFrom outside.\n');
    book.write('long-notes.md', '# New\n');
    await page.getByRole('row', { name: 'long-notes.md' }).waitFor();
    expect(await topLine()).toEqual(before);
    await statusOf(page)
      .getByText(/^Ln 1.?501, Col 1$/u)
      .waitFor();
  });

  it('FR-146: a link in one form of a name opens the file that has the other, and nothing new is made', async () => {
    await openDocument(page, 'accents.md');
    const before = readdirSync(book.folder).length;
    await page
      .locator('.editor-host .cm-line', { hasText: 'the caf\u00e9' })
      .getByText('the caf\u00e9')
      .click({ modifiers: ['ControlOrMeta'] });
    await editorOf(page).getByText('Behind the counter.').waitFor();
    await press('ControlOrMeta+End');
    await type('More.');
    await isWritten('cafe\u0301.md', '# Caf\u00e9\n\nBehind the counter.\nMore.');
    expect(readdirSync(book.folder)).toHaveLength(before);
  });

  it('FR-073: among fifty tall pictures the end is where one goes to', async () => {
    await openDocument(page, 'tall.md');
    await press('ControlOrMeta+End');
    const scroller = page.locator('.editor-host .cm-scroller');
    /** How far below the top of what is seen a line stands; null where it is not drawn. */
    const topOf = (words: string) =>
      scroller.evaluate((element, wanted) => {
        const line = [...element.querySelectorAll('.cm-line')].find((one) => one.textContent === wanted);
        return line === undefined ? null : line.getBoundingClientRect().top - element.getBoundingClientRect().top;
      }, words);
    const isSeen = async (words: string) => {
      const top = await topOf(words);
      return top !== null && top > 0 && top < (await scroller.evaluate(({ clientHeight }) => clientHeight));
    };
    const isDrawn = () =>
      scroller.evaluate((element) =>
        [...element.querySelectorAll<HTMLImageElement>('.cm-picture img')].every((image) => image.complete && image.height > 500),
      );
    await expect.poll(async () => (await isDrawn()) && isSeen('The end.')).toBe(true);
  });

  it('FR-074, FR-026: lines that another program puts in near the end move nothing of what is seen', async () => {
    await openDocument(page, 'stream.md');
    await press('ControlOrMeta+End');
    const lineAt = () =>
      page.locator('.editor-host .cm-scroller').evaluate((scroller) => {
        const { top } = scroller.getBoundingClientRect();
        const line = [...scroller.querySelectorAll('.cm-line')].find(
          (one) => one.getBoundingClientRect().bottom > top + 40 && one.textContent !== '',
        );
        return { text: (line?.textContent ?? '').slice(0, 14), top: Math.round((line?.getBoundingClientRect().top ?? 0) - top) };
      });
    await expect.poll(async () => (await lineAt()).text).toMatch(/^Paragraph 2[89]/u);
    const before = await lineAt();
    const added = Array.from({ length: 10 }, (_, at) => `See [[marcus]] ${at}.`).join('\n\n');
    book.write('stream.md', `${book.text('stream.md')}\n${added}\n`);
    await editorOf(page).getByText('See marcus 0.').waitFor({ state: 'attached' });
    const after = await lineAt();
    expect(after.text).toBe(before.text);
    expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(2);
  });

  /** The first line with words that is seen, and how far below the top it stands. */
  const topLine = () =>
    page.locator('.editor-host .cm-scroller').evaluate((scroller) => {
      const { top } = scroller.getBoundingClientRect();
      const line = [...scroller.querySelectorAll('.cm-line')].find(
        (one) => one.getBoundingClientRect().top > top && /\d/u.test(one.textContent ?? ''),
      );
      return { text: (line?.textContent ?? '').slice(0, 14), top: Math.round((line?.getBoundingClientRect().top ?? 0) - top) };
    });

  it('FR-094: a document that is renamed in the tree keeps its place', async () => {
    await openDocument(page, 'renamed.md');
    await goToLine(201);
    await expect.poll(async () => (await topLine()).text).toMatch(/^Paragraph (8|9)\d/u);
    const before = await topLine();
    await page.locator('.node', { hasText: 'renamed.md' }).focus();
    await press('F2');
    await page.keyboard.type('called');
    await press('Enter');
    await page.getByRole('tab', { name: 'called.md', selected: true }).waitFor();
    expect(await topLine()).toEqual(before);
  });

  it('FR-110, FR-108: a table with a task, escaped bars and code is the same after every mode', async () => {
    const before = book.text('task.md');
    await openDocument(page, 'task.md');
    await press('ControlOrMeta+/', 'ControlOrMeta+E', 'ControlOrMeta+E', 'ControlOrMeta+/', 'ControlOrMeta+/', 'ControlOrMeta+/');
    await statusOf(page).getByRole('button', { name: 'Shown as: Live preview. Change' }).waitFor();
    await press('ControlOrMeta+S');
    const { call, close } = await linkBeside(page);
    await call('workspace/files', {});
    close();
    expect(book.text('task.md')).toBe(before);
  });

  it('FR-103: the cursor goes on from line to line in a Hebrew list', async () => {
    await openDocument(page, 'hebrew.md');
    await press('ControlOrMeta+Home', 'End', 'ArrowLeft', 'ArrowLeft');
    await statusOf(page)
      .getByText(/^Ln 2, Col [1-4]$/u)
      .waitFor();
  });

  it('FR-104: a click in Arabic behind Latin words puts the cursor there, and typing goes there', async () => {
    await openDocument(page, 'arabic.md');
    const place = await editorOf(page)
      .locator('.cm-line')
      .first()
      .evaluate((line) => {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = node.textContent?.indexOf('جميل') ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at + 1);
          range.setEnd(node, at + 2);
          const { left, top, width, height } = range.getBoundingClientRect();
          return { x: left + width / 2, y: top + height / 2 };
        }
        return null;
      });
    await page.mouse.click(place!.x, place!.y);
    await expect
      .poll(() =>
        statusOf(page)
          .getByText(/^Ln 1, Col (18|19)$/u)
          .count(),
      )
      .toBe(1);
    await type('ا');
    await expect.poll(() => book.text('arabic.md'), { timeout: 15_000 }).toMatch(/^Latin words شهر ج(ام|ما)يل على البحر\n$/u);
  });

  it('FR-097, FR-098: composing beside bold and inside a link by name leaves the neighbours as they are', async () => {
    await openDocument(page, 'bold.md');
    const session = await page.context().newCDPSession(page);
    const compose = async (steps: readonly string[], last: string) => {
      for (const text of steps)
        await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
      await session.send('Input.insertText', { text: last });
    };
    await press('ControlOrMeta+Home', 'End');
    await compose(['ㅎ', '하', '한'], '한');
    await press('ArrowDown', 'ArrowDown', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    await compose(['ni', 'nih', '你'], '你好');
    await expect.poll(() => book.text('bold.md'), { timeout: 15_000 }).toMatch(/^\*\*bold\*\*한\n\n\[\[m?a?r?你好m?a?r?cus\]\] end\n$/u);
  });
});
