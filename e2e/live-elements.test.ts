import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked } from './writer.ts';

/** An element: its first line as it stands, as it is seen from elsewhere, and what the cursor at its end makes seen. */
const elements: Readonly<Record<string, readonly [source: string, away: string, within: string]>> = {
  heading: ['## A heading ##', 'A heading', '## A heading ##'],
  underlined: ['A heading\n---', 'A heading', 'A heading'],
  emphasis: ['some *soft*', 'some soft', 'some *soft*'],
  strong: ['some **loud**', 'some loud', 'some **loud**'],
  both: ['some ***loud***', 'some loud', 'some ***loud***'],
  struck: ['some ~~gone~~', 'some gone', 'some ~~gone~~'],
  highlight: ['some ==marked==', 'some marked', 'some ==marked=='],
  code: ['some `code`', 'some code', 'some `code`'],
  link: ['a [word](b.md)', 'a word', 'a [word](b.md)'],
  reference: ['a [word][1]\n\n[1]: b.md', 'a word', 'a [word][1]'],
  autolink: ['at <https://a.example>', 'at https://a.example', 'at <https://a.example>'],
  wikilink: ['a [[b|word]]', 'a word', 'a [[b|word]]'],
  escape: ['not \\*soft\\*', 'not *soft*', 'not *soft\\*'],
  footnote: ['called[^a]\n\n[^a]: said', 'calleda', 'called[^a]'],
  bullet: ['- an item', '•an item', '•an item'],
  number: ['7. an item', '7.an item', '7.an item'],
  quote: ['> said', 'said', 'said'],
  callout: ['> [!note]\n> said', 'Note', '[!note]'],
  task: ['- [ ] to do', 'to do', 'to do'],
  rule: ['***', '', '***'],
  fence: ['```js\nlet a\n```', 'jsCopy', '```js'],
};
const fileOf = (source: string, first = 'First') => `${first}.\n\n${source}\n\nLast.\n`;

