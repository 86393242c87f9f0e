import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useDesk } from './desk.ts';
import { editorOf, tabOf } from './writer.ts';

const word = readFileSync(join(import.meta.dirname, '../test/fixtures/word.html'), 'utf8');
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What is on a clipboard: texts by their kinds, and pictures (base64) by their names. */
interface Clipboard {
  readonly texts?: Readonly<Record<string, string>>;
  readonly pictures?: Readonly<Record<string, string>>;
}

/** Gives the text a paste or a drop, as the browser does. */
async function give(where: Page | Locator, kind: 'paste' | 'drop', { texts = {}, pictures = {} }: Clipboard): Promise<void> {
  const editor = 'goto' in where ? editorOf(where) : where;
  await editor.evaluate(
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
  const desk = useDesk(20, {
    'code.md': '```\ncode\n```\n',
    'other.md': 'other\n',
    'chapters/other.md': 'other\n',
    'beside/text.md': 'beside\n',
  });
  const { type, press, written } = desk;

  it('as HTML becomes Markdown', async () => {
    const html =
      '<h2>At <em>noon</em></h2><p>A <b>b</b> <a href="https://a.b/c">link</a> <code>x</code></p><ul><li>one<ol><li>two</li></ol></li></ul>';
    await give(desk.page, 'paste', { texts: { 'text/plain': 'At noon', 'text/html': html } });
    await written('## At *noon*\n\nA **b** [link](https://a.b/c) `x`\n\n- one\n  1. two');
  });

  it('from Word has its title, emphasis, nested lists, numbers and table', async () => {
    await give(desk.page, 'paste', { texts: { 'text/plain': 'The Ferry', 'text/html': word }, pictures: { 'image.png': pixel } });
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
    await give(desk.page, 'paste', { texts: { 'text/plain': 'Once only', 'text/html': html } });
    await written('Once **only**');
  });

  it('as HTML of nothing but looks is the text that it looks like', async () => {
    const text = '- [ ] one\n- [x] two';
    const html = `<div style="color:#ccc;font-family:monospace"><div><span>- [ ] one</span></div><div><span style="color:red">- [x] two</span></div></div>`;
    await give(desk.page, 'paste', { texts: { 'text/plain': text, 'text/html': html } });
    await written(text);
  });

  it('as hostile HTML brings no address that runs, and runs nothing', async () => {
    const html =
      '<p><b>a</b> <a href="javascript:alert(1)">b</a> <img src=x onerror="document.title=\'ran\'"><script>document.title="ran"</script></p>';
    await give(desk.page, 'paste', { texts: { 'text/plain': 'a b', 'text/html': html } });
    await written('**a** b');
    expect(await desk.page.title()).not.toBe('ran');
  });

  it('as an address over a selection makes it a link', async () => {
    await type('the ferry');
    await press('ControlOrMeta+A');
    await give(desk.page, 'paste', { texts: { 'text/plain': 'https://example.org/a_(b)' } });
    await written('[the ferry](<https://example.org/a_(b)>)');
  });

  it('is one step of undo, and what was typed before it stays', async () => {
    await type('abc');
    await give(desk.page, 'paste', { texts: { 'text/plain': 'xyz', 'text/html': '<b>xyz</b>' } });
    await written('abc**xyz**');
    await press('ControlOrMeta+Z');
    await written('abc');
  });

  it('with Shift held is the plain text', async () => {
    await give(desk.page, 'paste', { texts: { 'text/plain': 'plain *text*' } });
    await written('plain *text*');
  });

  it('in code is the plain text', async () => {
    await desk.open('code.md');
    await press('ControlOrMeta+Home');
    await press('ArrowDown');
    await give(desk.page, 'paste', { texts: { 'text/plain': 'a b ', 'text/html': '<b>a</b> b' } });
    await written('```\na b code\n```\n');
  });

  it('as a picture is a file in the assets folder with a link', async () => {
    await give(desk.page, 'paste', { texts: { 'text/html': '<img src="https://a.b/c.png">' }, pictures: { 'image.png': pixel } });
    await written(/^!\[picture-\d{4}-\d\d-\d\d-\d{6}\]\(assets\/picture-\d{4}-\d\d-\d\d-\d{6}\.png\)$/u);
    const [, file = ''] = /\((.*)\)/u.exec(desk.book.text(desk.path)) ?? [];
    expect(desk.book.bytes(file).equals(Buffer.from(pixel, 'base64'))).toBe(true);
  });

  it('as a dropped picture keeps its name, and is shown', async () => {
    await give(desk.page, 'drop', { pictures: { 'sea view.png': pixel } });
    await written('![sea-view](assets/sea-view.png)');
    await press('ControlOrMeta+E');
    const picture = desk.page.getByRole('img', { name: 'sea-view' });
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
    await press('ControlOrMeta+E');
  });

  it('is nothing when a tab is dragged over the text, whatever is on the clipboard', async () => {
    const { path } = desk;
    await desk.open('other.md');
    await desk.open(path);
    await tabOf(desk.page, 'other.md').dragTo(editorOf(desk.page));
    await press('ControlOrMeta+S');
    expect(desk.book.text(desk.path)).toBe('');
  });

  it('as a picture stays with the document and the place that it came to, whatever is shown or selected by then', async () => {
    const { path, page } = desk;
    await desk.open('chapters/other.md');
    await press('ControlOrMeta+End');
    await Promise.all([give(page, 'paste', { pictures: { 'late.png': pixel } }), tabOf(page, path).click()]);
    await editorOf(page).focus();
    await desk.type('typed');
    await press('ControlOrMeta+A');
    await expect.poll(() => existsSync(join(desk.book.folder, 'chapters/assets/late.png'))).toBe(true);
    await desk.open('chapters/other.md');
    await written('other\n![late](assets/late.png)');
    await desk.open(path);
    await written('typed');
  });

  it('into the second editor belongs to its document, and so does a symbol', async () => {
    const { page } = desk;
    await desk.open('beside/text.md');
    await press('Alt+Shift+E');
    const second = page.getByRole('region', { name: 'Second editor: text.md' }).getByRole('textbox');
    await second.waitFor();
    await desk.open('other.md');
    await second.click();
    await press('ControlOrMeta+End');
    await press('Alt+Shift+S');
    await page.getByRole('combobox', { name: 'Go to' }).pressSequentially('en dash');
    await page.getByRole('option', { selected: true }).filter({ hasText: '–' }).waitFor();
    await press('Enter');
    await second.and(page.locator(':focus')).waitFor();
    await give(second, 'paste', { pictures: { 'second.png': pixel } });
    await second.getByText('![second](assets/second.png)').waitFor();
    await press('ControlOrMeta+S');
    await expect.poll(() => desk.book.text('beside/text.md')).toBe('beside\n–![second](assets/second.png)');
    expect(existsSync(join(desk.book.folder, 'beside/assets/second.png'))).toBe(true);
    await press('Alt+Shift+E');
    await desk.open('other.md');
    await written('other\n');
  });
});
