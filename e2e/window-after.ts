import { ok } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startServer } from './launch.ts';
import type { Victim } from './window-kills.ts';
import { mergeAtRandom, mergeOf, openMerge } from './window-merge.ts';
import { type Document, openPage, placeOf, type Running, type Scene, show, start, tabAt } from './window-scene.ts';
import { type Book, editorOf, linkBeside, statusOf } from './writer.ts';

/** Whoever wants to write waits for those that came before; a document of this name there is, so that nothing is written. */
export async function coreIsDone(page: Page, path: string): Promise<void> {
  const { call, close } = await linkBeside(page);
  await call('document/create', { path, text: '' }).catch(() => null);
  close();
}

export async function startAgain(book: Book, running: Running, victim: Victim): Promise<void> {
  const port = Number(new URL(running.server.url).port);
  if (victim === 'app') {
    await running.browser.close().catch(() => null);
    Object.assign(running, await start(book));
    return;
  }
  if (victim === 'core') running.server = await startServer(book.folder, book.home, {}, port);
  const page = await openPage(running.page.context(), running.server.url);
  if (victim === 'page') {
    await running.page.close();
    running.page = page;
    return;
  }
  await page.close();
  await running.page.bringToFront();
  await statusOf(running.page).getByText('Connection lost, trying again').waitFor({ state: 'detached' });
}

export async function recoverAll(page: Page): Promise<void> {
  const list = page.getByRole('dialog', { name: 'Recovered texts' });
  await page.locator('html[data-started]').waitFor({ state: 'attached' });
  if ((await list.count()) === 0) return;
  await list.getByRole('button', { name: /^Open (it|all)$/u }).click();
  await list.waitFor({ state: 'detached' });
}

/** Where core alone died, the merge that was open still is: the writer ends it. */
export async function endMerge(scene: Scene): Promise<void> {
  const { page } = scene.running;
  if ((await mergeOf(page).count()) === 0) return;
  const path = await page.getByRole('tablist').first().getByRole('tab', { selected: true }).getAttribute('title');
  await mergeAtRandom(scene, scene.documents.find(({ paths }) => paths.includes(path!))!);
}

/** The text of a document as the window has it, wherever that takes it to be; then it is kept over what others wrote, and saved. */
export async function settled(scene: Scene, document: Document): Promise<string> {
  const {
    book,
    running: { page },
    random,
  } = scene;
  const place = placeOf(book, document);
  const stray = document.paths.find((path) => path !== place)!;
  const kept = (await tabAt(page, stray).count()) > 0 ? await takenFromStray(page, stray) : '';
  const shown = await shownText(page, place);
  if (kept.length > shown.length) {
    await page.keyboard.press('ControlOrMeta+A');
    // The block is the file's, and not selected with the text.
    await page.keyboard.insertText(withoutBlock(kept));
  }
  const bar = page.getByRole('region', { name: 'Changed outside' });
  if ((await bar.getByRole('button', { name: 'Merge…', exact: true }).count()) > 0 && random() < 0.4)
    if (await openMerge(page)) await mergeAtRandom(scene, document);
  const decide = async () => {
    for (const name of ['Keep mine', 'Save again']) {
      const button = bar.getByRole('button', { name, exact: true });
      if ((await button.count()) > 0) await button.click();
    }
    await page.keyboard.press('ControlOrMeta+S');
  };
  await decide();
  const text = await shownText(page, place);
  await page.keyboard.press('ControlOrMeta+S');
  for (let tries = 1; withoutBlock(book.text(place)) !== withoutBlock(text); tries++) {
    ok(tries < 400, `${place} cannot be saved`);
    await setTimeout(25);
    // The word of a change may come late.
    if (tries % 40 === 0) await decide();
  }
  return text;
}

const withoutBlock = (text: string) => text.replace(/^---\nvmark:\n {2}id: [0-9a-f-]{36}\n---\n/u, '');

/** Killed between a rename and the word of it, the window still has a tab of the name that is gone, with the text or without: it is closed. */
async function takenFromStray(page: Page, path: string): Promise<string> {
  await tabAt(page, path).click();
  const isGone = page.getByText(`The file ${path} does not exist.`);
  await tabAt(page, path)
    .and(page.getByRole('tab', { selected: true }))
    .waitFor();
  await editorOf(page).or(isGone).waitFor();
  if ((await isGone.count()) > 0) {
    await page.getByRole('button', { name: 'Close tab' }).click();
    await tabAt(page, path).waitFor({ state: 'detached' });
    return '';
  }
  const text = await shownText(page, path);
  await closeTab(page, path);
  return text;
}

async function closeTab(page: Page, path: string): Promise<void> {
  await show(page, path);
  await tabAt(page, path).press('Delete');
  const question = page.getByRole('alertdialog').getByRole('button', { name: "Don't save", exact: true });
  await question.or(page.locator('main')).first().waitFor();
  if ((await question.count()) > 0) await question.click();
  await tabAt(page, path).waitFor({ state: 'detached' });
}

async function shownText(page: Page, path: string): Promise<string> {
  await show(page, path);
  return editorOf(page).evaluate((content) => {
    const { cmTile } = content as unknown as { cmTile: { view: { state: { doc: { toString(): string } } } } };
    return cmTile.view.state.doc.toString();
  });
}
