import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitEnvironment } from '../test/helpers/repository.ts';
import { launchBrowser, type RunningBrowser } from './launch.ts';
import { type Book, createBook, editorOf, isReady, openDocument, saveNothingUnasked, showSource, typeAtEnd } from './writer.ts';

const paths = Array.from(
  { length: 1000 },
  (_, at) => `parts/${String(Math.floor(at / 50)).padStart(2, '0')}/${String(at).padStart(4, '0')}.md`,
);
const textOn = (path: string, branch: string) => `# ${path}\n\nas on ${branch}\n`;

describe('a checkout of 1,000 changed files', () => {
  let book: Book;
  let app: RunningBrowser;
  beforeAll(async () => {
    book = createBook(Object.fromEntries(paths.map((path) => [path, textOn(path, 'main')])));
    app = await launchBrowser(book.folder, { home: book.home });
    await isReady(app.page);
    await saveNothingUnasked(app.page);
    await showSource(app.page);
  });
  afterAll(async () => {
    await app?.stop();
    book?.dispose();
  });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: book.folder, env: gitEnvironment, stdio: 'pipe' });

  it('with ten open and five of them unsaved: five follow, five are asked about once together, nothing is written', async () => {
    const { page } = app;
    const commit = (message: string) => {
      git('add', '.');
      git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', 'commit', '--quiet', '-m', message);
    };
    git('init', '--quiet', '--initial-branch=main');
    commit('main');
    git('checkout', '--quiet', '-b', 'draft');
    for (const path of paths) book.write(path, textOn(path, 'draft'));
    commit('draft');
    git('checkout', '--quiet', 'main');
    const open = paths.filter((_, at) => at % 100 === 7);
    const dirty = open.filter((_, at) => at % 2 === 1);
    for (const path of open) {
      await openDocument(page, path);
      await editorOf(page).getByText('as on main').waitFor();
      if (dirty.includes(path)) await typeAtEnd(page, 'Mine.\n');
    }
    git('checkout', '--quiet', 'draft');
    const bar = page.getByRole('region', { name: 'Changed outside', exact: true });
    const others = page.getByRole('region', { name: 'Other documents changed outside' });
    await others.getByText('4 other open documents were changed outside').waitFor();
    await bar.waitFor();
    for (const path of open) {
      await page.getByRole('tab', { name: path.slice(path.lastIndexOf('/') + 1) }).click();
      await editorOf(page)
        .getByText(dirty.includes(path) ? 'Mine.' : 'as on draft')
        .waitFor();
    }
    expect(git('status', '--porcelain').toString()).toBe('');
    await others.getByRole('button', { name: 'Take theirs in all 5' }).click();
    await others.waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: /unsaved/u }).waitFor({ state: 'detached' });
    for (const path of dirty) {
      await page.getByRole('tab', { name: path.slice(path.lastIndexOf('/') + 1) }).click();
      await editorOf(page).getByText('as on draft').waitFor();
    }
    expect(git('status', '--porcelain').toString()).toBe('');
    for (const path of paths) expect(book.text(path)).toBe(textOn(path, 'draft'));
  });
});
