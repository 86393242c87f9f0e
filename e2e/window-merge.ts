import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Document, Scene } from './window-scene.ts';

/** Where the writer's text and another program's are merged. */
export const mergeOf = (page: Page) => page.getByRole('region', { name: 'Merge' });

/** Opens the merge of the document in front; false where there is nothing to merge. */
export async function openMerge(page: Page): Promise<boolean> {
  const button = page.getByRole('region', { name: 'Changed outside' }).getByRole('button', { name: 'Merge…', exact: true });
  const isThere = await button.waitFor({ timeout: 2000 }).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  await button.click();
  await mergeOf(page).waitFor();
  return true;
}

/**
 * Chooses something for each place of the merge that is open, now and then while somebody writes again, and takes the
 * result or leaves. Words that a result does not have were given up.
 */
export async function mergeAtRandom({ running: { page }, random, report }: Scene, { typed }: Document, writeAgain?: () => void) {
  const merge = mergeOf(page);
  const places = merge.locator('.merge-place');
  for (let at = 0; at < (await places.count()); at++) {
    const options = places.nth(at).locator('.merge-option');
    await options.nth(Math.floor(random() * (await options.count()))).click();
    await setTimeout(100 + random() * 500);
    if (random() < 0.1) writeAgain?.();
  }
  if (random() < 0.2) {
    await page.keyboard.press('Escape');
    await merge.waitFor({ state: 'detached' });
    return;
  }
  const result = (await merge.getByRole('region', { name: 'Result' }).textContent()) ?? '';
  const givenUp = typed.filter(({ word, givenUpAt }) => givenUpAt === null && !result.includes(word));
  // Before it is asked for: it may be taken already when the answer is lost.
  for (const one of givenUp) one.givenUpAt = Number.POSITIVE_INFINITY;
  await page.keyboard.press('ControlOrMeta+Enter');
  const isTaken = await merge.waitFor({ state: 'detached', timeout: 1000 }).then(
    () => true,
    () => false,
  );
  for (const one of givenUp) one.givenUpAt = isTaken ? performance.now() : null;
  if (isTaken) report.taken++;
  // Somebody wrote again, and there is more to choose.
  else await page.keyboard.press('Escape');
}
