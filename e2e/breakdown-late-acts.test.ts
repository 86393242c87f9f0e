import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { edge, movedOn, tellBreakdownStory } from './breakdown-story.ts';
import { entriesIn } from './fixtures/every-state.ts';
import { type Book, linkBeside, rowOf } from './writer.ts';

/** Presses a button in the moment in which something else happens: before the page can hear of that and take the button away. */
async function late(shown: Locator, happens: () => void): Promise<void> {
  const element = await shown.elementHandle();
  happens();
  await element!.evaluate((found) => (found as HTMLElement).click());
}

/** What was shown is not what is there any more when the writer acts: nothing is recorded, and that is said. Accept and Waive: breakdown-races. */
describe('acts of the breakdown that come too late', () => {
  const story = tellBreakdownStory();
  const { button, said, decided, edit, open, unfoldNotices } = story;
  let [book, page] = [] as unknown as [Book, Page];
  beforeAll(() => {
    ({ book, page } = story);
  });

  const refresh = async () => {
    await button('Refresh').click();
    await said(/^The breakdown is ready/u);
  };
  const objectOf = (path: string) => entriesIn(book, 'object-registered').find(({ body }) => body.path === path)!.body.object as string;
  /** What somebody in another window does. */
  const elsewhere = async (path: string, state: 'finished' | 'live') => {
    const { call, close } = await linkBeside(page);
    const { kind } = await call('document/finish', { object: objectOf(path), state, reason: '', idem: crypto.randomUUID() });
    close();
    expect(kind).toBe('done');
  };
  const trouble = (text: string | RegExp) => page.locator('.bd-trouble').getByText(text).first().waitFor();

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
      await ferry.getByText(movedOn).waitFor({ timeout: 20_000 });
      await crane.waitFor({ state: 'detached' });
    });
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['edge-anchor', 'ratification']);
  });

  it('Section anchor, when the document has another version by now; a judgment is of the row that was shown, and still true', async () => {
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
    await trouble('This row is no longer listed, so nothing was recorded. Refresh to see what there is now.');
    const judged = await decided(async () => {
      await row.getByRole('radio', { name: 'Yes' }).click();
      await said('Recorded.');
    });
    expect(judged.map(({ kind, body }) => [kind, body])).toEqual([['flag-judgment', { edge, judgment: 'relevant', note: '' }]]);
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

  it('Worth flagging?, when the record does not hold the row any more, as after a switch of branches', async () => {
    const row = page.locator('.bd-group[aria-label="chapters/13-comma.md"] .bd-row').first();
    await row.locator('.bd-head').click();
    const ledger = (name: string) => join(book.folder, '.vmark/ledger', name);
    const lines = await decided(async () => {
      renameSync(ledger('somebody-else.jsonl'), ledger('somebody-else.away'));
      await row.getByRole('radio', { name: 'Yes' }).click();
      await trouble('This row is no longer in the record, so nothing was recorded.');
    });
    expect(lines).toEqual([]);
    renameSync(ledger('somebody-else.away'), ledger('somebody-else.jsonl'));
    await refresh();
  });

  it('Mark as finished and Reopen, when somebody did it before', async () => {
    const path = 'chapters/15-later.md';
    const row = rowOf(page, path, 'outline.md', 'changed');
    const late = `${path} was so already, so nothing was recorded. Refresh to see what there is now.`;
    await button(`Mark as finished: ${path}`).click();
    await page
      .getByRole('dialog', { name: `Mark ${path} as finished?` })
      .getByRole('textbox')
      .waitFor();
    await elsewhere(path, 'finished');
    const finished = await decided(async () => {
      await page.keyboard.press('Enter');
      await trouble(late);
    });
    expect(finished).toEqual([]);
    await said(late);
    await refresh();
    await row.waitFor({ state: 'detached' });
    await page.locator('details[data-group="silenced"] > summary').click();
    await button(`Reopen: ${path}`).waitFor();
    await elsewhere(path, 'live');
    const reopened = await decided(async () => {
      await button(`Reopen: ${path}`).click();
      await trouble(late);
    });
    expect(reopened).toEqual([]);
    await refresh();
    await row.waitFor();
  });

  it('no edit in between makes Mark as finished and Reopen wrong: they are about the document, and the edit is recorded before them', async () => {
    const [path, end] = ['chapters/11-a-proof.md', 'chapters/09-the-end.md'];
    const kinds = async (of: string, act: () => Promise<unknown>) =>
      (await story.appended(act)).filter(({ body }) => JSON.stringify(body).includes(objectOf(of))).map(({ kind }) => kind);
    await button(`Mark as finished: ${path}`).click();
    await page
      .getByRole('dialog', { name: `Mark ${path} as finished?` })
      .getByRole('textbox')
      .waitFor();
    const finished = await kinds(path, async () => {
      edit(path, 'Read twice.', 'Read three times.');
      await page.keyboard.press('Enter');
      await said(`Recorded: ${path} is finished.`);
    });
    expect(finished).toEqual(['transformation', 'object-lifecycle']);
    await page.locator(`.bd-group[aria-label="${path}"]`).waitFor({ state: 'detached' });
    const folded = page.locator('details[data-group="silenced"]:not([open]) > summary');
    if ((await folded.count()) > 0) await folded.click();
    const reopened = await kinds(end, async () => {
      await button(`Reopen: ${end}`).waitFor();
      edit(end, 'Nobody came', 'Somebody came');
      await button(`Reopen: ${end}`).click();
      await said(`Recorded: ${end} is open again.`);
    });
    expect(reopened).toEqual(['transformation', 'object-lifecycle']);
  });

  it('This copy is a new document, when the other is gone, or the copy is', async () => {
    const [path, copy] = ['chapters/15-later.md', 'chapters/15-later-draft.md'];
    const make = button(`This copy is a new document: ${copy}`);
    const [text, copied] = [book.text(path), book.text(copy)];
    await unfoldNotices();
    await make.waitFor();
    const lines = await story.appended(async () => {
      await late(make, () => rmSync(join(book.folder, path)));
      await trouble(`Nothing was recorded. ${copy} shares its id with no other document`);
    });
    expect(lines.filter(({ body }) => 'derived_from' in body)).toEqual([]);
    expect(book.text(copy)).toBe(copied);
    book.write(path, text);
    await refresh();
    await page.locator('.bd-trouble').waitFor({ state: 'detached' });
    await unfoldNotices();
    await make.waitFor();
    const gone = await decided(async () => {
      await late(make, () => rmSync(join(book.folder, copy)));
      await trouble(`Nothing was recorded. The file ${copy} does not exist.`);
    });
    expect(gone).toEqual([]);
    book.write(copy, copied);
    await refresh();
  });

  it('no edit in between makes that wrong: it is about the file, as it is now', async () => {
    const copy = 'chapters/15-later-draft.md';
    await unfoldNotices();
    const make = button(`This copy is a new document: ${copy}`);
    await make.waitFor();
    const lines = await story.appended(async () => {
      await late(make, () => edit(copy, 'the ferry', 'the last ferry'));
      await make.waitFor({ state: 'detached' });
    });
    const [registered] = lines.filter(({ kind, body }) => kind === 'object-registered' && body.path === copy);
    const first = lines.filter(
      ({ kind, body }) => kind === 'transformation' && JSON.stringify(body.outputs).includes(registered!.body.object as string),
    );
    expect([registered!.body.derived_from, first.length]).toEqual([[objectOf('chapters/15-later.md')], 1]);
    expect(book.text(copy)).toContain('the last ferry');
  });
});
