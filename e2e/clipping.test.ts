import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDialogStage } from './dialog-screens.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { cutTexts, pseudoLocale, pseudoWord } from './pseudo-locale.ts';
import { isStill, type Screen, screenBook, screensOf } from './screens.ts';
import type { Book } from './writer.ts';

/** The texts that are cut in any of the screens. */
async function cutIn(page: Page, screens: readonly Screen[]): Promise<string[]> {
  const locale = pseudoLocale();
  const found = new Set<string>();
  for (const [name, show] of screens) {
    await show();
    for (const problem of await page.evaluate(cutTexts, locale)) found.add(`${name}: ${problem}`);
  }
  return [...found];
}

describe('the pseudo-locale', () => {
  it('has every word of the catalogues, at least 40 % longer, with other letters', () => {
    const { words, texts } = pseudoLocale();
    expect(texts.length).toBeGreaterThan(500);
    for (const [word, pseudo] of Object.entries(words)) {
      expect([...pseudo].length).toBeGreaterThanOrEqual(word.length * 1.4);
      expect(pseudo).not.toBe(word);
    }
    expect(pseudoWord('save')).toBe('šäävéé');
  });
});

describe('words of the pseudo-locale', () => {
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
