// `node scripts/usability.ts`: the pictures of docs/usability.md, from the book in which every state occurs. [--all] also in the other look.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { createEveryState } from '../e2e/fixtures/every-state.ts';
import { launchBrowser } from '../e2e/launch.ts';
import { isReady, linkBeside, openBreakdown } from '../e2e/writer.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const looks = process.argv.includes('--all') ? (['en-light', 'es-dark'] as const) : (['en-light'] as const);

for (const look of looks) {
  const folder = join(root, look === 'en-light' ? 'docs/screenshots' : '.tmp/usability');
  mkdirSync(folder, { recursive: true });
  const book = await createEveryState();
  const app = await launchBrowser(book.folder, { home: book.home });
  try {
    await picture(app.page, look, (name) => join(folder, `usability-${name}-${look}.png`));
  } finally {
    await app.stop();
    book.dispose();
  }
}

async function picture(page: Page, look: (typeof looks)[number], at: (name: string) => string): Promise<void> {
  const [language, theme] = look.split('-') as ['en' | 'es', 'light' | 'dark'];
  page.setDefaultTimeout(20_000);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await isReady(page);
  await openBreakdown(page);
  const { call, close } = await linkBeside(page);
  await call('settings/write', { key: 'language', value: language });
  await call('settings/write', { key: 'appearance.theme', value: theme });
  close();
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme });
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
  const shoot = (name: string) => page.screenshot({ path: at(name) });
  const row = (artifact: string, nth = 0) => page.locator(`.bd-group[aria-label="${artifact}"] .bd-row`).nth(nth);
  const open = async (artifact: string, nth = 0) => {
    await row(artifact, nth).locator('.bd-head').click();
    await row(artifact, nth).locator('.bd-doc, .bd-about').first().waitFor();
    await row(artifact, nth).scrollIntoViewIfNeeded();
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page
    .getByText(/\(\d\)|4 (?:words|palabras)/u)
    .first()
    .waitFor();
  await shoot('1-list');
  await open('chapters/01-the-ferry.md');
  await shoot('2-open');
  await press('Escape');
  await open('chapters/07-the-bank.md');
  await shoot('3-section');
  await press('s');
  await page.getByRole('option').first().waitFor();
  await shoot('4-anchor');
  await press('Escape', 'Escape');
  await open('chapters/05-marcus.md');
  await shoot('5-several-versions');
  await press('Escape');
  await row('chapters/06-two-endings.md').locator('.bd-menu-button').click();
  await page.getByRole('menuitem').first().press('Enter');
  await page.getByRole('radio').first().waitFor();
  await shoot('6-join');
  await press('Escape');
  for (const artifact of ['chapters/11-a-proof.md', 'chapters/15-later.md', 'chapters/05-marcus.md']) {
    await row(artifact).locator('.bd-head').focus();
    await press('x');
  }
  await press('a');
  await page.getByRole('dialog').waitFor();
  await shoot('7-several');
  await press('Escape', 'Escape');
  await row('chapters/15-later.md').locator('.bd-head').focus();
  await press('f');
  await page.getByRole('dialog').waitFor();
  await shoot('8-finish');
  await press('Escape');
  await row('chapters/15-later.md').locator('.bd-head').focus();
  await press('t');
  await page.getByRole('dialog').locator('li').first().waitFor();
  await shoot('9-touch');
  await press('Escape');
  for (const summary of await page.locator('.bd-folded > summary').all()) await summary.click();
  await page.locator('.bd-log').waitFor();
  await page.locator('.bd-unknown .bd-button').first().click();
  await page.locator('.bd-proposal').waitFor();
  await page.evaluate(() => document.querySelector('[data-group="silenced"]')?.scrollIntoView());
  await shoot('10-folded');
}
