import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';

/** How many times slower pages run, and how many milliseconds core's answers come late; a run of stories sets them to find what depends on speed. */
const { STEMMA_SLOW: times = '1', STEMMA_LATE: late = '0' } = process.env;

/** Slows all pages of a context down, those that come as well, as far as the environment asks for it. */
export function slowPages(context: BrowserContext): void {
  if (Number(times) > 1) context.on('page', (page) => void throttle(page));
}

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(times) });
}

/** What has Node answer late, where the environment asks for it: its arguments. */
export const lateAnswers: readonly string[] =
  Number(late) > 0 ? ['--import', pathToFileURL(join(import.meta.dirname, 'late-answers.ts')).href] : [];
