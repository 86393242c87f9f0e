import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowStates, silences } from '#protocol/state';
import { tellBreakdownStory } from './breakdown-story.ts';
import { type Book, linkBeside } from './writer.ts';

/** The book in which everything occurs that the breakdown can say, looked at and left as it is. */
describe('every state of the breakdown', () => {
  const story = tellBreakdownStory();
  const { button, unfoldNotices } = story;
  let [book, page] = [] as unknown as [Book, Page];
  beforeAll(() => {
    ({ book, page } = story);
  });

  const texts = (selector: string) => page.locator(selector).allTextContents();
  const rowLike = (name: RegExp) => page.getByRole('listitem', { name });
  const openRow = async (row: Locator) => {
    await row.getByRole('button', { expanded: false }).first().click();
    await row.getByRole('group', { name: 'What to do' }).waitFor();
  };
  const close = () => page.keyboard.press('Escape');
  const set = async (key: string, value: string | boolean) => {
    const { call, close: hangUp } = await linkBeside(page);
    await call('settings/write', { key, value });
    hangUp();
  };

  it('has a row for each, with its word, and its badges', async () => {
    const states = await page.locator('.bd-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state')));
    expect([...new Set(states)].sort()).toEqual(rowStates.filter((state) => state !== 'fresh').sort());
    const marks = await texts('.bd-mark');
    const words = ['changed', 'section changed', 'anchor lost', 'diverged', 'several versions', 'waived', 'cannot be resolved'];
    const badges = [
      'contradicted, 97 % sure',
      'verified valid',
      'unchecked',
      'check was partial',
      'inferred',
      'unknown',
      'by an agent',
      'resolved 2 times',
    ];
    for (const word of [...words, 'changed after it was finished', ...badges])
      expect(
        marks.some((mark) => mark.startsWith(word)),
        word,
      ).toBe(true);
  });

  it('counts by its filters', async () => {
    const counts = await texts('.bd-filter');
    expect(counts.map((text) => text.replace(/\s+/gu, ' '))).toEqual([
      'All 15',
      'Changed 8',
      'Diverged 3',
      'Waived 2',
      'Other 2',
      'Code 0',
      'Contradicted 1',
      'Merged 3',
    ]);
    for (const text of counts) {
      const count = /\d+$/u.exec(text)![0];
      await page.getByRole('radio', { name: text }).or(button(text)).first().click();
      await expect.poll(() => page.locator('.bd-row').count()).toBe(Number(count));
    }
    await page.locator('.bd-filter').first().click();
    await expect.poll(() => page.locator('.bd-row').count()).toBe(15);
  });

  it('says in the head of each group how the document came to be', async () => {
    await page.getByText(/^The Ferry · drafted by an AI from 2 sources, this/u).waitFor();
    await page
      .getByText(/written by another program from 1 source/u)
      .first()
      .waitFor();
  });

  it('says why what cannot be done cannot be done', async () => {
    const reasons: readonly (readonly [RegExp, string])[] = [
      [/^chapters\/05-marcus\.md rests/u, 'The source has several current versions, so there is not one to accept or waive.'],
      [/^chapters\/13-comma\.md rests/u, 'What this was built from cannot be resolved, so it can only be revised.'],
    ];
    for (const [name, reason] of reasons) {
      const row = rowLike(name);
      await openRow(row);
      await row.getByText(reason).waitFor();
      expect(await button('Accept latest', row).isDisabled()).toBe(true);
      expect(await button('Waive', row).isDisabled()).toBe(true);
      expect(await button('Revise', row).isEnabled()).toBe(true);
      await close();
    }
    await openRow(rowLike(/^chapters\/05-marcus\.md rests/u));
    await button('Join versions…', rowLike(/^chapters\/05-marcus\.md rests/u)).waitFor();
    await close();
  });

  it('tells of anchors that were carried or could not be, suggests one, and says who decided', async () => {
    const said: readonly (readonly [RegExp, string | RegExp])[] = [
      [/^chapters\/17-the-crane\.md rests/u, 'Anchored to § The harbour, carried from an earlier version'],
      [/^chapters\/04-north\.md rests/u, /^An earlier version rested on § The north\./u],
      [/^chapters\/04-north\.md rests/u, 'night-editor, an agent, decided this last, under a grant.'],
      [/^chapters\/07-the-bank\.md rests on bible\/harbour/u, /^You have decided this 2 times already/u],
      [/^chapters\/01-the-ferry\.md rests on outline/u, /^You said that this was not worth flagging/u],
      [/^chapters\/03-low-water\.md rests/u, /^The heading § The harbour › Tides is not in both versions/u],
    ];
    for (const [name, text] of said) {
      await openRow(rowLike(name));
      await rowLike(name).getByText(text).waitFor();
      await close();
    }
  });

  it('shows a banner for a merge, copies, lines set aside and what waits; each is dismissed for the commit, also over a reload', async () => {
    const banners = page.locator('.bd-banner');
    await expect.poll(() => banners.count()).toBe(5);
    await page.getByText('5 notices').waitFor();
    await unfoldNotices();
    for (const text of [
      /^A merge has landed/u,
      /^An id is in more than one file/u,
      /conflicted copy of/u,
      /malformed and was set aside/u,
      /lost what it rests on/u,
    ])
      await banners.filter({ hasText: text }).waitFor();
    const merge = banners.filter({ hasText: 'A merge has landed' });
    await button('Dismiss', merge).click();
    await merge.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('4 notices').waitFor();
    await unfoldNotices();
    await banners.filter({ hasText: 'lost what it rests on' }).waitFor();
    expect(await merge.count()).toBe(0);
  });

  it('says that a scan is incomplete, and why', async () => {
    const head = join(book.folder, '.git/MERGE_HEAD');
    writeFileSync(head, `${'0'.repeat(40)}\n`);
    await button('Refresh').click();
    await page.locator('.bd-notices > summary').getByText('the scan was incomplete').waitFor();
    await unfoldNotices();
    await page.getByText('The scan was incomplete. Git is in the middle of a merge, rebase or similar.').waitFor();
    rmSync(head);
    await button('Refresh').click();
    await page.getByText('The scan was incomplete.').waitFor({ state: 'detached' });
  });

  it('says that the context is broken, and which file', async () => {
    const file = '.vmark/contexts/default.json';
    book.write(file, '{');
    await button('Refresh').click();
    await page.locator('.bd-notices > summary').getByText('a context is broken').waitFor();
    await unfoldNotices();
    const said = `The context file ${file} could not be understood; everything is live in it.`;
    await page.locator('.bd-banner.bd-grave').getByText(said).waitFor();
    rmSync(join(book.folder, file));
    await button('Refresh').click();
    await page.getByText(said).waitFor({ state: 'detached' });
  });

  it('folds away what asks nothing, with its reason', async () => {
    for (const title of ['No questions about these', 'Source no longer here', 'Provenance unknown', 'Coherence log'])
      await page.locator('summary').filter({ hasText: title }).click();
    await expect
      .poll(() => page.locator('[data-silence]').evaluateAll((lines) => lines.map((line) => line.getAttribute('data-silence')).sort()))
      .toEqual([...silences].sort());
    await page.getByText('chapters/08-the-map.md rests on bible/old-map.md').waitFor();
    await page.getByText(/^Judged: relevant 0 · noise 1 · unsure 0 · not judged \d+ · 1 resolved more than once$/u).waitFor();
    await page.getByText('it said contradicted with 71 %, too unsure to be taken').waitFor();
    await page.getByText('waived by night-editor, an agent: “The closing is older than the text.”').waitFor();
  });

  const looks = [
    ['en', 'light'],
    ['es', 'dark'],
  ] as const;
  it.each(looks)(
    'is clean for axe, in %s and %s, with all unfolded, a row open, and each dialog',
    async (language, theme) => {
      await set('language', language);
      await set('appearance.theme', theme);
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme });
      await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
      const look = async (name: string) => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html.slice(0, 160))])).toEqual([]);
      };
      await openFirst(page, 'chapters/01-the-ferry.md');
      await look('an open row');
      for (const [key, name] of [
        ['s', 'sections'],
        ['f', 'finish'],
        ['t', 'touch'],
      ] as const) {
        await page.locator('.bd-is-open .bd-head').focus();
        await page.keyboard.press(key);
        await page.getByRole('dialog').waitFor();
        await look(name);
        await close();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.keyboard.press('x');
      await page.keyboard.press('w');
      await page.getByRole('dialog').waitFor();
      await look('several');
      await close();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await close();
      await close();
      await page.locator('.bd-row', { hasText: '∥' }).first().locator('.bd-menu-button').click();
      await look('a menu');
      await page.getByRole('menuitem').first().press('Escape');
    },
    60_000,
  );

  it('fits a window of 150 %, without scrolling sideways', async () => {
    await page.setViewportSize({ width: 853, height: 560 });
    const overflow = () =>
      page.evaluate(() => {
        const pageBox = document.querySelector('.bd-page')!;
        return pageBox.scrollWidth - pageBox.clientWidth;
      });
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 640, height: 560 });
    expect(await overflow()).toBeLessThanOrEqual(0);
  });
});

async function openFirst(page: Page, artifact: string): Promise<void> {
  const row = page.locator(`.bd-group[aria-label="${artifact}"] .bd-row`).first();
  await row.locator('.bd-head').click();
  await row.locator('.bd-two').waitFor();
}
