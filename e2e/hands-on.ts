import type { Locator, Page } from 'playwright-core';
import { openDocument, runCommand } from './writer.ts';

/** What the stories of boxes do again and again in one page. */
export const handsOn = (page: Page) => ({
  press: async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  },
  button: (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name, exact: true }),
  box: (name: string) => page.getByRole('dialog', { name }),
  /** Puts away what lies over the window, and asks for a command by its name. */
  command: async (title: string) => {
    await page.keyboard.press('Escape');
    await page.locator('.overlay').waitFor({ state: 'detached' });
    await runCommand(page, title);
  },
  opened: async (path: string) => {
    await page.keyboard.press('Escape');
    await page.locator('.overlay').waitFor({ state: 'detached' });
    await openDocument(page, path);
  },
});
