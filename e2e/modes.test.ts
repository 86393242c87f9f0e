import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, statusOf, typeAtEnd } from './writer.ts';

const paragraphs = Array.from(
  { length: 200 },
  (_, at) => `Paragraph ${at} of the chapter, with *words* that fill a line or two of the column.`,
);
const chapter = `# The Ferry\n\nSee [[marcus]] and [nobody](gone.md), ==now==.\n\n- [ ] row\n\n${paragraphs.join('\n\n')}\n\n## The end\n`;

describe('the ways in which a document is shown', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  beforeAll(async () => {
    book = createBook({
      'chapter.md': chapter,
      'marcus.md': '# Marcus\n\nHe rows.\n',
      'hostile.md':
        '<script>document.title="ran"</script><img src=x onerror="document.title=\'ran\'"><b>bold</b>\n\n![far](https://example.org/a.png)\n\n[x](javascript:document.title="ran")\n',
      'long.md': `# Long\n\n${'Many words in a line of a long text. '.repeat(3)}\n`.repeat(9000),
      'longest.md': `${'x'.repeat(99)}\n`.repeat(50_010),
      'line.md': `${'word '.repeat(200_000)}end\n`,
      'headings.md': Array.from({ length: 3000 }, (_, at) => `${'#'.repeat((at % 6) + 1)} Heading ${at}\n\ntext\n`).join('\n'),
    });
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });

  const press = (key: string) => page.keyboard.press(key);
  const article = () => page.getByRole('article');
  const mode = (name: string) =>
    statusOf(page)
      .getByRole('button', { name: `Shown as: ${name}. Change` })
      .waitFor();
  /** The first paragraph that is seen, by its number, in the text or as it reads. */
  const topmost = (selector: string) =>
    page.locator(selector).evaluate((scroller) => {
      const top = scroller.getBoundingClientRect().top;
      const seen = [...scroller.querySelectorAll('.cm-line, .reading-block')].find((line) => {
        const { bottom, height } = line.getBoundingClientRect();
        return height > 0 && bottom > top + 2 && /Paragraph \d/.test(line.textContent ?? '');
      });
      return Number(/Paragraph (\d+)/.exec(seen?.textContent ?? '')?.[1] ?? -1);
    });
  const text = '.editor-host .cm-scroller';

  it('are live preview at first, and the source, reading and both by a key', async () => {
    await openDocument(page, 'chapter.md');
    await mode('Live preview');
    await press('ControlOrMeta+/');
    await mode('Source');
    await editorOf(page).getByText('==now==').waitFor();
    await press('ControlOrMeta+E');
    await mode('Reading');
    await article().getByRole('heading', { name: 'The Ferry' }).waitFor();
    expect(await article().locator('mark').textContent()).toBe('now');
    expect(await editorOf(page).isVisible()).toBe(false);
    await press('ControlOrMeta+E');
    await mode('Source');
    await press('ControlOrMeta+Shift+M');
    await mode('Side by side');
    await article().getByRole('heading', { name: 'The Ferry' }).waitFor();
    expect(await editorOf(page).isVisible()).toBe(true);
    await press('ControlOrMeta+Shift+M');
    await press('ControlOrMeta+/');
    await mode('Live preview');
  });

  it('keep cursor and place', async () => {
    await editorOf(page).focus();
    await press('Alt+G');
    await page.keyboard.type('107');
    await press('Enter');
    await statusOf(page).getByText('Ln 107, Col 1').waitFor();
    const before = await topmost(text);
    expect(before).toBeGreaterThan(20);
    await press('ControlOrMeta+E');
    await expect.poll(() => topmost('.reading')).toBeGreaterThan(0);
    await expect.poll(async () => Math.abs((await topmost('.reading')) - before)).toBeLessThanOrEqual(2);
    await press('ControlOrMeta+E');
    await expect.poll(async () => Math.abs((await topmost(text)) - before)).toBeLessThanOrEqual(2);
    await statusOf(page).getByText('Ln 107, Col 1').waitFor();
    await editorOf(page).and(page.locator(':focus')).waitFor();
  });

  it('scroll together side by side, whichever is scrolled', async () => {
    await press('ControlOrMeta+Shift+M');
    await expect.poll(() => topmost('.reading')).toBeGreaterThan(0);
    for (const [from, to] of [
      [text, '.reading'],
      ['.reading', text],
    ] as const) {
      const before = await topmost(from);
      await page.locator(from).hover();
      await page.mouse.wheel(0, 3000);
      await expect.poll(() => topmost(from)).toBeGreaterThan(before + 5);
      await expect.poll(async () => Math.abs((await topmost(from)) - (await topmost(to)))).toBeLessThanOrEqual(1);
    }
  });

  it('show what is typed beside it', async () => {
    await typeAtEnd(page, 'A **new** word.');
    await article().locator('strong', { hasText: 'new' }).waitFor();
    await press('ControlOrMeta+Z');
    await article().locator('strong', { hasText: 'new' }).waitFor({ state: 'detached' });
    await press('ControlOrMeta+Shift+M');
  });

  it('follow links as they read, and show which lead nowhere', async () => {
    await press('ControlOrMeta+E');
    const broken = article().getByRole('link', { name: 'nobody' });
    await page.locator('.reading').evaluate((scroller) => scroller.scrollTo(0, 0));
    expect(await broken.getAttribute('class')).toContain('broken');
    await article().getByRole('link', { name: 'marcus' }).click();
    await page.getByRole('tab', { name: 'marcus.md', selected: true }).waitFor();
  });

  it('run nothing of a document, and load nothing from elsewhere', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openDocument(page, 'hostile.md');
    await press('ControlOrMeta+E');
    await article().locator('b', { hasText: 'bold' }).waitFor();
    await article().getByRole('button', { name: 'Show picture from example.org — far' }).waitFor();
    await article().getByText('x', { exact: true }).click();
    expect(await page.title()).not.toBe('ran');
    expect(asked.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([]);
    await press('ControlOrMeta+E');
  });

  it('are the source for a long document, with an offer', async () => {
    await openDocument(page, 'long.md');
    await mode('Source');
    const bar = page.getByRole('region', { name: 'Long document' });
    await bar.getByText('1.1 million characters').waitFor();
    await typeAtEnd(page, 'typed');
    await editorOf(page).getByText('typed').waitFor();
    await bar.getByRole('button', { name: 'Show live preview' }).click();
    await mode('Live preview');
    await bar.waitFor({ state: 'detached' });
  });

  it('are told before a very long document is opened', async () => {
    await press('ControlOrMeta+P');
    await page.getByRole('combobox', { name: 'Go to' }).fill('longest.md');
    await page.getByRole('option', { selected: true }).filter({ hasText: 'longest.md' }).waitFor();
    await press('Enter');
    await page.getByText('longest.md has 5.0 million characters.').waitFor();
    await page.getByRole('button', { name: 'Open it' }).and(page.locator(':focus')).waitFor();
    await press('Enter');
    await mode('Source');
    await typeAtEnd(page, 'typed');
    await editorOf(page).getByText('typed').waitFor();
    await press('ControlOrMeta+E');
    await statusOf(page).getByText('too long to be drawn').waitFor();
    await mode('Source');
  });

  it('leave one line of a megabyte and 3,000 headings to be used', async () => {
    await openDocument(page, 'line.md');
    await typeAtEnd(page, 'typed');
    await expect.poll(() => book.text('line.md').endsWith('end\ntyped'), { timeout: 15_000 }).toBe(true);
    await openDocument(page, 'headings.md');
    await press('Alt+Shift+G');
    await page.getByRole('combobox', { name: 'Go to' }).pressSequentially('heading 2999');
    await page.getByRole('option', { selected: true }).filter({ hasText: 'Heading 2999' }).waitFor();
    await press('Enter');
    await statusOf(page).getByText('Ln 11,997').waitFor();
    await press('ControlOrMeta+E');
    await article().getByRole('heading', { name: 'Heading 2999', exact: true }).waitFor();
  });
});
