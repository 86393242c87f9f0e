import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breakdownScenes } from './breakdown-scenes.ts';
import { tellBreakdownStory } from './breakdown-story.ts';
import { breakdownWordsIn, patternOf } from './breakdown-words.ts';
import { rowOf } from './writer.ts';

/** Why an entry of the catalogue is not on the screens of this book, by its key or the beginning of it. What is named here and seen fails too. */
const elsewhere: Readonly<Record<string, string>> = {
  'empty.off-title': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.off': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.off-setting': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.turn-on': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.untracked-title': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.untracked': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.fresh-title': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.fresh': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'empty.fresh-silent': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'log.nothing': 'the screens of a folder in which nothing is recorded, tracked or stale (e2e/axe.test.ts)',
  'panel.rests-on': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'panel.rested-by': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'panel.open-breakdown': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'panel.nothing-below': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'panel.nothing-above': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'panel.untracked': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'panel.revised': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'panel.left': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'still.title': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'still.explanation': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'still.dismiss': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'still.confirmed': 'the panel beside a document, and what follows revising (e2e/main-story.test.ts, e2e/breakdown-acts.test.ts)',
  'anchor.gone': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'outcome.gone': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'outcome.undecidable': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'judge.gone': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'finish.unchanged': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'still.moved': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'still.undecidable': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'join.moved': 'acts that come too late (e2e/breakdown-late-acts.test.ts)',
  'working.failed': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'outcome.failed': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'outcome.blank-reason': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'outcome.no-end': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'judge.note-too-long': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'finish.not-tracked': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'finish.reason-too-long': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'anchor.not-found': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'anchor.ambiguous': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'anchor.invalid': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'copies.not-text': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'unknown.none': 'a faulty call, or a core that fails (test/renderer/breakdown, test/core/handlers)',
  'when.this-morning': 'the time of day at which the book is read',
  'when.this-afternoon': 'the time of day at which the book is read',
  'when.this-evening': 'the time of day at which the book is read',
  'when.yesterday': 'the time of day at which the book is read',
  'when.yesterday-at': 'the time of day at which the book is read',
  'action.show-more': 'texts longer, or versions more, than this book has',
  'banner.and-more': 'texts longer, or versions more, than this book has',
  'change.folded': 'texts longer, or versions more, than this book has',
  'change.elsewhere': 'texts longer, or versions more, than this book has',
  'join.agreed': 'texts longer, or versions more, than this book has',
  'row.no-words': 'texts and makers that this book does not have',
  'row.same-text': 'texts and makers that this book does not have',
  'change.same': 'texts and makers that this book does not have',
  'row.no-reason': 'texts and makers that this book does not have',
  'change.artifact-unavailable': 'texts and makers that this book does not have',
  'anchor.no-headings': 'texts and makers that this book does not have',
  'anchor.content-unavailable': 'texts and makers that this book does not have',
  'anchor.not-carried-ambiguous': 'texts and makers that this book does not have',
  'origin.human': 'texts and makers that this book does not have',
  'origin.git': 'texts and makers that this book does not have',
  'still.unknown-name': 'texts and makers that this book does not have',
  'disabled.no-path': 'texts and makers that this book does not have',
  'disabled.no-source': 'texts and makers that this book does not have',
  'join.no-ancestor': 'texts and makers that this book does not have',
  'join.no-conflict': 'texts and makers that this book does not have',
  'join.copy': 'texts and makers that this book does not have',
  'join.take-one': 'texts and makers that this book does not have',
  'log.accepted-agent': 'texts and makers that this book does not have',
  'log.downgraded': 'texts and makers that this book does not have',
  'touch.nothing': 'texts and makers that this book does not have',
  'touch.through': 'texts and makers that this book does not have',
  'touch.after': 'texts and makers that this book does not have',
  'touch.section': 'texts and makers that this book does not have',
  'touch.by': 'texts and makers that this book does not have',
  'touch.finished': 'texts and makers that this book does not have',
  'menu.unselect': 'seen only when one more row of the book is opened, its menu or its log',
  'suggest.noise': 'seen only when one more row of the book is opened, its menu or its log',
  'check.verified-valid': 'seen only when one more row of the book is opened, its menu or its log',
  'log.widened': 'seen only when one more row of the book is opened, its menu or its log',
  'still.no-inputs': 'seen only when one more row of the book is opened, its menu or its log',
  'change.section': 'seen only when one more row of the book is opened, its menu or its log',
};

