import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../test/helpers/cli.ts';
import { gitEnvironment } from '../test/helpers/repository.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import {
  type Book,
  createBook,
  editorOf,
  isReady,
  openBreakdown,
  openDocument,
  rowOf,
  saveNothingUnasked,
  tabOf,
  typeAtEnd,
} from './writer.ts';

const elena = '# Elena\n\nGreen eyes.\n';
const chapter = '# One\n\nHer green eyes.\n';

type Answer = Readonly<Record<string, unknown>> & { readonly text: string; readonly hash: string };

/** An agent with the official client, connected as its program would be. */
async function startAgent({ folder, home }: Book) {
  const client = new Client({ name: 'a-story', version: '0' });
  const kept = Object.entries(gitEnvironment).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const env = { ...Object.fromEntries(kept), STEMMA_HOME: home };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', folder], env }));
  return {
    async ask(name: string, args: Record<string, unknown>): Promise<Answer> {
      const { structuredContent, isError } = await client.callTool({ name, arguments: args });
      expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
      return structuredContent as Answer;
    },
    close: () => client.close(),
  };
}

describe('an agent beside the writer', () => {
  let book: Book;
  let app: RunningBrowser;
  let page: Page;
  let agent: Awaited<ReturnType<typeof startAgent>>;
  beforeAll(async () => {
    book = createBook({ 'bible.md': elena, 'one.md': chapter });
    book.stemma('init');
    app = await launchBrowser(book.folder, { home: book.home });
    page = app.page;
    await isReady(page);
    await saveNothingUnasked(page);
    agent = await startAgent(book);
  });
  afterAll(async () => {
    await agent?.close();
    await app?.stop();
    book?.dispose();
  });

  const bar = () => page.getByRole('region', { name: 'Changed outside' });

  it('writes to disk what the writer has open and unsaved: the bar appears, and what was typed stays', async () => {
    await openDocument(page, 'one.md');
    await typeAtEnd(page, 'Mine, unsaved.\n');
    await tabOf(page, 'one.md, unsaved changes').waitFor();
    await agent.ask('document', { action: 'read', path: 'bible.md' });
    const { text, hash } = await agent.ask('document', { action: 'read', path: 'one.md' });
    expect(text).toBe(chapter);
    const edits = [{ old: 'Her green eyes.', new: 'Her green eyes shone.' }];
    const written = await agent.ask('document_write', { action: 'edit', path: 'one.md', base: hash, edits });
    expect(written.recorded).toMatchObject({ kind: 'recorded' });
    expect(book.text('one.md')).toContain('Her green eyes shone.\n');
    await bar().getByText('one.md was changed outside while you have unsaved changes.').waitFor();
    await editorOf(page).getByText('Mine, unsaved.').waitFor();
    await tabOf(page, 'one.md, unsaved changes').waitFor();
    expect(await editorOf(page).getByText('shone').count()).toBe(0);
    expect(book.text('one.md')).not.toContain('Mine, unsaved.');
  });

  it('has made a row, once the source moves on', async () => {
    await page.getByRole('button', { name: 'Take theirs', exact: true }).click();
    await bar().waitFor({ state: 'detached' });
    book.write('bible.md', book.text('bible.md').replace('Green', 'Grey'));
    await openBreakdown(page);
    await rowOf(page, 'one.md', 'bible.md', 'changed').waitFor();
  });
});
