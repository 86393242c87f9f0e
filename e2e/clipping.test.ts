import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDialogStage } from './dialog-screens.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { isStill, type Screen, screenBook, screensOf } from './screens.ts';
import type { Book } from './writer.ts';

/** Every word of the window 40 % longer, as in a language of long words; what the writer wrote stays. */
const longWords = '*:not(.cm-content, .cm-content *, .unseen, .unseen *) { letter-spacing: 0.21em !important; }';

/** Runs in the page: the texts that are cut, or that run out of what they stand in. What scrolls is not cut; names of files may end in dots. */
function cutTexts(): string[] {
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const ownText = (element: Element) =>
    Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '');
  const cut: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (
      !ownText(element) ||
      !isSeen(element) ||
      element.closest('.unseen, .bd-hidden, .cm-content, .reading, .code-preview, [aria-hidden=true], option, datalist')
    )
      continue;
    const { overflowX, textOverflow } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis') continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    let problem = '';
    if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
      problem = `${element.scrollWidth} in ${element.clientWidth}`;
    for (let around = element.parentElement; around !== null && problem === ''; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (/auto|scroll/.test(style.overflowX) || style.textOverflow === 'ellipsis') break;
      const box = around.getBoundingClientRect();
      if (style.overflowX !== 'visible' && (text.right > box.right + 1 || text.left < box.left - 1)) problem = `cut by ${around.className}`;
    }
    if (problem === '' && text.right > innerWidth + 1) problem = 'out of the window';
    if (problem !== '') cut.push(`${element.tagName}.${element.className} “${element.textContent?.trim().slice(0, 40)}”: ${problem}`);
  }
  return cut;
}

/** The texts that are cut in any of the screens. */
async function cutIn(page: Page, screens: readonly Screen[]): Promise<string[]> {
  await page.addStyleTag({ content: longWords });
  const found = new Set<string>();
  for (const [name, show] of screens) {
    await show();
    for (const problem of await page.evaluate(cutTexts)) found.add(`${name}: ${problem}`);
  }
  return [...found];
}

describe('words that are 40 % longer', () => {
  let book: Book | undefined;
  let app: RunningBrowser | undefined;
  afterEach(async () => {
    await app?.stop();
    book?.dispose();
  });

  it.each([1600, 800])(
    'are cut nowhere in a window of %i pixels',
    async (width) => {
      book = screenBook();
      app = await launchBrowser(book.folder, { home: book.home });
      const { page } = app;
      page.setDefaultTimeout(15_000);
      await page.setViewportSize({ width, height: 840 });
      await isStill(page);
      expect(await cutIn(page, screensOf(page, book))).toEqual([]);
    },
    240_000,
  );

  it.each([1600, 800])(
    'are cut in no box of a window of %i pixels',
    async (width) => {
      const stage = await openDialogStage(width);
      onTestFinished(stage.stop);
      expect(await cutIn(stage.page, stage.screens)).toEqual([]);
    },
    240_000,
  );
});