describe('an element of a text', () => {
  let book: Book;
  let app: RunningBrowser;
  beforeAll(async () => {
    const files = Object.entries(elements).map(([name, [source]]) => [`${name}.md`, fileOf(source, name)]);
    book = createBook({
      ...Object.fromEntries(files),
      'formula.md': fileOf('where $x^2$'),
      'block.md': fileOf('$$\nx^2\n$$'),
      'diagram.md': fileOf('```mermaid\ngraph LR\n  A --> B\n```'),
      'picture.md': fileOf('![alt](dot.svg)\n\n![far](https://example.org/a.png)'),
      'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><rect width="9" height="9"/></svg>',
      'front.md': '---\ntitle: Old # kept\r\ntags: [a, b]\ndone: false\n---\n# Text\n',
      'fold.md': '# One\n\nunder one\n\n## Two\n\nunder two\n\n# Three\n',
      'composed.md': '# \n\n- \n\na [word](b.md) end\n\n**bold**\n\n$x$\n',
      'rtl.md': 'שלום **עולם** end.\n\n- פריט ראשון\n- second\n',
      'cell.md': fileOf('| a |\n| - |\n| about #boats |\n| #bells |'),
      'links.md': 'see [gone](gone.md), [here](b.md), [[b]] and [[gone]]\n\n',
      'folded.md': 'First.\n\n> [!note]- The tide\n> High water at six.\n>\n> - by the quay\n\nLast.\n',
      'notes.md': 'Called[^a].\n\n[^a]: First paragraph.\n\n    Second one.\n\n    - in a list\n\nAfter.\n',
      'signs.md': 'a👩‍👩‍👧b e\u0301f **🏳️‍🌈** [世界](b.md)\n',
      'b.md': '# B head\n\n## Second part\n',
    });
    app = await launchBrowser(book.folder, { home: book.home });
    await isReady(app.page);
    await saveNothingUnasked(app.page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const lineAt = (index: number) => app.page.locator('.cm-content > .cm-line').nth(index);
  const press = async (...keys: string[]) => {
    for (const key of keys) await app.page.keyboard.press(key);
  };
  const isSaved = async (path: string, text: string) => {
    await press('ControlOrMeta+S');
    await expect.poll(() => book.text(path)).toBe(text);
  };
  /** Lets what was changed be undone and done again, to the byte. */
  const undoAndRedo = async (path: string, before: string, after: string) => {
    await isSaved(path, after);
    await press('ControlOrMeta+Z');
    await isSaved(path, before);
    await press('ControlOrMeta+Y');
    await isSaved(path, after);
  };

  it.each(Object.entries(elements))('shows its marks only while the cursor is in it: %s', async (name, [source, away, within]) => {
    const path = `${name}.md`;
    await openDocument(app.page, path);
    await expect.poll(() => lineAt(0).textContent()).toBe(`${name}.`);
    await press('ControlOrMeta+Home');
    await expect.poll(() => lineAt(2).textContent()).toBe(away);
    await press('ArrowDown', 'ArrowDown', 'End');
    await expect.poll(() => lineAt(2).textContent()).toBe(within);
    await app.page.keyboard.type('x');
    const [first = '', ...others] = source.split('\n');
    await undoAndRedo(path, fileOf(source, name), fileOf([`${first}x`, ...others].join('\n'), name));
    await press('ControlOrMeta+Home');
  });

  it('is ticked by a click, which changes one sign', async () => {
    await openDocument(app.page, 'task.md');
    const before = book.text('task.md');
    await app.page.getByRole('checkbox', { name: /^to do/u }).click();
    await undoAndRedo('task.md', before, before.replace('[ ]', '[x]'));
  });

  it('is a formula, which is set until the cursor goes in', async () => {
    await openDocument(app.page, 'formula.md');
    await lineAt(2).locator('.katex').waitFor();
    await press('ArrowDown', 'ArrowDown', 'End');
    await expect.poll(() => lineAt(2).textContent()).toBe('where $x^2$');
    await app.page.keyboard.type('!');
    await undoAndRedo('formula.md', fileOf('where $x^2$'), fileOf('where $x^2$!'));
    await openDocument(app.page, 'block.md');
    await app.page.locator('.cm-drawn .katex-display').click();
    await expect.poll(() => app.page.locator('.cm-content').textContent()).toContain('$$');
    await press('ControlOrMeta+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
    await app.page.keyboard.type('+1');
    await undoAndRedo('block.md', fileOf('$$\nx^2\n$$'), fileOf('$$\nx^2+1\n$$'));
  });

  it('is a diagram, drawn as a picture', async () => {
    await openDocument(app.page, 'diagram.md');
    const picture = app.page.getByRole('img', { name: /^Diagram: graph LR/u });
    await picture.waitFor({ timeout: 90_000 });
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml/u);
    await picture.click();
    await press('ControlOrMeta+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
    await app.page.keyboard.type('C');
    await undoAndRedo('diagram.md', fileOf('```mermaid\ngraph LR\n  A --> B\n```'), fileOf('```mermaid\ngraph LR\n  A --> BC\n```'));
  });

  it('is a tag, in a cell that nobody writes in too', async () => {
    await openDocument(app.page, 'cell.md');
    await expect.poll(() => app.page.locator('td .cm-tag').allTextContents()).toEqual(['#boats', '#bells']);
  });

  it('is a picture: of the folder at once, of elsewhere not before it is asked for', async () => {
    const asked: string[] = [];
    app.page.on('request', (request) => asked.push(request.url()));
    await openDocument(app.page, 'picture.md');
    const picture = app.page.getByRole('img', { name: 'alt' });
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(9);
    await app.page.getByRole('button', { name: 'Load picture' }).waitFor();
    expect(asked.filter((url) => url.includes('example.org'))).toEqual([]);
    await press('ArrowDown', 'ArrowDown', 'End');
    await app.page.keyboard.type('x');
    const before = fileOf('![alt](dot.svg)\n\n![far](https://example.org/a.png)');
    await undoAndRedo('picture.md', before, before.replace('dot.svg)', 'dot.svg)x'));
  });

  it('is a property of its own document, also where another one is opened at once', async () => {
    const { page } = app;
    await openDocument(page, 'front.md');
    const [before, other] = [book.text('front.md'), book.text('fold.md')];
    await page.getByRole('textbox', { name: 'title', exact: true }).fill('Ninth');
    await openDocument(page, 'fold.md');
    await press('ControlOrMeta+S');
    await openDocument(page, 'front.md');
    await isSaved('front.md', before.replace('Old', 'Ninth'));
    expect(book.text('fold.md')).toBe(other);
    await press('ControlOrMeta+Z');
    await isSaved('front.md', before);
  });

  it('is a property, changed in a form and nowhere else', async () => {
    const { page } = app;
    await openDocument(page, 'front.md');
    const before = book.text('front.md');
    const title = page.getByRole('textbox', { name: 'title', exact: true });
    await title.fill('New: one');
    await isSaved('front.md', before.replace('Old', '"New: one"'));
    await title.press('ControlOrMeta+Z');
    await isSaved('front.md', before);
    await page.getByRole('checkbox', { name: 'done' }).click();
    await page.getByRole('button', { name: 'Remove item 1 of tags' }).click();
    await isSaved('front.md', before.replace('[a, b]', '[b]').replace('false', 'true'));
    await page.getByRole('button', { name: 'Edit as text' }).click();
    await editorOf(page).and(page.locator(':focus')).waitFor();
    await expect.poll(() => lineAt(1).textContent()).toBe('title: Old # kept');
    await page.keyboard.type('a');
    await isSaved('front.md', before.replace('title', 'atitle').replace('[a, b]', '[b]').replace('false', 'true'));
  });

  it('is a section that folds', async () => {
    const { page } = app;
    await openDocument(page, 'fold.md');
    const shown = () => page.locator('.cm-content').textContent();
    await press('ControlOrMeta+Home');
    await page.getByRole('button', { name: 'Fold or unfold this section' }).first().click({ force: true });
    await expect.poll(shown).not.toContain('under two');
    await expect.poll(shown).toContain('Three');
    await page.getByRole('button', { name: 'Show what is folded' }).click();
    await expect.poll(shown).toContain('under two');
    expect(book.text('fold.md')).toContain('under two');
  });

  it('is a callout that folds: what is folded is seen while the cursor is in it, and nothing of it is written', async () => {
    const { page } = app;
    await openDocument(page, 'folded.md');
    const before = book.text('folded.md');
    const shown = () => page.locator('.cm-content').textContent();
    await press('ControlOrMeta+Home');
    await expect.poll(shown).toContain('The tide');
    expect(await shown()).not.toContain('High water');
    const fold = () => page.getByRole('button', { name: 'Fold or open the note' });
    await fold().and(page.locator('[aria-expanded="false"]')).click();
    await expect.poll(shown).toContain('High water');
    await fold().and(page.locator('[aria-expanded="true"]')).click();
    await expect.poll(shown).not.toContain('High water');
    await isSaved('folded.md', before);
    await editorOf(page).focus();
    await press('ControlOrMeta+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
    await expect.poll(shown).toContain('High water');
    await page.keyboard.type('x');
    await undoAndRedo('folded.md', before, before.replace('six.', 'six.x'));
    await press('ControlOrMeta+Home');
    await expect.poll(shown).not.toContain('High water');
  });

  it('is a footnote of several blocks', async () => {
    const { page } = app;
    await openDocument(page, 'notes.md');
    const before = book.text('notes.md');
    await press('ControlOrMeta+Home');
    await expect.poll(() => lineAt(4).textContent()).toBe('Second one.');
    await expect.poll(() => lineAt(6).textContent()).toBe('•in a list');
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
    await page.keyboard.type('x');
    await undoAndRedo('notes.md', before, before.replace('Second one.', 'Second one.x'));
  });

  it('has signs of several characters, which are stepped over and deleted as one', async () => {
    const { page } = app;
    await openDocument(page, 'signs.md');
    const before = book.text('signs.md');
    await press('ControlOrMeta+Home', 'ArrowRight', 'ArrowRight');
    await page.keyboard.type('1');
    await press('ArrowRight', 'ArrowRight', 'ArrowRight');
    await page.keyboard.type('2');
    await isSaved('signs.md', before.replace('👧b e\u0301', '👧1b e\u03012'));
    await press('Backspace', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Backspace', 'Backspace');
    await isSaved('signs.md', before.replace('👩‍👩‍👧', ''));
    for (let step = 0; step < 4; step++) await press('ControlOrMeta+Z');
    await isSaved('signs.md', before);
  });

  it('is a link: broken, followed, completed', async () => {
    const { page } = app;
    await openDocument(page, 'links.md');
    await expect.poll(() => page.locator('.cm-link-broken').allTextContents()).toEqual(['gone', 'gone']);
    await press('ControlOrMeta+End');
    await page.keyboard.type('[[b');
    await page.getByRole('option', { name: 'b', exact: true }).click();
    await page.keyboard.type(' [[b#');
    await page.getByRole('option', { name: /Second part/u }).click();
    await isSaved('links.md', `${'see [gone](gone.md), [here](b.md), [[b]] and [[gone]]\n\n'}[[b]] [[b#Second part]]`);
    await page.locator('.cm-link', { hasText: 'here' }).click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('tab', { name: 'b.md', selected: true }).waitFor();
  });

  it('is composed in by an input method as it stands, and no sign comes twice', async () => {
    const { page } = app;
    const session = await page.context().newCDPSession(page);
    const compose = async (steps: readonly string[], last: string) => {
      for (const text of steps)
        await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
      await session.send('Input.insertText', { text: last });
    };
    await openDocument(page, 'composed.md');
    await press('ControlOrMeta+Home', 'End');
    await compose(['か', 'かな'], '仮名');
    await press('ArrowDown', 'ArrowDown', 'End');
    await compose(['ㅎ', '하', '한'], '한');
    await press('ArrowDown', 'ArrowDown', 'Home');
    for (let step = 0; step < 5; step++) await press('ArrowRight');
    await compose(['zhong', 'zhongw'], '中文');
    await press('ArrowDown', 'ArrowDown', 'End');
    await compose(['´'], 'é');
    await press('ArrowDown', 'ArrowDown', 'End');
    await compose(['に'], '二');
    await isSaved('composed.md', '# 仮名\n\n- 한\n\na [wo中文rd](b.md) end\n\n**bold**é\n\n$x$二\n');
  });

  it('has the direction of its own line', async () => {
    const { page } = app;
    await openDocument(page, 'rtl.md');
    const directions = () =>
      page.locator('.cm-content > .cm-line').evaluateAll((lines) => lines.map((line) => getComputedStyle(line).direction));
    expect((await directions()).slice(0, 4)).toEqual(['rtl', 'ltr', 'rtl', 'ltr']);
    await press('ControlOrMeta+Home', 'End');
    await page.keyboard.type('!');
    await isSaved('rtl.md', 'שלום **עולם** end.!\n\n- פריט ראשון\n- second\n');
  });
});
