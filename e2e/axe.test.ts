import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDialogStage } from './dialog-screens.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { isStill, screenBook, screensOf } from './screens.ts';
import { type Book, statusOf } from './writer.ts';

/** What axe finds that is serious. */
async function findings(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme });
  // There are no frames; looking for them takes a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  // Only colours depend on the theme.
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations, passes } = await axe.analyze();
  expect(passes.length).toBeGreaterThan(0);
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return grave.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)]);
}

describe('axe', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = screenBook();
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isStill(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  it('finds nothing serious in any screen, light and dark', async () => {
    for (const [name, show] of screensOf(page, book)) {
      await show();
      expect(await findings(page, 'light'), name).toEqual([]);
      expect(await findings(page, 'dark'), name).toEqual([]);
    }
  }, 240_000);

  it('finds nothing serious in the Spanish window', async () => {
    await statusOf(page).getByRole('button', { name: 'English' }).click();
    await page.getByRole('radio', { name: 'Español' }).click();
    await page.getByRole('dialog', { name: 'Ajustes' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await findings(page, 'light')).toEqual([]);
  });

  it('finds nothing serious in any box, light and dark', async () => {
    const stage = await openDialogStage();
    onTestFinished(stage.stop);
    const found: unknown[] = [];
    for (const [name, show] of stage.screens) {
      await show();
      for (const theme of ['light', 'dark'] as const)
        for (const finding of await findings(stage.page, theme)) found.push([name, theme, ...finding]);
    }
    expect(found).toEqual([]);
  }, 240_000);
});
