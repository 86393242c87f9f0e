import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { tellBreakdownStory } from './breakdown-story.ts';
import { type Book, rowOf } from './writer.ts';

const moved = /^The source moved on after this was shown, so nothing was recorded/u;

/** What rides along with a scan. */
const asides = new Set(['diagnostic', 'navigation', 'object-registered']);

/** What was shown is not what is there any more when the writer acts: nothing is recorded, and the row says so. */
describe('acts of the breakdown that come too late', () => {
  const story = tellBreakdownStory();
  const { button, said, appended, open, unfoldNotices } = story;
  let [book, page] = [] as unknown as [Book, Page];
  beforeAll(() => {
    ({ book, page } = story);
  });

  const edit = (path: string, before: string, after: string) => book.write(path, book.text(path).replace(before, after));
  /** What was decided or written by a person; that an edit from outside is recorded is not the act's. */
  const decided = async (act: () => Promise<unknown>) =>
    (await appended(act)).filter(({ kind, body }) =>
      kind === 'transformation' ? (body.agent as { type: string }).type === 'human' : !asides.has(kind),
    );

  it('Accept latest', async () => {
    const row = rowOf(page, 'chapters/02-the-letter.md', 'bible/ines.md § Ines › Habits', 'section changed');
    await open(row);
    const lines = await decided(async () => {
      await button('Accept latest', row).click();
      await button('Take back', row).waitFor();
      edit('bible/ines.md', 'the accident', 'the winter');
      await row.getByText(moved).waitFor({ timeout: 20_000 });
    });
    expect(lines).toEqual([]);
    await row.getByText('v1 → v3').waitFor();
    await said(moved);
  });

  it('Waive', async () => {
    const row = rowOf(page, 'chapters/11-a-proof.md', 'bible/north.md', 'changed');
    await open(row);
    const lines = await decided(async () => {
      await button('Waive', row).click();
      await row.getByRole('textbox', { name: 'Reason' }).fill('It is old.');
      edit('bible/north.md', 'the summer', 'the autumn');
      await page.keyboard.press('Enter');
      await row.getByText(moved).waitFor({ timeout: 20_000 });
    });
    expect(lines).toEqual([]);
    await row.getByText('v2 → v4').waitFor();
  });

  it('several at once: what moved is said at its row, the other is recorded', async () => {
    const ferry = rowOf(page, 'chapters/01-the-ferry.md', 'outline.md', 'changed');
    const crane = rowOf(page, 'chapters/17-the-crane.md', 'bible/harbour.md § The harbour', 'section changed');
    for (const row of [ferry, crane]) {
      await row.getByRole('button', { expanded: false }).first().focus();
      await page.keyboard.press('x');
    }
    const lines = await decided(async () => {
      await page.keyboard.press('a');
      await page.getByRole('dialog').getByText('2 decisions will be recorded').waitFor();
      edit('outline.md', 'The north', 'The far north');
      await page.keyboard.press('Enter');
      await ferry.getByText(moved).waitFor({ timeout: 20_000 });
      await crane.waitFor({ state: 'detached' });
    });
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['edge-anchor', 'ratification']);
  });

  it('Section anchor and Worth flagging?, when the document has another version by now', async () => {
    const path = 'chapters/01-the-ferry.md';
    const row = rowOf(page, path, 'bible/ines.md', 'changed');
    await open(row);
    const lines = await decided(async () => {
      await button('Section anchor…', row).click();
      await page.getByRole('option', { name: '§ Ines › Family' }).waitFor();
      edit(path, 'the rail', 'the oar');
      await page.getByRole('option', { name: '§ Ines › Family' }).click();
      await said(/^This row is no longer listed, so nothing was recorded/u);
    });
    expect(lines).toEqual([]);
    await page.getByText('This row is no longer listed, so nothing was recorded. Refresh to see what there is now.').first().waitFor();
    await button('Refresh').click();
    await row.waitFor({ state: 'detached' });
  });

  it('Confirm provenance', async () => {
    const group = page.locator('details[data-group="provenance-unknown"]');
    await unfoldNotices();
    await button('Show them', page.locator('.bd-banner').filter({ hasText: 'lost what' })).click();
    await button('Suggest inputs: chapters/14-semicolon.md', group).click();
    await group.getByRole('checkbox', { name: 'bible/ines.md', checked: true }).waitFor();
    const lines = await decided(async () => {
      edit('chapters/14-semicolon.md', 'She left.', 'She stayed.');
      await button('Confirm provenance: chapters/14-semicolon.md', group).click();
      await group.getByText(/^The document was saved again after this was shown, so nothing was recorded/u).waitFor();
    });
    expect(lines).toEqual([]);
  });

  it('Join versions…', async () => {
    const path = 'chapters/06-two-endings.md';
    await page.getByRole('button', { name: /^More: chapters\/06/u }).click();
    await page.getByRole('menuitem', { name: 'Join versions…' }).click();
    const dialog = page.getByRole('dialog', { name: `Join versions of ${path}` });
    await dialog.getByRole('radio', { name: /^Version A/u }).press('Space');
    const text = `${book.text(path)}\nAnd then?\n`;
    const lines = await decided(async () => {
      book.write(path, text);
      await button('Join', dialog).click();
      await dialog
        .getByRole('alert')
        .getByText(/^A version or the file changed after this was shown, so nothing was written/u)
        .waitFor();
    });
    expect(lines).toEqual([]);
    expect(book.text(path)).toBe(text);
    await page.keyboard.press('Escape');
  });
});
