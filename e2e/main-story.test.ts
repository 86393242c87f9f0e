import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openBreakdown, openDocument, rowOf, save, statusOf, typeAtEnd } from './writer.ts';

const ines = '# Ines\r\n\r\nInes is left-handed and hides it in company.\r\n\r\nShe folds paper as her father folded charts.\r\n';
const ferry = '# The Ferry\n\nInes held the rail with her right hand and wrote with her left.\n';
const [source, chapter] = ['bible/ines.md', 'chapters/01-the-ferry.md'];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const revision = /^rev1:[0-9a-f]{64}$/u;

/** The envelope of an entry (format.md §5) with this body. */
const entryOf = (kind: string, body: object) => ({
  format: 0,
  id: expect.stringMatching(uuid),
  kind,
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
  writer: expect.stringMatching(uuid),
  idem: expect.stringMatching(uuid),
  body,
});

/** The main job, in the order of a writer's day; each part goes on where the one before ended. */
describe('a writer in the browser shell', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({ [source]: ines, [chapter]: ferry });
    // Started one folder further up: the writer opens the book from there.
    app = await launchBrowser(dirname(book.folder), { home: book.home });
    page = app.page;
    await isReady(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const button = (name: string) => page.getByRole('button', { name });
  const row = (word: string) => rowOf(page, chapter, source, word);
  const edit = (before: string, after: string) => {
    const text = book.text(source);
    expect(text).toContain(before);
    book.write(source, text.replace(before, after));
  };
  const refreshUntil = async (word: string) => {
    await button('Refresh').click();
    await row(word).waitFor();
  };
  const rows = () => book.stemma.json('breakdown', 'breakdown', '--all').artifacts.flatMap((artifact) => artifact.rows);

  it('opens a folder', async () => {
    await page.keyboard.press('ControlOrMeta+Shift+O');
    const picker = page.getByRole('dialog', { name: 'Open folder' });
    await picker.getByRole('option', { name: 'book' }).click();
    await picker.getByText(book.folder, { exact: true }).waitFor();
    await picker.getByRole('button', { name: 'Open this folder' }).click();
    await page.getByRole('row', { name: 'chapters' }).waitFor();
    expect(await page.title()).toBe('book');
  });

  it('turns Insert identity block on save on, which writes nothing into the folder', async () => {
    await statusOf(page).getByText('Provenance off').waitFor();
    await page.keyboard.press('ControlOrMeta+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('heading', { name: 'Saving' }).waitFor();
    const setting = settings.getByRole('switch', { name: 'Insert identity block on save' });
    expect(await setting.isChecked()).toBe(false);
    await settings.getByText('Insert identity block on save', { exact: true }).waitFor();
    await setting.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => setting.isChecked()).toBe(true);
    await settings.getByRole('button', { name: 'Close' }).click();
    await statusOf(page).getByText('Provenance on').waitFor();
    expect(existsSync(join(book.folder, '.vmark'))).toBe(false);
    expect(book.text(source)).toBe(ines);
  });

  it('types and saves: the file gets its identity block and what was typed, and nothing else', async () => {
    await openDocument(page, source);
    await statusOf(page).getByText('UTF-8 · CRLF').waitFor();
    await typeAtEnd(page, 'She never learned to swim.\n');
    await save(page);
    await statusOf(page)
      .getByText(/^Saved \d\d:\d\d · recorded$/u)
      .waitFor();
    const id = /^ {2}id: (\S+)\r$/mu.exec(book.text(source))?.[1];
    expect(id).toMatch(uuid);
    const block = `---\r\nvmark:\r\n  id: ${id}\r\n---\r\n`;
    expect(book.bytes(source)).toEqual(Buffer.from(`${block}${ines}She never learned to swim.\r\n`));
    expect(book.text(chapter)).toBe(ferry);
    await editorOf(page).getByText('tracked').waitFor();
    expect(await editorOf(page).textContent()).not.toContain('vmark');
  });

  it('sees what changed behind a chapter when its source was edited outside', async () => {
    book.stemma.json('record', 'record', chapter, '--from', source, '--agent', 'model:drafter');
    await openBreakdown(page);
    await page.getByRole('heading', { name: 'Nothing is stale' }).waitFor();
    edit('left-handed', 'right-handed since the accident');
    await refreshUntil('changed');
    expect(await row('changed').getAttribute('data-state')).toBe('version-stale');
    await row('changed').getByText('4 words changed').waitFor();
    await row('changed').getByRole('button', { expanded: false }).click();
    const change = row('changed').getByRole('region', { name: 'What changed' });
    const [before, now] = [change.getByRole('article', { name: 'As it was read' }), change.getByRole('article', { name: 'Now' })];
    await before.getByText('She never learned to swim.').waitFor();
    expect(await before.getByRole('deletion').allTextContents()).toEqual(['left-handed']);
    expect(await now.getByRole('insertion').allTextContents()).toEqual(['right-handed since the accident']);
    await change.getByRole('article', { name: 'The Ferry, as it is' }).getByText('wrote with her left').waitFor();
  });

  it('accepts, takes back, and accepts again: after ten seconds the row is gone and the ledger has it', async () => {
    await button('Accept latest').click();
    await button('Take back').click();
    await page.getByRole('status').filter({ hasText: 'Taken back. Nothing was recorded.' }).waitFor({ state: 'attached' });
    await row('changed').getByRole('button', { expanded: false }).click();
    await button('Accept latest').click();
    await button('Take back').waitFor();
    expect(book.lines('ratification')).toEqual([]);
    await page.getByRole('heading', { name: 'Nothing is stale' }).waitFor({ timeout: 15_000 });
    expect(await row('changed').count()).toBe(0);
    const writes = book.lines('transformation');
    const written = writes.find(({ body }) => (body.inputs as object[]).length > 0)!;
    const [input] = written.body.inputs as { object: string; revision: string }[];
    const [resolved] = writes.at(-1)!.body.outputs as { revision: string }[];
    expect(book.lines('ratification')).toEqual([
      entryOf('ratification', {
        edge: { txf: written.id, input: 0 },
        upstream_object: input?.object,
        pinned: input?.revision,
        resolved_against: resolved?.revision,
        actor: { type: 'human', id: expect.stringMatching(/\S/u) },
        reason: null,
        expires: null,
      }),
    ]);
    expect(rows()).toMatchObject([{ state: 'fresh', resolutions: 1 }]);
  });

  it('comes back when the source moves again, and is waived with a reason, never without', async () => {
    edit('folded charts', 'folded letters');
    await refreshUntil('changed');
    await row('changed').getByRole('button', { expanded: false }).click();
    await row('changed').getByText('folded letters').waitFor();
    await row('changed').getByRole('button', { name: 'Waive' }).click();
    const form = page.getByRole('form', { name: 'Waive this difference' });
    const reason = form.getByRole('textbox', { name: 'Reason' });
    for (const blank of ['', '   ']) {
      await reason.fill(blank);
      await form.getByRole('button', { name: 'Waive' }).click();
      await form.getByText('Say why the difference may stand.').waitFor();
    }
    await reason.fill('The charts are her memory, not a fact.');
    await form.getByRole('button', { name: 'Waive' }).click();
    await button('Take back').waitFor();
    expect(book.lines('waiver')).toEqual([]);
    await refreshUntil('waived');
    await row('waived').getByText('“The charts are her memory, not a fact.”').waitFor();
    expect(await row('waived').getAttribute('data-state')).toBe('waived');
    const accepted = book.lines('ratification')[0]!.body;
    expect(book.lines('waiver')).toEqual([
      entryOf('waiver', {
        ...accepted,
        resolved_against: expect.stringMatching(revision),
        reason: 'The charts are her memory, not a fact.',
        expires: null,
      }),
    ]);
    expect(book.lines('waiver')[0]!.body.resolved_against).not.toBe(accepted.resolved_against);
  });

  it('revises the chapter beside the change, and says what it still rests on', async () => {
    const head = book.stemma.json('log-file', 'log', chapter).heads;
    await row('waived').getByRole('button', { expanded: false }).click();
    await row('waived').getByRole('button', { name: 'Revise' }).click();
    await page.getByRole('tab', { name: '01-the-ferry.md', selected: true }).waitFor();
    const panel = page.getByRole('complementary', { name: 'Coherence' });
    await panel.getByRole('heading', { name: `What changed in ${source}` }).waitFor();
    await panel.getByRole('insertion').filter({ hasText: 'letters' }).waitFor();
    await typeAtEnd(page, 'Since the accident she wrote with either.\n');
    await save(page);
    const question = page.getByRole('region', { name: 'Still rests on these' });
    await question.getByRole('checkbox', { name: source, checked: true }).waitFor();
    const unknown = book.stemma.json('breakdown', 'breakdown').provenanceUnknown;
    expect(unknown).toMatchObject([{ path: chapter }]);
    await question.getByRole('button', { name: 'Confirm provenance' }).click();
    await question.waitFor({ state: 'detached' });
    const { heads } = book.stemma.json('log-file', 'log', chapter);
    expect(heads).not.toEqual(head);
    const all = book.stemma.json('breakdown', 'breakdown', '--all');
    expect(all.provenanceUnknown).toEqual([]);
    const [current] = book.stemma.json('log-file', 'log', source).heads;
    expect(all.artifacts).toMatchObject([
      {
        path: chapter,
        rows: [{ state: 'fresh', source: { path: source }, pinned: { revision: current }, current: { revision: current } }],
      },
    ]);
    expect(all.artifacts[0]?.rows).toHaveLength(1);
    const confirmed = book.lines('transformation').at(-1)?.body;
    expect(confirmed).toMatchObject({
      intent: { kind: 'provenance-confirmation' },
      agent: { type: 'human' },
      confidence: 'inferred',
      outputs: [{ revision: heads[0] }],
    });
  });

  it('leaves a ledger in which everything is in order', () => {
    expect(book.stemma.json('verify', 'verify')).toMatchObject({ ok: true, problems: [] });
  });
});
