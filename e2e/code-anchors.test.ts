import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openBreakdown, openDocument } from './writer.ts';

const functionOf = (name: string, line = '') =>
  `export function ${name}(path: string): string[] {\n  const parts = path.split("/");\n${line}  return parts.map((part) => part.trim() + "${name}");\n}\n`;
const names = ['languageForPath', 'languageForName', 'languageForText'];
const code = (changed: string | null = null) =>
  names.map((name) => functionOf(name, name === changed ? '  if (parts.length > 9) return [];\n' : '')).join('\n');

/** Three paragraphs about three functions of one file, as in the post that began it. */
describe('code anchors', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({
      'docs/anchors.md':
        '# Anchors\n\n## Paths\n\nA path says its language.\n\n## Names\n\nA name does, too.\n\n## Texts\n\nSo does a text.\n',
      'docs/guide.md': '# Guide\n\nPress the button.\n',
      'src/languages.ts': code(),
    });
    expect((await book.stemma('init')).code).toBe(0);
    for (const [at, heading] of ['Paths', 'Names', 'Texts'].entries()) {
      const added = await book.stemma(
        'anchors',
        'add',
        'docs/anchors.md',
        '--file',
        'src/languages.ts',
        '--symbol',
        names[at]!,
        '--section',
        heading,
      );
      expect(added).toMatchObject({ code: 0 });
    }
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    page.setDefaultTimeout(15_000);
    await isReady(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const button = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
  const rows = () => page.locator('.code-rows li.bd-row');
  const fresh = () => page.locator('[data-group=code-fresh] summary');
  const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' });
  const refresh = async () => {
    await button('Refresh').click();
    await page.locator('.bd-working').waitFor({ state: 'detached' });
  };

  it('a section is anchored from the palette: file, declaration with its preview, and the mark beside the heading', async () => {
    await openDocument(page, 'docs/anchors.md');
    await page.getByRole('button', { name: 'Describes function languageForPath' }).waitFor();
    await editorOf(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('anchor to code');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Anchor to code' });
    expect(await dialog.getByRole('combobox', { name: 'Text that describes it' }).inputValue()).toBe('["Anchors","Texts"]');
    await dialog.getByRole('combobox', { name: 'File' }).fill('srclang');
    await dialog.getByRole('option', { name: 'src/languages.ts' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('combobox', { name: 'Declaration' }).fill('lfp');
    await dialog.getByRole('region', { name: 'Preview of function languageForPath' }).getByText('parts.map').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('docs/anchors.md is anchored to function languageForPath.').waitFor();
    await page.getByRole('button', { name: 'Describes function languageForPath and 1 other' }).click();
    await page.getByRole('menuitem', { name: /languageForText/ }).waitFor();
    await page.keyboard.press('Escape');
    const [made] = book.lines('code-anchor').slice(-1);
    expect(made).toMatchObject({ body: { section: ['Anchors', 'Texts'], actor: { type: 'human' } } });
    expect(await book.stemma('anchors', 'remove', (made!.body as { anchor: string }).anchor)).toMatchObject({ code: 0 });
  });

  it('fresh, fresh, fresh; a line more in one body: fresh, stale, fresh, in the words of the card', async () => {
    await openBreakdown(page);
    await fresh()
      .filter({ hasText: /^Code as described 3$/u })
      .waitFor();
    expect(await rows().count()).toBe(0);
    book.write('src/languages.ts', code('languageForName'));
    await refresh();
    await rows().first().waitFor();
    expect(await rows().evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')))).toEqual([
      'docs/anchors.md § Names: function languageForName — Stale — the declaration is still there, but its body changed',
    ]);
    await fresh()
      .filter({ hasText: /^Code as described 2$/u })
      .waitFor();
    expect(await page.getByRole('radio', { name: 'Code 1' }).count()).toBe(1);
  });

  it('the code stands then and now beside the paragraph, by keys alone', async () => {
    await rows().first().getByRole('button', { expanded: false }).focus();
    await page.keyboard.press('Enter');
    const change = rows().first().getByRole('region', { name: 'The code then and now' });
    await change.waitFor();
    expect(await change.locator('ins').allInnerTexts()).toEqual(['  if (parts.length > 9) return [];\n']);
    expect(await change.getByRole('article', { name: 'What docs/anchors.md § Names says' }).textContent()).toContain('A name does, too.');
  });

  it('a confirmation is refused where the code moved after it was shown, and recorded once it is seen', async () => {
    book.write('src/languages.ts', code('languageForName').replace('> 9', '> 7'));
    await button('Confirm reviewed').click();
    await rows().first().getByText('The code has changed since it was shown, so nothing was recorded.').waitFor();
    expect(book.lines('code-anchor-confirmation')).toEqual([]);
    await rows().first().locator('ins').filter({ hasText: '> 7' }).waitFor();
    await rows().first().getByRole('button', { expanded: true }).focus();
    await page.keyboard.press('a');
    await said('Confirmed: function languageForName is as the text says.');
    await rows().first().waitFor({ state: 'detached' });
    expect(book.lines('code-anchor-confirmation')).toMatchObject([{ body: { from: 'stale', actor: { type: 'human' } } }]);
  });

  it('several that are as likely are offered, and one is taken', async () => {
    const twin = (name: string) => functionOf('languageForPath').replace('function languageForPath', `function ${name}`);
    book.write(
      'src/languages.ts',
      [twin('one'), twin('two'), functionOf('languageForName', '  if (parts.length > 7) return [];\n'), functionOf('languageForText')].join(
        '\n',
      ),
    );
    await refresh();
    const row = rows().filter({ hasText: 'languageForPath' });
    await row.getByRole('button', { expanded: false }).click();
    await row.getByText('Which of these is it now?').waitFor();
    expect(await row.getAttribute('data-reason')).toBe('ambiguous');
    await button('Rebind to function two (src/languages.ts:6)', row).click();
    await said('The text describes function two now.');
    expect(book.lines('code-anchor').at(-1)).toMatchObject({ body: { qualified_name: 'two', section: ['Paths'] } });
  });

  it('several are confirmed together: each is looked at in the list, what cannot be is left out, what moved since is refused', async () => {
    const texts = (limit: number) =>
      ['languageForName', 'languageForText'].map((name) => functionOf(name, `  if (parts.length > ${limit}) return [];\n`)).join('\n');
    book.write('src/languages.ts', texts(5));
    await refresh();
    await rows().nth(2).waitFor();
    for (const row of await rows().all()) {
      await row.getByRole('button', { expanded: false }).focus();
      await page.keyboard.press('x');
    }
    await page.getByRole('region', { name: 'Selected rows about code' }).getByText('3 rows about code selected').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Confirm 2 code anchors' });
    const recorded = dialog.getByRole('list', { name: 'What will be recorded' });
    await dialog.getByRole('list', { name: 'What is left out' }).getByText('There is no code to confirm').waitFor();
    expect(await recorded.locator('summary').count()).toBe(2);
    expect(await recorded.locator('ins').allInnerTexts()).toEqual(['5', '  if (parts.length > 5) return [];\n']);
    const before = book.lines('code-anchor-confirmation').length;
    book.write('src/languages.ts', texts(5).replace(/> 5(?![\s\S]*> 5)/u, '> 4'));
    await button('Confirm reviewed', dialog).click();
    await said('Confirmed: 1 code anchor. Not recorded: 1; their rows say why.');
    await rows().nth(2).waitFor({ state: 'detached' });
    await rows()
      .filter({ hasText: 'languageForText' })
      .getByText('The code has changed since it was shown, so nothing was recorded.')
      .waitFor();
    expect(book.lines('code-anchor-confirmation').slice(before)).toMatchObject([
      { body: { from: 'stale', qualified_name: 'languageForName' } },
    ]);
    await button('Clear selection').click();
  });

  it('what is lost is answered in three ways: other code, removed code, no anchor', async () => {
    book.write('src/languages.ts', 'export const other = () => ["something", "else", "altogether", 1, 2, 3];\n');
    await refresh();
    await rows().nth(2).waitFor();
    expect(await rows().evaluateAll((all) => all.map((row) => row.getAttribute('data-state')))).toEqual(['lost', 'lost', 'lost']);
    const open = (name: string) => rows().filter({ hasText: name }).getByRole('button', { expanded: false }).click();
    await open('two');
    expect(await button('Confirm reviewed').count()).toBe(0);
    await button('Describes removed code').click();
    const retire = page.getByRole('dialog', { name: 'This text describes removed code' });
    await retire.getByRole('textbox', { name: 'Reason' }).fill('kept for version 1');
    await button('Describes removed code', retire).click();
    await said('It is recorded that the text describes removed code.');
    await open('languageForName');
    await button('Remove').click();
    await button('Remove', page.getByRole('dialog', { name: 'Remove this anchor?' })).click();
    await said('The anchor to function languageForName was removed.');
    await open('languageForText');
    await page.keyboard.press('b');
    const rebind = page.getByRole('dialog', { name: 'Rebind to other code' });
    await rebind.getByRole('combobox', { name: 'File' }).fill('langua');
    await rebind.getByRole('option', { name: 'src/languages.ts' }).waitFor();
    await page.keyboard.press('Enter');
    await rebind.getByRole('option', { name: /other/ }).waitFor();
    await rebind.getByRole('region', { name: 'Preview of const other' }).getByText('altogether').waitFor();
    await page.keyboard.press('Enter');
    await said('The text describes const other now.');
    await page.getByText('Describes removed code').click();
    await page.getByText('“kept for version 1”').waitFor();
    await button(/^Reopen docs\/anchors.md/).click();
    await said('The text is held against code again.');
    expect(book.lines('code-anchor-retirement').map(({ body }) => body.state)).toEqual(['retired', 'live']);
  });

  it('two documents are paired from the palette; the one that stayed behind is told, and both are confirmed in step', async () => {
    await button(/Back to the editor/).click();
    await openDocument(page, 'docs/anchors.md');
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('pair with');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Pair with another document' });
    await dialog.getByRole('combobox', { name: 'The other document' }).fill('guide');
    await dialog.getByRole('option', { name: 'docs/guide.md' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('docs/anchors.md and docs/guide.md are a pair now.').waitFor();
    book.write('docs/anchors.md', book.text('docs/anchors.md').replace('A name does, too.', 'A name does not.'));
    await openBreakdown(page);
    const row = page.getByRole('listitem', { name: 'docs/guide.md and docs/anchors.md: the other is ahead', exact: true });
    await row.getByRole('button', { expanded: false }).click();
    await row.locator('ins').filter({ hasText: 'not' }).waitFor();
    await button('Confirm in step', row).click();
    await said('Confirmed: docs/anchors.md and docs/guide.md are in step.');
    await row.waitFor({ state: 'detached' });
    expect(book.lines('document-pair-confirmation')).toMatchObject([{ body: { actor: { type: 'human' } } }]);
  });

  it('a pair that is in step stands folded, and is taken apart there', async () => {
    await page.getByText('Paired documents in step').click();
    await button('Unpair docs/anchors.md and docs/guide.md').click();
    await said('docs/anchors.md and docs/guide.md are no pair any more.');
    await page.getByText('Paired documents in step').waitFor({ state: 'detached' });
    expect(book.lines('document-pair-removal')).toMatchObject([{ body: { actor: { type: 'human' } } }]);
    await page.getByText('Coherence log').click();
    const log = page.getByRole('list', { name: 'Confirmations of code and pairs' });
    await log.getByText('docs/anchors.md and docs/guide.md unpaired since').waitFor();
    expect(await log.locator(':scope > li').count()).toBe(2);
    expect(await log.locator(':scope > li').first().locator('li').allInnerTexts()).toHaveLength(2);
    await log.getByText('confirmed in step by').waitFor();
    await log.getByText('removed since').waitFor();
  });

  it('a partial check says that it is one, and what was not checked', async () => {
    writeFileSync(join(book.home, 'settings.json'), JSON.stringify({ insertIdentity: true, app: { 'anchors.files': 0 } }));
    await refresh();
    await page.locator('[data-banner=partial-check]').waitFor();
    expect(await page.locator('[data-banner=partial-check]').textContent()).toMatch(
      /^This was a partial check: 2 code anchors were not checked\./,
    );
    await expect.poll(() => rows().filter({ hasText: 'not checked' }).count()).toBe(2);
  });
});

it('where provenance is off the picker and the pairing offer to turn it on and do it; until that is said nothing is written', async () => {
  const book = createBook({
    'docs/anchors.md': '# Anchors\n\nA path says its language.\n',
    'docs/guide.md': '# Guide\n',
    'src/languages.ts': code(),
  });
  const app = await launchBrowser(book.folder, { home: book.home });
  onTestFinished(async () => {
    await app.stop();
    book.dispose();
  });
  const { page } = app;
  await isReady(page);
  await openDocument(page, 'docs/anchors.md');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('pair with');
  await page.keyboard.press('Enter');
  const pairing = page.getByRole('dialog', { name: 'Pair with another document' });
  await pairing.getByRole('combobox', { name: 'The other document' }).fill('guide');
  await pairing.getByRole('option', { name: 'docs/guide.md' }).waitFor();
  await page.keyboard.press('Enter');
  await pairing.getByRole('alert').getByRole('button', { name: 'Turn on and pair' }).waitFor();
  await page.keyboard.press('Escape');
  await pairing.waitFor({ state: 'detached' });
  await editorOf(page).click();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('anchor to code');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Anchor to code' });
  await dialog.getByRole('combobox', { name: 'File' }).fill('srclang');
  await dialog.getByRole('option', { name: 'src/languages.ts' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: 'Declaration' }).fill('lfp');
  await dialog.getByRole('region', { name: 'Preview of function languageForPath' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('Provenance is off here, so nothing can be anchored yet.').waitFor();
  expect(existsSync(join(book.folder, '.vmark'))).toBe(false);
  expect(book.text('docs/anchors.md')).toBe('# Anchors\n\nA path says its language.\n');
  await page.keyboard.press('Enter');
  await page.getByText('docs/anchors.md is anchored to function languageForPath.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(book.lines('code-anchor')).toMatchObject([{ body: { qualified_name: 'languageForPath', actor: { type: 'human' } } }]);
  await page.getByRole('button', { name: 'Describes function languageForPath' }).waitFor();
});

it('what somebody else has confirmed meanwhile has nothing to confirm, and says that', async () => {
  const book = createBook({ 'docs/guide.md': '# Guide\n', 'src/languages.ts': code() });
  await book.stemma('init');
  await book.stemma('anchors', 'add', 'docs/guide.md', '--file', 'src/languages.ts', '--symbol', names[0]!);
  book.write('src/languages.ts', code(names[0]));
  const app = await launchBrowser(book.folder, { home: book.home });
  onTestFinished(async () => {
    await app.stop();
    book.dispose();
  });
  const { page } = app;
  await isReady(page);
  await openBreakdown(page);
  const row = page.locator('.code-rows li.bd-row');
  await row.waitFor();
  const [made] = book.lines('code-anchor');
  expect(await book.stemma('anchors', 'confirm', made!.body.anchor as string)).toMatchObject({ code: 0 });
  await row.getByRole('button', { expanded: false }).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: /^Confirm 0/u });
  await dialog.getByRole('list', { name: 'What is left out' }).getByText('There is nothing to confirm').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('button', { expanded: false }).click();
  await row.getByText('There is nothing to confirm').waitFor();
  expect(await row.getByRole('button', { name: 'Confirm reviewed' }).isDisabled()).toBe(true);
});
