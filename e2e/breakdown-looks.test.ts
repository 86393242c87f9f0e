import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { breakdownScenes } from './breakdown-scenes.ts';
import { tellBreakdownStory } from './breakdown-story.ts';
import { linkBeside } from './writer.ts';

const looks = [
  ['en', 'light'],
  ['es', 'light'],
  ['en', 'dark'],
  ['es', 'dark'],
] as const;

/** Each view in both languages and both themes: axe has nothing to say, and at 150 % no word is cut. */
describe('every view of the breakdown', () => {
  const story = tellBreakdownStory();
  const scenes = breakdownScenes({ page: () => story.page });

  const wear = async (language: string, theme: 'light' | 'dark') => {
    const { page } = story;
    const { call, close } = await linkBeside(page);
    await call('settings/write', { key: 'language', value: language });
    await call('settings/write', { key: 'appearance.theme', value: theme });
    close();
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme });
    await page.locator(`html[lang="${language}"][data-theme="${theme}"]`).waitFor({ state: 'attached' });
  };
  const findings = async () => {
    const { violations } = await new AxeBuilder({ page: story.page }).setLegacyMode(true).analyze();
    return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]);
  };
  /** Texts that are cut off or reach out of the window, but in what can be scrolled. */
  const cut = () =>
    story.page.evaluate(() => {
      const scrolls = (element: Element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
      const isHidden = (element: Element) => element.closest('.bd-hidden, [aria-hidden="true"], [data-focus-scope-start]') !== null;
      const found: string[] = [];
      for (const element of document.querySelectorAll('.bd-page *, .bd-overlay *, .bd-menu *')) {
        if (!(element instanceof HTMLElement) || element.textContent === '' || isHidden(element)) continue;
        const box = element.getBoundingClientRect();
        if (box.width === 0) continue;
        const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === 'hidden';
        const isOut = box.right > document.documentElement.clientWidth + 1;
        const isInScroller = scrolls(element) || (element.parentElement?.closest('.bd-excerpt, .bd-joined') ?? null) !== null;
        if ((isCut || isOut) && !isInScroller) found.push(`${element.className}: ${element.textContent?.slice(0, 60)}`);
      }
      const pane = document.querySelector('.bd-page')!;
      if (pane.scrollWidth > pane.clientWidth) found.push('the page scrolls sideways');
      return found;
    });

  it.each(looks)('are clean for axe, in %s and %s', { timeout: 240_000 }, async (language, theme) => {
    await wear(language, theme);
    const found: unknown[] = [];
    for (const { name, show, leave } of scenes) {
      await show();
      for (const finding of await findings()) found.push([name, ...finding]);
      await leave();
    }
    expect(found).toEqual([]);
  });

  it.each(['en', 'es'] as const)('cut no word at 150 percent, in %s', { timeout: 120_000 }, async (language) => {
    await wear(language, 'light');
    const found: unknown[] = [];
    for (const width of [853, 534]) {
      await story.page.setViewportSize({ width, height: 560 });
      for (const { name, show, leave } of scenes) {
        await show();
        for (const text of await cut()) found.push([width, name, text]);
        await leave();
      }
    }
    expect(found).toEqual([]);
  });
});
