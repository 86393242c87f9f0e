import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { tellBreakdownStory } from './breakdown-story.ts';
import { breakdownWordsIn } from './breakdown-words.ts';
import { type Book, openBreakdown, rowOf } from './writer.ts';

/** Every act of the breakdown without a pointer: nothing here clicks. */
describe('the breakdown by keys alone', () => {
  const story = tellBreakdownStory();
  const { button, said, appended } = story;
  let [book, page] = [] as unknown as [Book, Page];
  beforeAll(() => {
    ({ book, page } = story);
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const isFocused = async (target: Locator) => (await target.and(page.locator(':focus')).count()) > 0;
  /** Goes on with Tab until a place is reached, as a person does. */
  const tabTo = async (target: Locator, key = 'Tab') => {
    for (let step = 0; step < 150; step++) {
      if (await isFocused(target)) return;
      await press(key);
    }
    expect.fail(`${key} never came to ${target}`);
  };
  /** Steps with j and k until the row has the focus. */
  const stepTo = async (row: Locator) => {
    const head = row.locator('.bd-head');
    await press(...Array.from({ length: 20 }, () => 'k'));
    for (let step = 0; step < 40 && !(await isFocused(head)); step++) await press('j');
    expect(await isFocused(head)).toBe(true);
  };
  const kinds = async (act: () => Promise<unknown>) => (await appended(act)).map(({ kind }) => kind);

  it('shows its keys, all of them, and gives the focus back', async () => {
    await press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.waitFor();
    const shown = await help.locator('kbd').allTextContents();
    const said = [...breakdownWordsIn('en')].flatMap(([key, text]) => (key.startsWith('keys.') && key !== 'keys.title' ? [text] : []));
    expect((await help.locator('dd').allTextContents()).sort()).toEqual(said.sort());
    for (const key of ['a', 'r', 'w', 'u', 'x', 's', 'f', 't', '?']) expect(shown).toContain(key);
    await press('Escape');
    await help.waitFor({ state: 'detached' });
    expect(await isFocused(page.locator('.bd-head'))).toBe(true);
  });

  it('opens, accepts, takes back and accepts', async () => {
    const row = rowOf(page, 'chapters/15-later.md', 'outline.md', 'changed');
    await stepTo(row);
    await press('a');
    await row.getByRole('insertion').first().waitFor();
    await press('a');
    await said(/^Accepted\. You can take it back/u);
    await press('u');
    await said('Taken back. Nothing was recorded.');
    await stepTo(row);
    await press('a');
    await row.getByRole('insertion').first().waitFor();
    expect(
      await kinds(async () => {
        await press('a');
        await button('Take back', row).waitFor();
        await tabTo(button('Refresh'), 'Shift+Tab');
        await press('Enter');
        await row.waitFor({ state: 'detached' });
      }),
    ).toEqual(['ratification']);
  });

  it('waives with a reason and an end', async () => {
    const row = rowOf(page, 'chapters/11-a-proof.md', 'bible/north.md', 'changed');
    await said(/^The breakdown is ready/u);
    await stepTo(row);
    await press('w');
    await row.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('It is old.');
    await row.getByRole('insertion').first().waitFor();
    const lines = await appended(async () => {
      await press('Enter');
      await button('Take back', row).waitFor();
      await tabTo(button('Refresh'), 'Shift+Tab');
      await press('Enter');
      await rowOf(page, 'chapters/11-a-proof.md', 'bible/north.md', 'waived').waitFor();
    });
    expect(lines.map(({ body }) => body.reason)).toEqual(['It is old.']);
  });

  it('judges, and narrows to a section', async () => {
    const row = rowOf(page, 'chapters/01-the-ferry.md', 'bible/ines.md', 'changed');
    await said(/^The breakdown is ready/u);
    await stepTo(row);
    await press('Enter');
    await row.getByRole('insertion').first().waitFor();
    expect(
      await kinds(async () => {
        await tabTo(row.getByRole('radio', { name: 'Yes' }));
        await press('ArrowRight', 'Space');
        await said('Recorded.');
      }),
    ).toEqual(['flag-judgment']);
    await press('Escape');
    await stepTo(row);
    expect(
      await kinds(async () => {
        await press('s');
        await page.getByRole('option', { name: '§ Ines › Habits' }).waitFor();
        await press('End', 'ArrowUp', 'Enter');
        await said(/^Recorded: only § Ines › Habits counts/u);
      }),
    ).toEqual(['edge-anchor']);
    await rowOf(page, 'chapters/01-the-ferry.md', 'bible/ines.md § Ines › Habits', 'section changed').waitFor();
  });

  it('takes the whole file again by the menu of the row', async () => {
    const row = rowOf(page, 'chapters/01-the-ferry.md', 'bible/ines.md § Ines › Habits', 'section changed');
    await stepTo(row);
    expect(
      await kinds(async () => {
        await press('Tab', 'Enter');
        await page.getByRole('menuitem').first().waitFor();
        await press('w');
        await page.getByRole('menuitem', { name: 'Whole file' }).and(page.locator(':focus')).waitFor();
        await press('Enter');
        await said('Recorded: the whole file counts again.');
      }),
    ).toEqual(['edge-anchor']);
    await rowOf(page, 'chapters/01-the-ferry.md', 'bible/ines.md', 'changed').waitFor();
  });

  it('finishes a document and reopens it', async () => {
    const row = rowOf(page, 'chapters/03-low-water.md', 'bible/harbour.md § The harbour › Tides', 'anchor lost');
    await stepTo(row);
    const lines = await kinds(async () => {
      await press('f');
      await page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus')).waitFor();
      await press('Enter');
      await said('Recorded: chapters/03-low-water.md is finished.');
      await row.waitFor({ state: 'detached' });
      await tabTo(page.locator('details[data-group="silenced"] > summary'));
      await press('Enter');
      await button('Reopen: chapters/03-low-water.md').waitFor();
      await tabTo(button('Reopen: chapters/03-low-water.md'));
      await press('Enter');
      await said('Recorded: chapters/03-low-water.md is open again.');
    });
    expect(lines).toEqual(['object-lifecycle', 'object-lifecycle']);
    await row.waitFor();
  });

  it('selects several and accepts them', async () => {
    const rows = [
      rowOf(page, 'chapters/01-the-ferry.md', 'outline.md', 'changed'),
      rowOf(page, 'chapters/17-the-crane.md', 'bible/harbour.md § The harbour', 'section changed'),
    ];
    for (const row of rows) {
      await stepTo(row);
      await press('x');
    }
    const lines = await kinds(async () => {
      await press('a');
      await page.getByRole('dialog').getByText('2 decisions will be recorded').waitFor();
      await press('Enter');
      await button('Take back', rows[1]).waitFor();
      await tabTo(button('Refresh'), 'Shift+Tab');
      await press('Enter');
      for (const row of rows) await row.waitFor({ state: 'detached' });
    });
    expect(lines.sort()).toEqual(['edge-anchor', 'ratification', 'ratification']);
  });

  it('joins versions in words of one own', async () => {
    await said(/^The breakdown is ready/u);
    const row = page.getByRole('listitem', { name: 'chapters/06-two-endings.md: several versions' });
    await stepTo(row);
    const lines = await kinds(async () => {
      await press('Enter');
      await row.locator('.bd-about').waitFor();
      await tabTo(button('Join versions…', row));
      await press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Join versions of chapters/06-two-endings.md' });
      await dialog.getByRole('radio').first().waitFor();
      await tabTo(dialog.getByRole('radio').first());
      await press('ArrowUp', 'Tab', 'ControlOrMeta+A');
      await page.keyboard.type('The lamp turned, and stopped.');
      await tabTo(button('Join', dialog));
      await press('Enter');
      await row.waitFor({ state: 'detached' });
    });
    expect(lines).toEqual(['transformation']);
    expect(book.text('chapters/06-two-endings.md')).toContain('\nThe lamp turned, and stopped.\n');
  });

  it('shows what waits, suggests inputs and confirms them', async () => {
    await said(/^The breakdown is ready/u);
    await tabTo(page.locator('.bd-notices > summary'), 'Shift+Tab');
    await press('Enter');
    const group = page.locator('details[data-group="provenance-unknown"]');
    await tabTo(button('Show them', page.locator('.bd-banner').filter({ hasText: 'lost what' })));
    await press('Enter');
    await group.locator('summary').and(page.locator(':focus')).waitFor();
    const lines = await kinds(async () => {
      await tabTo(button('Suggest inputs: chapters/14-semicolon.md', group));
      await press('Enter');
      await group.getByRole('checkbox', { name: 'bible/ines.md', checked: true }).waitFor();
      await tabTo(button(/^Confirm provenance of/u, group), 'Shift+Tab');
      await press('Enter');
      await group.getByText(/^Recorded: the provenance of 1 document is confirmed/u).waitFor();
    });
    expect(lines).toEqual(['transformation']);
  });

  it('makes a copy a new document, and dismisses a notice: the focus stays among the notices', async () => {
    await said(/^The breakdown is ready/u);
    const copy = button('This copy is a new document: chapters/15-later-draft.md');
    if (!(await copy.isVisible())) {
      await tabTo(page.locator('.bd-notices > summary'), 'Shift+Tab');
      await press('Enter');
    }
    const lines = await kinds(async () => {
      await tabTo(copy, 'Shift+Tab');
      await press('Enter');
      await copy.waitFor({ state: 'detached' });
    });
    expect(lines.sort()).toEqual(['object-registered', 'transformation']);
    const notices = page.locator('.bd-notices > summary');
    await expect.poll(() => isFocused(notices)).toBe(true);
    const merge = page.locator('.bd-banner').filter({ hasText: 'A merge has landed' });
    await tabTo(button('Dismiss', merge));
    await press('Enter');
    await merge.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(notices)).toBe(true);
  });

  it('filters, and searches by name', async () => {
    await tabTo(page.locator('.bd-filter'), 'Shift+Tab');
    await tabTo(page.locator('[data-filter="waived"]'), 'ArrowLeft');
    await press('Enter');
    const states = () => page.locator('.bd-row').evaluateAll((rows) => [...new Set(rows.map((row) => row.getAttribute('data-state')))]);
    await expect.poll(states).toEqual(['waived']);
    await tabTo(page.locator('[data-filter="all"]'), 'ArrowLeft');
    await press('Enter');
    await expect.poll(async () => (await states()).length).toBeGreaterThan(1);
    await tabTo(page.getByRole('searchbox', { name: 'Filter by name' }));
    await page.keyboard.type('bank');
    await expect.poll(() => page.locator('.bd-group').count()).toBe(1);
    await press('Escape');
    await expect.poll(() => page.locator('.bd-group').count()).toBeGreaterThan(1);
  });

  it('shows what a source would touch, and revises beside the change', async () => {
    const row = rowOf(page, 'chapters/01-the-ferry.md', 'bible/ines.md', 'changed');
    await tabTo(page.locator('.bd-head'));
    await stepTo(row);
    await press('t');
    await page.getByRole('dialog', { name: 'What would bible/ines.md touch?' }).getByText('At once').waitFor();
    await press('Escape');
    await stepTo(row);
    await press('r');
    await page.getByRole('tab', { name: '01-the-ferry.md', selected: true }).waitFor();
    await page.getByRole('complementary', { name: 'Coherence' }).getByRole('insertion').first().waitFor();
    await openBreakdown(page);
    await row.waitFor();
  });
});
