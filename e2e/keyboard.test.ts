import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { focusSeen } from './focus-seen.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, rowOf, statusOf } from './writer.ts';

const [source, chapter] = ['bible/ines.md', 'chapter.md'];

/** A pointer that moved or was pressed; the page counts them. */
type Counting = Window & { pointers: number };
declare const window: Counting;

/** All that this file does to the page: keys. After each the focus must be seen. */
function handsOn(page: Page) {
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate(focusSeen), { message: `after ${key}` }).toBe('seen');
    }
  };
  const isOn = (wanted: Locator) => wanted.evaluate((element) => element === document.activeElement);
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    isOn: (wanted: Locator) => expect.poll(async () => (await wanted.count()) === 1 && isOn(wanted)).toBe(true),
    /** Goes on with a key until the wanted part has the focus. */
    async go(wanted: Locator, key: string): Promise<void> {
      await wanted.waitFor({ state: 'attached' });
      for (let steps = 0; !(await isOn(wanted)); steps++) {
        if (steps > 40) throw new Error(`${key} does not lead to ${wanted}`);
        await page.keyboard.press(key);
        // Past the last part the browser's own bar has the focus, and then the first part.
        await expect.poll(() => page.evaluate(focusSeen)).toMatch(/^(seen|nothing has the focus)$/u);
      }
      expect(await page.evaluate(focusSeen)).toBe('seen');
    },
  };
}

