import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked } from './writer.ts';

const line = 'See [the letter](other.md) and **bold** words, then *more* of it.';

describe('what is given to those who help a writer', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    const text = `---\ntitle: xyzzy\n---\n# One\n\nSay **teh**, then go on.\n\n${line}\n\n\`cod\` and https://exmple.org/\n\n\`\`\`js\nconst teh = 1;\n\`\`\`\n\nEnd.\n`;
    book = createBook({ 'one.md': text, 'other.md': '' });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
    await openDocument(page, 'one.md');
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  it('a suggestion takes the place of the wrong word alone, and one undo takes it back', async () => {
    // As Chromium does it: the word is selected, and the text of the suggestion put in.
    await editorOf(page).evaluate((editor) => {
      const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf('teh') ?? -1;
        if (at < 0) continue;
        getSelection()?.setBaseAndExtent(node, at, node, at + 3);
        break;
      }
    });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.evaluate(() => document.execCommand('insertText', false, 'the'));
    await expect.poll(() => editorOf(page).textContent()).toContain('the**, then');
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(() => editorOf(page).textContent()).toContain('teh**, then');
    await page.keyboard.press('ControlOrMeta+S');
    expect(book.text('one.md')).toContain('Say **teh**, then go on.');
  });

  it('the speller never looks at code, addresses and the frontmatter', async () => {
    expect(await editorOf(page).getAttribute('spellcheck')).toBe('true');
    const isLooked = (text: string) =>
      editorOf(page)
        .getByText(text, { exact: false })
        .last()
        .evaluate((element) => (element as HTMLElement).spellcheck);
    await expect.poll(() => isLooked('const teh')).toBe(false);
    for (const [text, is] of [
      ['cod', false],
      ['exmple', false],
      ['then go on', true],
      ['End.', true],
    ] as const)
      expect(await isLooked(text), text).toBe(is);
  });

  it('a screen reader is given a whole line, with a link, bold and italic in it', async () => {
    const cdp = await page.context().newCDPSession(page);
    const { root } = await cdp.send('DOM.getDocument', { depth: 0 });
    const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector: '.cm-content' });
    const { nodes } = await cdp.send('Accessibility.getFullAXTree');
    const { node } = await cdp.send('DOM.describeNode', { nodeId });
    const editor = nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === node.backendNodeId)!;
    expect(editor.role?.value).toBe('textbox');
    expect(editor.name?.value).toBe('Text of the document');
    const shown = new Map(nodes.map((one) => [one.nodeId, one]));
    const words: string[] = [];
    const hear = (id: string) => {
      const one = shown.get(id);
      if (one?.role?.value === 'StaticText') words.push(String(one.name?.value));
      else for (const child of one?.childIds ?? []) hear(child);
    };
    hear(editor.nodeId);
    expect(words.join('')).toContain('See the letter and bold words, then more of it.');
  });
});
