import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { edge, entryOf, hash, id, person, revision, tellBreakdownStory } from './breakdown-story.ts';
import { entriesIn, ledgerText } from './fixtures/every-state.ts';
import { type Book, openBreakdown, openDocument, rowOf, save, typeAtEnd } from './writer.ts';

/** What one writer did after another on the book in which every state occurs: each act, and the entry that it appends. */
describe('acts of the breakdown', () => {
  const story = tellBreakdownStory();
  const { button, said, appended, open, unfoldNotices } = story;
  let [book, page] = [] as unknown as [Book, Page];
  beforeAll(() => {
    ({ book, page } = story);
  });

  it('a judgment is recorded at once, with nothing preselected, and may be changed', async () => {
    const row = rowOf(page, 'chapters/11-a-proof.md', 'bible/north.md', 'changed');
    await open(row);
    const answers = row.getByRole('radiogroup', { name: 'Worth flagging?' });
    expect(await answers.getByRole('radio', { checked: true }).count()).toBe(0);
    const lines = await appended(async () => {
      await answers.getByRole('radio', { name: 'Yes' }).click();
      await said('Recorded.');
      await answers.getByRole('radio', { name: 'Not sure' }).click();
      await expect.poll(() => entriesIn(book, 'flag-judgment').length).toBe(3);
    });
    expect(lines).toEqual(['relevant', 'unsure'].map((judgment) => entryOf('flag-judgment', { edge, judgment, note: '' })));
    await answers.getByRole('radio', { name: 'Not sure', checked: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('accepting an anchored row is a ratification, and the anchor anew', async () => {
    const row = rowOf(page, 'chapters/17-the-crane.md', 'bible/harbour.md § The harbour', 'section changed');
    await open(row);
    const lines = await appended(async () => {
      await button('Accept latest', row).click();
      await button('Take back', row).waitFor();
      await button('Refresh').click();
      await row.waitFor({ state: 'detached' });
    });
    const [ratification, anchor, ...others] = lines.sort((a, b) => (a.kind > b.kind ? -1 : 1));
    expect(others).toEqual([]);
    expect(ratification).toEqual(
      entryOf('ratification', {
        edge,
        upstream_object: id,
        pinned: revision,
        resolved_against: book.stemma.json('log-file', 'log', 'bible/harbour.md').heads[0],
        actor: person,
        reason: null,
        expires: null,
      }),
    );
    expect(anchor).toEqual(entryOf('edge-anchor', { edge: ratification!.body.edge, headings: ['The harbour'], anchored_hash: hash }));
  });

  it('revising is a version of the writer without inputs, and what it still rests on is the same version once more', async () => {
    const path = 'chapters/04-north.md';
    await open(rowOf(page, path, 'bible/north.md', 'waived'));
    const revised = await appended(async () => {
      await button('Revise', rowOf(page, path, 'bible/north.md', 'waived')).click();
      await page.getByRole('tab', { name: '04-north.md', selected: true }).waitFor();
      await page.getByRole('complementary', { name: 'Coherence' }).getByRole('insertion').first().waitFor();
      await typeAtEnd(page, 'Since the summer.\n');
      await save(page);
      await page.getByRole('region', { name: 'Still rests on these' }).waitFor();
    });
    const { heads } = book.stemma.json('log-file', 'log', path);
    const output = { object: id, revision: heads[0], content_hash: hash, parents: [revision] };
    expect(revised).toEqual([
      entryOf('transformation', {
        inputs: [],
        outputs: [output],
        agent: { type: 'human' },
        intent: { kind: 'editor-save', summary: expect.any(String) },
        confidence: 'exact',
      }),
    ]);
    const [source] = book.stemma.json('log-file', 'log', 'bible/north.md').heads;
    const confirmed = await appended(async () => {
      await button('Confirm provenance', page.getByRole('region', { name: 'Still rests on these' })).click();
      await page.getByRole('region', { name: 'Still rests on these' }).waitFor({ state: 'detached' });
    });
    expect(confirmed).toEqual([
      entryOf('transformation', {
        inputs: [{ object: id, revision: source, role: 'direct' }],
        outputs: [output],
        agent: { type: 'human', id: expect.stringMatching(/\S/u) },
        intent: { kind: 'provenance-confirmation', summary: expect.any(String) },
        confidence: 'inferred',
      }),
    ]);
    await openBreakdown(page);
  });

  it('a section anchor is set by keys, changed, and taken away', async () => {
    const row = rowOf(page, 'chapters/01-the-ferry.md', 'bible/ines.md', 'changed');
    await row.getByRole('button', { expanded: false }).first().focus();
    const set = await appended(async () => {
      await page.keyboard.press('s');
      await page.getByRole('dialog', { name: 'Section anchor' }).getByRole('option', { name: '§ Ines › Family' }).waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await said(/^Recorded: only § Ines › Family counts/u);
    });
    expect(set).toEqual([entryOf('edge-anchor', { edge, headings: ['Ines', 'Family'], anchored_hash: hash })]);
    // That section did not change: the row asks nothing now.
    await row.waitFor({ state: 'detached' });
    const letter = rowOf(page, 'chapters/02-the-letter.md', 'bible/ines.md § Ines › Habits', 'section changed');
    await open(letter);
    const changed = await appended(async () => {
      await button('Change anchor', letter).click();
      await page.getByRole('option', { name: '§ Ines', exact: true }).click();
      await said(/^Recorded: only § Ines counts/u);
    });
    expect(changed).toEqual([entryOf('edge-anchor', { edge, headings: ['Ines'], anchored_hash: hash })]);
    const wider = rowOf(page, 'chapters/02-the-letter.md', 'bible/ines.md § Ines', 'section changed');
    await wider.waitFor();
    const cleared = await appended(async () => {
      await button(/^More: chapters\/02/u).click();
      await page.getByRole('menuitem', { name: 'Whole file' }).click();
      await said('Recorded: the whole file counts again.');
    });
    expect(cleared).toEqual([entryOf('edge-anchor', { edge, headings: [] })]);
    await rowOf(page, 'chapters/02-the-letter.md', 'bible/ines.md', 'changed').waitFor();
  });

  it('a document is finished after a question, and reopened without one', async () => {
    const finished = await appended(async () => {
      await button('Mark as finished: chapters/15-later.md').click();
      const question = page.getByRole('dialog', { name: 'Mark chapters/15-later.md as finished?' });
      await question.getByText('listed here (1 row) or not').waitFor();
      await question.getByRole('textbox', { name: 'Reason (optional)' }).fill('Printed.');
      await page.keyboard.press('Enter');
      await said('Recorded: chapters/15-later.md is finished.');
    });
    expect(finished).toEqual([entryOf('object-lifecycle', { object: id, state: 'frozen', reason: 'Printed.' })]);
    await page.getByText('No questions about these').click();
    const reopened = await appended(async () => {
      await button('Reopen: chapters/15-later.md').click();
      await said('Recorded: chapters/15-later.md is open again.');
    });
    expect(reopened).toEqual([entryOf('object-lifecycle', { object: id, state: 'live', reason: '' })]);
    await rowOf(page, 'chapters/15-later.md', 'outline.md', 'changed').waitFor();
  });

  it('several rows are waived together, after a list of what will be recorded, and taken back', async () => {
    const [later, proof] = [
      rowOf(page, 'chapters/15-later.md', 'outline.md', 'changed'),
      rowOf(page, 'chapters/11-a-proof.md', 'bible/north.md', 'changed'),
    ];
    const several = rowOf(page, 'chapters/05-marcus.md', 'bible/marcus.md', 'several versions');
    const choose = async () => {
      for (const row of [later, proof, several]) {
        await row.getByRole('button', { expanded: false }).first().focus();
        await page.keyboard.press('x');
      }
      await page.keyboard.press('w');
      const dialog = page.getByRole('dialog', { name: 'Waive 2 rows' });
      const recorded = dialog.getByRole('list', { name: 'What will be recorded' });
      expect(await recorded.getByRole('listitem').allTextContents()).toEqual([
        expect.stringContaining('chapters/11-a-proof.md rests on bible/north.md'),
        expect.stringContaining('chapters/15-later.md rests on outline.md'),
      ]);
      await dialog.getByRole('list', { name: 'What is left out' }).getByText('several current versions').waitFor();
      return dialog;
    };
    const before = ledgerText(book);
    const dialog = await choose();
    await button('Waive', dialog).click();
    await dialog.getByText('Say why the difference may stand.').waitFor();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Both are old.');
    await page.keyboard.press('Enter');
    await button('Take back', later).waitFor();
    await page.keyboard.press('u');
    await said('Taken back. Nothing was recorded.');
    expect(ledgerText(book)).toBe(before);
    const again = await choose();
    await again.getByRole('textbox', { name: 'Reason' }).fill('Both are old.');
    const lines = await appended(async () => {
      await page.keyboard.press('Enter');
      await button('Take back', proof).waitFor();
      await button('Refresh').click();
      await rowOf(page, 'chapters/15-later.md', 'outline.md', 'waived').waitFor();
    });
    const waiver = {
      edge,
      upstream_object: id,
      pinned: revision,
      resolved_against: revision,
      actor: person,
      reason: 'Both are old.',
      expires: null,
    };
    expect(lines.filter(({ kind }) => kind === 'waiver')).toEqual([entryOf('waiver', waiver), entryOf('waiver', waiver)]);
    expect(lines.filter(({ kind }) => kind !== 'waiver')).toEqual([]);
  });

  it('suggests inputs, and confirms them for several documents without a new version', async () => {
    await button('Refresh').click();
    await said(/^The breakdown is ready/u);
    const heads = () => book.stemma.json('log-file', 'log', 'chapters/14-semicolon.md').heads;
    const before = heads();
    const group = page.locator('details[data-group="provenance-unknown"]');
    await unfoldNotices();
    await button('Show them', page.locator('.bd-banner').filter({ hasText: 'lost what' })).click();
    const lines = await appended(async () => {
      await button(/^Suggest inputs for/u, group).click();
      await group.getByRole('checkbox', { name: 'bible/ines.md', checked: true }).waitFor();
      await group.getByRole('combobox', { name: 'Role of bible/ines.md' }).selectOption('contextual');
      await group.getByRole('combobox', { name: 'Role of bible/ines.md' }).selectOption('direct');
      await button(/^Confirm provenance of/u, group).click();
      await group.getByText('Recorded: the provenance of 1 document is confirmed.').waitFor();
    });
    expect(lines).toEqual([
      entryOf('transformation', {
        inputs: [{ object: id, revision, role: 'direct' }],
        outputs: [{ object: id, revision: before[0], content_hash: hash, parents: expect.any(Array) }],
        agent: { type: 'human', id: expect.stringMatching(/\S/u) },
        intent: { kind: 'provenance-confirmation', summary: expect.any(String) },
        confidence: 'inferred',
      }),
    ]);
    expect(heads()).toEqual(before);
  });

  it('joins the versions of a document by keys, with all of them as parents', async () => {
    const path = 'chapters/06-two-endings.md';
    const { heads } = book.stemma.json('log-file', 'log', path);
    await button(/^More: chapters\/06/u).click();
    await page.getByRole('menuitem', { name: 'Join versions…' }).click();
    const dialog = page.getByRole('dialog', { name: `Join versions of ${path}` });
    const place = dialog.getByRole('radiogroup', { name: 'Place 1 of 1' });
    await place.getByRole('radio', { name: /The lamp stopped/u }).waitFor();
    expect(await button('Join', dialog).isDisabled()).toBe(true);
    const lines = await appended(async () => {
      await place.getByRole('radio').first().focus();
      await page.keyboard.press('ArrowUp');
      await place.getByRole('radio', { name: 'In my own words', checked: true }).waitFor();
      await page.keyboard.press('Tab');
      const own = dialog.getByRole('textbox', { name: 'Own wording for place 1' });
      await own.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await dialog.getByText('Write what shall stand there, or choose another.').waitFor();
      expect(await button('Join', dialog).isDisabled()).toBe(true);
      await page.keyboard.type('The lamp turned on, and stopped.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('listitem', { name: `${path}: several versions` }).waitFor({ state: 'detached' });
    });
    expect(lines).toEqual([
      entryOf('transformation', {
        inputs: [],
        outputs: [{ object: id, revision, content_hash: hash, parents: expect.arrayContaining(heads) }],
        agent: { type: 'human' },
        intent: { kind: 'join', summary: 'joined 2 versions' },
        confidence: 'exact',
      }),
    ]);
    expect(book.text(path)).toMatch(/# Two Endings\n\nThe lamp turned on, and stopped\.\n+$/u);
  });

  it('makes a copy a new document, which says what it was derived from', async () => {
    const lines = await appended(async () => {
      await unfoldNotices();
      await button('This copy is a new document: chapters/15-later-draft.md').click();
      await button('This copy is a new document: chapters/15-later-draft.md').waitFor({ state: 'detached' });
    });
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['object-registered', 'transformation']);
    const later = entriesIn(book, 'object-registered').find(({ body }) => body.path === 'chapters/15-later.md')!.body.object;
    expect(lines.find(({ kind }) => kind === 'object-registered')!.body).toMatchObject({
      path: 'chapters/15-later-draft.md',
      derived_from: [later],
    });
  });

  it('shows what a document would touch', async () => {
    await button(/^More: chapters\/15-later\.md rests/u).click();
    await page.getByRole('menuitem', { name: 'What would outline.md touch?' }).click();
    const dialog = page.getByRole('dialog', { name: 'What would outline.md touch?' });
    await dialog.getByText(/^If it changed, \d+ documents would be asked about\./u).waitFor();
    await dialog.getByRole('region', { name: 'At once' }).getByText('chapters/01-the-ferry.md').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows that from the panel beside a document, too', async () => {
    await button('Back to the editor').click();
    // Revising has shown the panel.
    await openDocument(page, 'outline.md');
    await button('What would this touch?', page.getByRole('complementary', { name: 'Coherence' })).click();
    await page.getByRole('dialog', { name: 'What would outline.md touch?' }).getByText('chapters/15-later.md').waitFor();
    await page.keyboard.press('Escape');
  });

  it('a finished document that was edited and is finished again is in no row, and is reopened all the same', async () => {
    const path = 'chapters/10-afterword.md';
    await openBreakdown(page);
    await page.getByText('No questions about these').click();
    await button(`Mark as finished: ${path}`).click();
    await page.getByRole('dialog', { name: `Mark ${path} as finished?` }).waitFor();
    await page.keyboard.press('Enter');
    await said(`Recorded: ${path} is finished.`);
    await button(`Mark as finished: ${path}`).waitFor({ state: 'detached' });
    const reopened = await appended(async () => {
      await button(`Reopen: ${path}`).click();
      await said(`Recorded: ${path} is open again.`);
    });
    expect(reopened).toEqual([entryOf('object-lifecycle', { object: id, state: 'live', reason: '' })]);
    await button(`Reopen: ${path}`).waitFor({ state: 'detached' });
  });
});
