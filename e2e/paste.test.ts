import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked, tabOf } from './writer.ts';

const word = readFileSync(join(import.meta.dirname, '../test/fixtures/word.html'), 'utf8');
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What is on a clipboard: texts by their kinds, and pictures (base64) by their names. */
interface Clipboard {
  readonly texts?: Readonly<Record<string, string>>;
  readonly pictures?: Readonly<Record<string, string>>;
}

/** Gives the text a paste or a drop, as the browser does. */
async function give(page: Page, kind: 'paste' | 'drop', { texts = {}, pictures = {} }: Clipboard): Promise<void> {
  await editorOf(page).evaluate(
    (editor, [event, kinds, files]) => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(kinds)) data.setData(type, text);
      for (const [name, base64] of Object.entries(files)) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: 'image/png' }));
      }
      const { left, top } = editor.querySelector('.cm-line')!.getBoundingClientRect();
      const options = { bubbles: true, cancelable: true };
      if (event === 'paste') editor.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
      else editor.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data, clientX: left + 2, clientY: top + 2 }));
    },
    [kind, texts, pictures] as const,
  );
}

describe('what is pasted', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let turn = 0;
  let path = '';
  beforeAll(async () => {
    const empty = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`text-${at}.md`, '']));
    book = createBook({ ...empty, 'code.md': '```\ncode\n```\n', 'other.md': 'other\n' });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  beforeEach(async () => {
    path = `text-${turn++}.md`;
    await openDocument(page, path);
  });

  const type = (text: string) => page.keyboard.type(text);
  const press = (key: string) => page.keyboard.press(key);
  /** Saves and answers what is in the file. */
  const written = async (wanted: string | RegExp, file = path) => {
    await expect
      .poll(
        async () => {
          await press('ControlOrMeta+S');
          return book.text(file);
        },
        { timeout: 10_000 },
      )
      [typeof wanted === 'string' ? 'toBe' : 'toMatch'](wanted as never);
  };

  it('as HTML becomes Markdown', async () => {
    const html =
      '<h2>At <em>noon</em></h2><p>A <b>b</b> <a href="https://a.b/c">link</a> <code>x</code></p><ul><li>one<ol><li>two</li></ol></li></ul>';
    await give(page, 'paste', { texts: { 'text/plain': 'At noon', 'text/html': html } });
    await written('## At *noon*\n\nA **b** [link](https://a.b/c) `x`\n\n- one\n  1. two');
  });

  it('from Word has its title, emphasis, nested lists, numbers and table', async () => {
    await give(page, 'paste', { texts: { 'text/plain': 'The Ferry', 'text/html': word }, pictures: { 'image.png': pixel } });
    await written(
      [
        '# The Ferry',
        '## At noon',
        'Ines wrote with her **left hand** and *laughed*.',
        '- Rope\n  - Hemp\n- Oars',
        '1. First\n2. Second',
        '| Name | Age |\n| --- | --- |\n| Ines | 34  |',
      ].join('\n\n'),
    );
  });

  it('of a page with nested spans comes once', async () => {
    const html = '<div><span><span>Once <strong><span>only</span></strong></span></span></div>';
    await give(page, 'paste', { texts: { 'text/plain': 'Once only', 'text/html': html } });
    await written('Once **only**');
  });

  it('as HTML of nothing but looks is the text that it looks like', async () => {
    const text = '- [ ] one\n- [x] two';
    const html = `<div style="color:#ccc;font-family:monospace"><div><span>- [ ] one</span></div><div><span style="color:red">- [x] two</span></div></div>`;
    await give(page, 'paste', { texts: { 'text/plain': text, 'text/html': html } });
    await written(text);
  });

  it('as hostile HTML brings no address that runs, and runs nothing', async () => {
    const html =
      '<p><b>a</b> <a href="javascript:alert(1)">b</a> <img src=x onerror="document.title=\'ran\'"><script>document.title="ran"</script></p>';
    await give(page, 'paste', { texts: { 'text/plain': 'a b', 'text/html': html } });
    await written('**a** b');
    expect(await page.title()).not.toBe('ran');
  });

  it('as an address over a selection makes it a link', async () => {
    await type('the ferry');
    await press('ControlOrMeta+A');
    await give(page, 'paste', { texts: { 'text/plain': 'https://example.org/a_(b)' } });
    await written('[the ferry](<https://example.org/a_(b)>)');
  });

  it('is one step of undo, and what was typed before it stays', async () => {
    await type('abc');
    await give(page, 'paste', { texts: { 'text/plain': 'xyz', 'text/html': '<b>xyz</b>' } });
    await written('abc**xyz**');
    await press('ControlOrMeta+Z');
    await written('abc');
  });

  it('with Shift held is the plain text', async () => {
    await give(page, 'paste', { texts: { 'text/plain': 'plain *text*' } });
    await written('plain *text*');
  });

  it('in code is the plain text', async () => {
    await openDocument(page, 'code.md');
    await press('ControlOrMeta+Home');
    await press('ArrowDown');
    await give(page, 'paste', { texts: { 'text/plain': 'a b ', 'text/html': '<b>a</b> b' } });
    await written('```\na b code\n```\n', 'code.md');
  });

  it('as a picture is a file in the assets folder with a link', async () => {
    await give(page, 'paste', { texts: { 'text/html': '<img src="https://a.b/c.png">' }, pictures: { 'image.png': pixel } });
    await written(/^!\[picture-\d{4}-\d\d-\d\d-\d{6}\]\(assets\/picture-\d{4}-\d\d-\d\d-\d{6}\.png\)$/u);
    const [, file = ''] = /\((.*)\)/u.exec(book.text(path)) ?? [];
    expect(book.bytes(file).equals(Buffer.from(pixel, 'base64'))).toBe(true);
  });

  it('as a dropped picture keeps its name, and is shown', async () => {
    await give(page, 'drop', { pictures: { 'sea view.png': pixel } });
    await written('![sea-view](assets/sea-view.png)');
    await press('ControlOrMeta+E');
    const picture = page.getByRole('img', { name: 'sea-view' });
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
    await press('ControlOrMeta+E');
  });

  it('is nothing when a tab is dragged over the text, whatever is on the clipboard', async () => {
    await openDocument(page, 'other.md');
    await openDocument(page, path);
    await tabOf(page, 'other.md').dragTo(editorOf(page));
    await press('ControlOrMeta+S');
    expect(book.text(path)).toBe('');
  });
});