describe('the main job by keyboard alone', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let hands: ReturnType<typeof handsOn>;
  beforeAll(async () => {
    book = createBook({
      [source]: '# Ines\n\nInes is left-handed.\n\nShe folds paper.\n',
      [chapter]: '# The Ferry\n\nInes wrote with her left hand.\n',
    });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    hands = handsOn(page);
    await isReady(page);
    await page.evaluate(() => {
      window.pointers = 0;
      const count = ({ isTrusted, detail, type }: UIEvent) => {
        // A key that presses a button makes a click of no clicks.
        if (isTrusted && (type !== 'click' || detail > 0)) window.pointers++;
      };
      for (const name of ['pointerdown', 'pointermove', 'mousedown', 'click', 'wheel'] as const)
        window.addEventListener(name, count as (event: Event) => void, { capture: true });
    });
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const button = (name: string) => page.getByRole('button', { name });
  const row = (word: string) => rowOf(page, chapter, source, word);
  const lineOf = (word: string) => row(word).locator('[aria-expanded]');
  const refresh = async () => {
    await hands.go(button('Refresh'), 'Tab');
    await hands.press('Enter');
  };

  it('goes round the parts of the window', async () => {
    await hands.press('F6');
    await hands.isOn(button('Show or hide files'));
    await hands.press('F6');
    await hands.go(page.getByRole('row', { name: 'bible' }), 'Tab');
    await hands.press('F6', 'F6', 'F6');
    await hands.isOn(button('Show or hide files'));
    await hands.press('Shift+F6', 'Shift+F6', 'Shift+F6');
    const filter = page.getByRole('searchbox', { name: 'Filter files' });
    await hands.isOn(filter);
    for (const [key, name] of [
      ['ControlOrMeta+P', 'Go to'],
      ['F1', 'Go to'],
      ['ControlOrMeta+,', 'Settings'],
      ['ControlOrMeta+Shift+O', 'Open folder'],
      ['Alt+Shift+U', 'New document'],
    ] as const) {
      await hands.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      await hands.press('Tab', 'Shift+Tab', 'Escape');
      await hands.isOn(filter);
    }
  });

  it('turns Insert identity block on save on', async () => {
    await hands.press('ControlOrMeta+,');
    const setting = page.getByRole('switch', { name: 'Insert identity block on save' });
    await hands.go(setting, 'Tab');
    await hands.press('Space');
    await expect.poll(() => setting.isChecked()).toBe(true);
    await hands.press('Escape');
    await hands.isOn(page.getByRole('searchbox', { name: 'Filter files' }));
    await statusOf(page).getByText('Provenance on').waitFor();
  });

  it('opens a document in the tree, writes and saves', async () => {
    await hands.go(page.getByRole('row', { name: 'bible', expanded: false }), 'Tab');
    await hands.press('ArrowRight');
    await page.getByRole('row', { name: 'bible', expanded: true }).waitFor();
    await page.getByRole('row', { name: 'ines.md' }).waitFor();
    await hands.press('ArrowDown');
    await hands.isOn(page.getByRole('row', { name: 'ines.md' }));
    await hands.press('Enter');
    await hands.isOn(editorOf(page));
    await hands.press('ControlOrMeta+End');
    await hands.type('She never swam.\n');
    await hands.press('ControlOrMeta+S');
    await statusOf(page)
      .getByText(/^Saved .* recorded$/u)
      .waitFor();
    expect(book.text(source)).toMatch(/^---\nvmark:\n {2}id: \S+\n---\n# Ines\n/u);
  });

  it('looks at what changed, accepts it, takes that back and accepts it again', async () => {
    book.stemma.json('record', 'record', chapter, '--from', source);
    book.write(source, book.text(source).replace('left-handed', 'right-handed'));
    await page.keyboard.press('ControlOrMeta+Shift+B');
    await hands.isOn(lineOf('changed'));
    await hands.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await hands.press('Escape');
    await hands.isOn(lineOf('changed'));
    await hands.press('j', 'a');
    await row('changed').getByRole('insertion').filter({ hasText: 'right-handed' }).waitFor();
    await hands.press('a');
    await button('Take back').waitFor();
    await hands.press('u');
    await button('Take back').waitFor({ state: 'detached' });
    await hands.isOn(lineOf('changed'));
    await hands.press('Enter');
    await row('changed').getByRole('insertion').filter({ hasText: 'right-handed' }).waitFor();
    await hands.press('a');
    await button('Take back').waitFor();
    await refresh();
    await page.getByRole('heading', { name: 'Nothing is stale' }).waitFor();
    await hands.isOn(button('Refresh'));
    expect(book.lines('ratification')).toHaveLength(1);
  });

  it('waives with a reason, never without', async () => {
    book.write(source, book.text(source).replace('folds paper', 'folds charts'));
    await hands.press('Enter');
    await row('changed').waitFor();
    await hands.go(lineOf('changed'), 'Tab');
    await hands.press('w');
    const reason = page.getByRole('textbox', { name: 'Reason' });
    await hands.isOn(reason);
    await row('changed').getByRole('insertion').filter({ hasText: 'charts' }).waitFor();
    await hands.press('Enter');
    await page.getByText('Say why the difference may stand.').waitFor();
    await hands.isOn(reason);
    await hands.type('Paper or charts: it is a habit.');
    await hands.press('Enter');
    await button('Take back').waitFor();
    await hands.isOn(lineOf('changed'));
    await hands.go(button('Refresh'), 'Shift+Tab');
    await hands.press('Enter');
    await row('waived').getByText('“Paper or charts: it is a habit.”').waitFor();
    expect(book.lines('waiver')).toHaveLength(1);
  });

  it('revises, saves, and confirms what the document still rests on', async () => {
    await hands.go(lineOf('waived'), 'Tab');
    await page.keyboard.press('r');
    await page.getByRole('tab', { name: 'chapter.md', selected: true }).waitFor();
    await hands.isOn(editorOf(page));
    await hands.press('ControlOrMeta+End');
    await hands.type('She changed hands.\n');
    await hands.press('ControlOrMeta+S');
    const question = page.getByRole('region', { name: 'Still rests on these' });
    const tick = question.getByRole('checkbox', { name: source });
    await tick.waitFor();
    const panel = page.getByRole('complementary', { name: 'Coherence' });
    await hands.press('F6');
    await hands.isOn(tick);
    await hands.press('F6');
    await hands.isOn(panel.getByRole('button', { name: 'Refresh' }));
    await hands.press('Shift+F6');
    await hands.isOn(tick);
    await hands.press('Space', 'Space');
    expect(await tick.isChecked()).toBe(true);
    await hands.go(question.getByRole('button', { name: 'Confirm provenance' }), 'Tab');
    await hands.press('Enter');
    await question.waitFor({ state: 'detached' });
    await hands.isOn(editorOf(page));
    const { artifacts, provenanceUnknown } = book.stemma.json('breakdown', 'breakdown', '--all');
    expect(artifacts).toMatchObject([{ path: chapter, rows: [{ state: 'fresh', source: { path: source } }] }]);
    expect(provenanceUnknown).toEqual([]);
  });

  it('leaves the text by Escape and Tab, and closes the document', async () => {
    await hands.press('Escape', 'Tab');
    await hands.isOn(page.getByRole('complementary', { name: 'Coherence' }).getByRole('button', { name: 'Refresh' }));
    await hands.go(button('Show or hide files'), 'Shift+F6');
    await hands.go(page.getByRole('tab', { name: 'chapter.md' }), 'Tab');
    await hands.press('Delete');
    await expect.poll(() => page.getByRole('tab').count()).toBe(1);
  });

  it('needed no pointer', async () => {
    expect(await page.evaluate(() => window.pointers)).toBe(0);
  });
});
