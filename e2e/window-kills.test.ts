import { expect, it } from 'vitest';
import { killWindows } from './window-kills.ts';

it('a page, a core and an app that are killed while somebody types lose nothing older than a second', { timeout: 180_000 }, async () => {
  const { kills, words } = await killWindows(6, 7);
  expect(kills.page + kills.core + kills.app).toBe(6);
  expect(words).toBeGreaterThan(0);
});
