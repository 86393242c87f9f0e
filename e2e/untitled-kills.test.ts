import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../test/helpers/kills.ts';
import { useMortalWindow } from './mortal.ts';
import { editorOf, saveNothingUnasked, tabOf } from './writer.ts';

/** How many kills, and from which seed; more by hand. */
const count = Number(process.env.STEMMA_KILLS ?? 6);
const seed = Number(process.env.STEMMA_SEED ?? 7);
/** What was typed last may be lost, if it is not older than this, in ms; on a busy machine not older than this and what a word took at most. */
const grace = 1000;

describe('what is typed into a document without a file', () => {
  const mortal = useMortalWindow({ 'a.md': '# A\n' });
  let page: Page;
  beforeAll(async () => {
    ({ page } = mortal);
    await saveNothingUnasked(page);
  });

  /** How long the page took at most to take a word, in ms: how busy the machine was. */
  let slowest = 0;
  const begin = async () => {
    await page.keyboard.press('Alt+Shift+N');
    await tabOf(page, 'Untitled').waitFor();
    await editorOf(page).and(page.locator(':focus')).waitFor();
  };
  const typeUntil = async (turn: number, typed: { word: string; at: number }[], isOver: () => boolean) => {
    for (let at = 0; !isOver(); at++) {
      const word = `k${turn}w${at} `;
      const one = { word, at: Number.POSITIVE_INFINITY };
      typed.push(one);
      const sent = performance.now();
      await page.keyboard.type(word);
      one.at = performance.now();
      slowest = Math.max(slowest, one.at - sent);
      await setTimeout(40);
    }
  };

  it(`is there after ${count} kills at any moment, but for the last second`, { timeout: 60_000 + count * 30_000 }, async () => {
    const random = createRandom(seed);
    let before = '';
    for (let turn = 0; turn < count; turn++) {
      const victim = random() < 0.4 ? 'all' : 'page';
      const typed: { word: string; at: number }[] = [];
      if (turn === 0) await begin();
      await page.keyboard.press('ControlOrMeta+End');
      let isOver = false;
      const typing = typeUntil(turn, typed, () => isOver).catch(() => null);
      await setTimeout(300 + random() * 2500);
      const killed = performance.now();
      await mortal.kill(victim);
      isOver = true;
      await typing;
      await mortal.openAgain();
      ({ page } = mortal);
      const list = page.getByRole('dialog', { name: 'Recovered texts' });
      const tab = tabOf(page, 'Untitled');
      await list.or(tab).first().waitFor();
      if ((await list.count()) > 0) await list.getByRole('button', { name: /^Open (?:it|all)$/u }).click();
      await list.waitFor({ state: 'detached' });
      // Killed before anything was kept, it is as it was left before.
      if ((await tab.count()) === 0) await begin();
      await editorOf(page).and(page.locator(':focus')).waitFor();
      const text = (await editorOf(page).locator('.cm-line').allTextContents()).join('\n');
      const all = before + typed.map(({ word }) => word).join('');
      const must = before + typed.flatMap(({ word, at }) => (at < killed - grace - slowest ? [word] : [])).join('');
      expect(all.startsWith(text.trimEnd()), `kill ${turn}: ${text.slice(-60)}`).toBe(true);
      expect(text.length, `kill ${turn}: ${must.length - text.length} characters are gone`).toBeGreaterThanOrEqual(must.trimEnd().length);
      before = text.endsWith(' ') || text === '' ? text : `${text} `;
      if (before !== text) await page.keyboard.press('ControlOrMeta+End').then(() => page.keyboard.type(' '));
    }
    expect(before.length).toBeGreaterThan(0);
  });
});
