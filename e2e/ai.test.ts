import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderServer, type Received, startProviderServer } from '../test/helpers/provider-server.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import {
  type Book,
  createBook,
  editorOf,
  isReady,
  linkBeside,
  openBreakdown,
  openDocument,
  rowOf,
  save,
  saveNothingUnasked,
  tabOf,
} from './writer.ts';

const canary = 'sk-canary-0123456789abcdef';
const [source, chapter] = ['bible/ines.md', 'chapters/01-the-ferry.md'];
const [tides, night, second] = ['notes/tides.md', 'chapters/03-the-night.md', 'chapters/02-the-tide.md'];
const others = {
  [tides]: '# Tides\n\nHigh water is late.\n',
  [night]: '# The Night\n\nUnder the lamp.\n\nNobody came.\n',
  [second]: '# The Tide\n\nThe tide was early, as ever.\n',
};
const ferry =
  '# The Ferry\n\nInes held the rail with her right hand, and she wrote in the log with her left.\n\nThe sea was very, very grey.\n';
const genie = '---\ndescription: Mends it by the bible\nscope: document\nreads: bible/*.md\n---\nMend it.\n\n{{content}}\n\n{{reads}}\n';

/** A writer asks a model that reads another document, takes one of its suggestions, and is told when that document changes. */
describe('a writer and a model', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer();
    book = createBook({
      [source]: '# Ines\n\nInes writes with her right hand.\n',
      [chapter]: ferry,
      ...others,
      '.stemma/genies/mend.md': genie,
    });
    await book.stemma('init');
    await book.stemma('track', '--all', '--yes');
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
    await server?.close();
  });

  const button = (name: string) => page.getByRole('button', { name });
  const picker = () => page.getByRole('combobox', { name: 'Ask AI' });
  const bar = () => page.getByRole('region', { name: 'Suggestions', exact: true });

  const sentTexts = async () => {
    const region = page.getByRole('region', { name: 'The text that is sent' });
    await region.waitFor();
    return region.locator('pre').allTextContents();
  };
  const textsOf = ({ body }: Received) => {
    const { system, messages } = JSON.parse(body) as { system: { text: string }[]; messages: { content: { text: string }[] }[] };
    return [system[0]!.text, messages[0]!.content[0]!.text];
  };

  it('sets one up by the keyboard; its key is told to nobody', async () => {
    await page.keyboard.press('ControlOrMeta+,');
    await button('AI').press('Enter');
    await page.getByRole('radio', { name: 'Anthropic' }).press('Space');
    await page.getByText('A key is missing.').waitFor();
    await page.getByLabel('Address').fill(`${server.origin}/v1`);
    await page.getByLabel('Key', { exact: true }).fill(canary);
    await page.keyboard.press('Enter');
    await page.getByText('Ready to be asked.').waitFor();
    expect(await page.content()).not.toContain(canary);
    await page.keyboard.press('Escape');
    const { call, close } = await linkBeside(page);
    expect(JSON.stringify([await call('settings/read', {}), await call('ai/providers', {})])).not.toContain(canary);
    close();
  });

  it('sees what is sent before anything is, also what a genie of the folder asks', async () => {
    await openDocument(page, chapter);
    server.behave({
      kind: 'answer',
      parts: ['# The Ferry\n\nInes held the rail with her left hand, ', 'and she wrote in the log with her right.\n\nThe sea was grey.\n'],
    });
    await page.keyboard.press('ControlOrMeta+J');
    await picker().fill('mend');
    await page.getByRole('option', { selected: true, name: /Mend/u }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('has not run on this machine').waitFor();
    await page.getByText('This is the first time that something goes to').waitFor();
    const shown = await sentTexts();
    expect(shown.join('\n')).toContain('Ines writes with her right hand.');
    expect(server.requests).toEqual([]);
    await page.keyboard.press('Enter');
    await bar().getByText('1 of 3').waitFor();
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]!.headers['x-api-key']).toBe(canary);
    expect(textsOf(server.requests[0]!)).toEqual(shown);
    expect(book.text(chapter)).toContain('her right hand, and');
  });

  it('takes and leaves suggestions by the keyboard, and takes one back', async () => {
    await editorOf(page).focus();
    await page.keyboard.press('Alt+Enter');
    await bar().getByText('1 of 2').waitFor();
    await page.keyboard.press('Alt+.');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.press('Alt+Backspace');
    await bar().waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Z');
    await bar().getByText('1 of 1').waitFor();
    await page.keyboard.press('Alt+Shift+Backspace');
    await bar().waitFor({ state: 'detached' });
    await save(page);
    const { body } = book.lines('transformation').at(-1)!;
    expect(body).toMatchObject({ agent: { type: 'model', id: 'a-model-of-the-server' }, confidence: 'exact', intent: { kind: 'genie' } });
    expect(body.inputs).toHaveLength(2);
    expect(book.text(chapter)).toContain('with her left hand, and she wrote in the log with her left.\n\nThe sea was grey.');
  });

  it('is shown in the breakdown once what was read has changed', async () => {
    book.write(source, book.text(source).replace('right hand', 'left hand'));
    await openBreakdown(page);
    await rowOf(page, chapter, source, 'changed').waitFor();
    await page.getByRole('button', { name: 'Back to the editor' }).click();
  });

  it('cancels a request, which the server sees, and the text is as it was', async () => {
    const before = await editorOf(page).textContent();
    server.behave({ kind: 'endless', pause: 200 });
    await page.keyboard.press('ControlOrMeta+J');
    await picker().fill('make it rhyme please');
    // What is sent can be seen any time, and is that to the letter.
    await page.keyboard.press('Shift+Enter');
    const shown = await sentTexts();
    const count = server.requests.length;
    await button('Send').press('Enter');
    await expect.poll(() => server.requests.length).toBe(count + 1);
    expect(textsOf(server.requests.at(-1)!)).toEqual(shown);
    await bar()
      .getByText(/[1-9]\S* characters so far/u)
      .waitFor();
    await bar().getByRole('button', { name: 'Cancel' }).click();
    await bar().waitFor({ state: 'detached' });
    expect(await server.requests.at(-1)!.gone).toBe(true);
    expect(await editorOf(page).textContent()).toBe(before);
    server.behave({ kind: 'refuse', status: 401, message: canary });
    await page.keyboard.press('ControlOrMeta+J');
    await picker().fill('make it rhyme please');
    await page.keyboard.press('Enter');
    await page.getByText('Anthropic did not accept the key.').waitFor();
    expect(await page.content()).not.toContain(canary);
  });

  const ask = async (said: string) => {
    await page.keyboard.press('ControlOrMeta+J');
    for (const part of said.split('|')) {
      await picker().fill(part);
      await page.getByRole('option', { selected: true }).waitFor();
      await page.keyboard.press('Enter');
    }
  };

  it('reads what is named with @ and is shown what is looked up: only the first is a source, and stale once it changes', async () => {
    server.behave({ kind: 'answer', parts: ['The tide was late, as it had been all week.'] });
    await openDocument(page, second);
    await page.keyboard.press('ControlOrMeta+End');
    await ask('@tides|@"the lamp|Make it agree with the tides.');
    await bar().getByText('1 of 1').waitFor();
    const prompt = server.requests.at(-1)!.body;
    expect(prompt).toContain('High water is late.');
    expect(prompt).toContain('Under the lamp.');
    expect(prompt).not.toContain('Nobody came.');
    const revisionOf = (path: string) => book.stemma.json('log-file', 'log', path).heads[0];
    const read = [revisionOf(tides), revisionOf(night)];
    // What is read is pinned when it is sent: an edit before the save is no part of it.
    book.write(tides, book.text(tides).replace('late', 'early'));
    await editorOf(page).focus();
    await page.keyboard.press('Alt+Enter');
    await save(page);
    const { body } = book.lines('transformation').findLast(({ body: { agent } }) => (agent as { type: string }).type === 'model')!;
    const [own, ...inputs] = body.inputs as { role: string; revision: string }[];
    expect(inputs.map(({ role, revision }) => [role, revision])).toEqual([
      ['direct', read[0]],
      ['contextual', read[1]],
    ]);
    expect(own!.role).toBe('direct');
    book.write(night, book.text(night).replace('lamp', 'lantern'));
    await openBreakdown(page);
    await rowOf(page, second, tides, 'changed').waitFor();
    expect(await rowOf(page, second, night, 'changed').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to the editor' }).click();
  });

  it('closes the tab, or leaves the page, while an answer comes: the server sees it end, and the text is as it was', async () => {
    server.behave({ kind: 'endless' });
    await openDocument(page, second);
    const before = book.bytes(second);
    await ask('Write on and on.');
    await bar()
      .getByText(/[1-9]\S* characters so far/u)
      .waitFor();
    await page.keyboard.press('ControlOrMeta+W');
    await tabOf(page, '02-the-tide.md').waitFor({ state: 'detached' });
    expect(await server.requests.at(-1)!.gone).toBe(true);
    await openDocument(page, second);
    expect(await bar().count()).toBe(0);
    await ask('Write on and on.');
    await bar()
      .getByText(/[1-9]\S* characters so far/u)
      .waitFor();
    await page.reload();
    expect(await server.requests.at(-1)!.gone).toBe(true);
    await isReady(page);
    await openDocument(page, second);
    expect(await bar().count()).toBe(0);
    expect(book.bytes(second)).toEqual(before);
  });

  it('asks and reviews in the second editor, by the keyboard alone; both show the same, and the save has what was taken', async () => {
    const beside = page.getByRole('region', { name: /^Second editor/u });
    const inBeside = beside.getByRole('textbox', { name: 'Text of the document' });
    const bar2 = page.getByRole('region', { name: 'Suggestions in the second editor' });
    server.behave({ kind: 'answer', parts: ['Under the lantern, again.'] }, { kind: 'answer', parts: ['Nobody came, not even she.'] });
    await openDocument(page, night);
    await page.keyboard.press('Alt+Shift+E');
    await inBeside.and(page.locator(':focus')).waitFor();
    await openDocument(page, chapter);
    // The page takes the focus once it is shown, and would take it back.
    await editorOf(page).first().and(page.locator(':focus')).waitFor();
    await inBeside.focus();
    await page.keyboard.press('ControlOrMeta+End');
    for (let line = 0; line < 3; line++) await page.keyboard.press('ArrowUp');
    await ask('Say it again.');
    await bar2.getByText(/1 of \d/u).waitFor();
    await inBeside.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await ask('Say more.');
    const total = /of (\d)/u;
    await expect.poll(async () => Number(total.exec((await bar2.textContent())!)?.[1])).toBeGreaterThan(1);
    await inBeside.and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('region', { name: 'Suggestions', exact: true }).count()).toBe(0);
    await page.keyboard.press('Alt+.');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.press('ControlOrMeta+Z');
    await page.keyboard.press('Alt+Shift+Enter');
    await bar2.waitFor({ state: 'detached' });
    await inBeside.getByText('Nobody came, not even she.').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await expect.poll(() => book.text(night)).toContain('Under the lantern, again.\n\nNobody came, not even she.');
    const { body } = book.lines('transformation').at(-1)!;
    expect(body).toMatchObject({ agent: { type: 'model' }, intent: { kind: 'ai-suggestion' } });
    await openDocument(page, night);
    await editorOf(page).first().getByText('Under the lantern, again.').waitFor();
    await page.getByRole('button', { name: 'Close the second editor' }).click();
  });
});