/** Walks through the book in which everything occurs, and looks for every word that the breakdown knows. */
describe('the words of the breakdown', () => {
  const story = tellBreakdownStory();
  const { button, said, open } = story;
  const scenes = breakdownScenes({ page: () => story.page });

  it('are each seen on a screen, or it is told why not', { timeout: 240_000 }, async () => {
    const { page } = story;
    await watchWords();
    await page.reload();
    await said(/^The breakdown is ready/u);
    for (const { show, leave } of scenes) {
      await show();
      await leave();
    }
    await act();
    const seen = await page.evaluate(() => [...(window as unknown as { seenWords: Set<string> }).seenWords]);
    const text = seen.map((line) => line.replaceAll('\n', ' ')).join('\n');
    const unseen = [...breakdownWordsIn('en')].filter(([key, entry]) => !isSeen(key, entry, text)).map(([key]) => key);
    const reasonOf = (key: string) => Object.keys(elsewhere).find((start) => key === start || key.startsWith(`${start}_`));
    expect(unseen.filter((key) => reasonOf(key) === undefined)).toEqual([]);
    // What time of day it is decides which of its words are seen.
    const named = Object.keys(elsewhere).filter((start) => !start.startsWith('when.'));
    expect(named.filter((start) => !unseen.some((key) => reasonOf(key) === start))).toEqual([]);
  });

  /** One number of what is counted is enough. */
  const isSeen = (key: string, entry: string, text: string) => {
    if (patternOf(entry).test(text)) return true;
    const stem = /^(.*)_(?:zero|one|other)$/u.exec(key)?.[1];
    if (stem === undefined) return false;
    const words = breakdownWordsIn('en');
    return ['zero', 'one', 'other'].some((number) => patternOf(words.get(`${stem}_${number}`) ?? '\u0000').test(text));
  };

  /** Keeps every text and name that comes onto the page, also what goes again. */
  const watchWords = () =>
    story.page.addInitScript(() => {
      const seen = new Set<string>();
      (window as unknown as { seenWords: Set<string> }).seenWords = seen;
      const keep = (node: Node) => {
        const element = node instanceof Element ? node : node.parentElement;
        if (element === null) return;
        for (const part of [element, ...element.querySelectorAll('*')]) {
          for (const name of ['aria-label', 'title', 'placeholder']) if (part.hasAttribute(name)) seen.add(part.getAttribute(name)!);
          if ((part.textContent?.length ?? 0) < 600) seen.add(part.textContent ?? '');
        }
      };
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) keep(node);
      }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-label'] });
    });

  /** What is only said when something is done. */
  async function act(): Promise<void> {
    const { page, book } = story;
    const proof = rowOf(page, 'chapters/11-a-proof.md', 'bible/north.md', 'changed');
    await open(proof);
    await proof.getByRole('radio', { name: 'Not sure' }).click();
    await said('Recorded.');
    await button('Accept latest', proof).click();
    await button('Take back', proof).click();
    await said('Taken back. Nothing was recorded.');
    await open(proof);
    await button('Accept latest', proof).click();
    book.write('bible/north.md', book.text('bible/north.md').replace('the summer', 'the autumn'));
    await proof.getByText(/^The source moved on/u).waitFor({ timeout: 20_000 });
    const later = rowOf(page, 'chapters/15-later.md', 'outline.md', 'changed');
    await open(later);
    await button('Waive', later).click();
    await later.getByRole('textbox', { name: 'Reason' }).fill('Old.');
    await later.getByRole('textbox', { name: 'Until (optional)' }).or(later.locator('input[type=date]')).first().fill('2020-01-01');
    await page.keyboard.press('Enter');
    await later.getByText('Choose a day that has not passed.').waitFor();
    await later.locator('input[type=date]').fill('2099-01-01');
    await later.getByRole('textbox', { name: 'Reason' }).press('Enter');
    await said(/^Recorded: the difference to outline\.md is waived/u);
    const ferry = rowOf(page, 'chapters/01-the-ferry.md', 'bible/ines.md', 'changed');
    await open(ferry);
    await button('Accept latest', ferry).click();
    await said(/^Recorded: the latest version of bible\/ines\.md is accepted/u);
    await button('Mark as finished: chapters/15-later.md').click();
    await page.keyboard.press('Enter');
    await said('Recorded: chapters/15-later.md is finished.');
    const letter = rowOf(page, 'chapters/02-the-letter.md', 'bible/ines.md § Ines › Habits', 'section changed');
    await letter.locator('.bd-head').focus();
    await page.keyboard.press('s');
    await page.getByRole('option', { name: '§ Ines', exact: true }).click();
    await said(/^Recorded: only § Ines counts/u);
    const wider = rowOf(page, 'chapters/02-the-letter.md', 'bible/ines.md § Ines', 'section changed');
    await open(wider);
    await button('Whole file', wider).click();
    await said('Recorded: the whole file counts again.');
    await page.locator('details[data-group="silenced"] > summary').click();
    await button('Reopen: chapters/15-later.md').click();
    await said('Recorded: chapters/15-later.md is open again.');
    const group = page.locator('details[data-group="provenance-unknown"]');
    if ((await group.getAttribute('open')) === null) await group.locator('summary').click();
    await button('Suggest inputs: chapters/14-semicolon.md', group).click();
    await button('Confirm provenance: chapters/14-semicolon.md', group).click();
    await group.getByText(/^Recorded: the provenance of 1 document/u).waitFor();
    await page.getByRole('searchbox').fill('no such name');
    await page.getByRole('heading', { name: 'No row matches' }).waitFor();
    await button('Show all').click();
    const head = join(book.folder, '.git/MERGE_HEAD');
    writeFileSync(head, `${'0'.repeat(40)}\n`);
    book.write('.vmark/contexts/default.json', '{');
    await button('Refresh').click();
    await page.locator('.bd-notices > summary').getByText('the scan was incomplete · a context is broken').waitFor();
    rmSync(head);
  }
});
