import { ok } from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { createRandom } from '../test/helpers/kills.ts';
import { waitForEnd } from './probe.ts';
import { coreIsDone, endMerge, recoverAll, settled, startAgain } from './window-after.ts';
import { killPages } from './window-kill.ts';
import { mergeAtRandom, openMerge } from './window-merge.ts';
import { type Counts, type Document, placeOf, type Running, type Scene, show, start, type Typed, writeOutside } from './window-scene.ts';
import { createBook, linkBeside, saveNothingUnasked } from './writer.ts';

/** What is killed: the processes of the page, core with its server, or both and the browser. */
export type Victim = 'page' | 'core' | 'app';

/** What many kills of a window left. */
export interface WindowKillReport extends Readonly<Counts> {
  readonly seed: number;
  readonly kills: Readonly<Record<Victim, number>>;
}

/** What was typed last may be lost, if it is not older than this, in ms; on a busy machine not older than this and what a word took at most to be heard. */
const grace = 1000;

/** No counts yet. */
export const nothingCounted = (): Counts => ({
  words: 0,
  lost: 0,
  saves: 0,
  renames: 0,
  outside: 0,
  merges: 0,
  taken: 0,
  killedMerges: 0,
  slowest: 0,
});

/**
 * Lets a writer type, save, rename, meet changes by others and merge with them, and kills the page, core or all of it at a
 * random moment; `count` times over one folder. After each, what was typed more than a second before is there, no file is
 * torn, what was given up in a merge does not come back, and no change by others was written over unasked. Throws at the
 * first thing that is not so, with the seed.
 */
export async function killWindows(count: number, seed: number, say: (line: string) => void = () => {}): Promise<WindowKillReport> {
  const random = createRandom(seed);
  // What is done in the meantime depends on the machine; who is killed, when, and whether a merge is open then, does not.
  const [fate, plan] = [createRandom(seed + 1), createRandom(seed + 2)];
  const report = { seed, kills: { page: 0, core: 0, app: 0 }, ...nothingCounted() };
  const documents: Document[] = ['one', 'two'].map((name) => ({ paths: [`${name}.md`, `parts/${name}.md`], typed: [] }));
  const book = createBook(Object.fromEntries(documents.map(({ paths: [path] }) => [path, `# ${path}\n\n`])));
  if (random() < 0.7) book.stemma('init');
  const running = await start(book);
  const scene: Scene = { book, running, documents, random, report };
  try {
    if (random() < 0.5) await saveNothingUnasked(running.page);
    for (let turn = 0; turn < count; turn++) {
      const where = `seed ${seed}, kill ${turn}`;
      const victim = (['page', 'core', 'app'] as const)[Math.floor(fate() * 3)]!;
      const delay = fate();
      const act: Act = { turn, isMerge: plan() < 0.4, opened: Promise.withResolvers(), isMerging: false, isOver: false };
      const work = write(scene, act);
      const moment = act.isMerge ? act.opened.promise.then(() => setTimeout(delay * 1000)) : setTimeout(200 + delay * 2500);
      // Nothing ends by itself.
      await Promise.race([moment, work]);
      const at = performance.now();
      if (act.isMerging) report.killedMerges++;
      await kill(running, victim);
      act.isOver = true;
      await work.catch(() => 'ended');
      report.kills[victim]++;
      await look(scene, victim, at, where);
      say(`${where}: ${victim}${act.isMerging ? ', merging' : ''}`);
    }
    const verified = book.stemma.json('verify', 'verify') as { problems: readonly { code: string }[] };
    ok(verified.problems.length === 0, `seed ${seed}: ${JSON.stringify(verified.problems[0])}`);
  } catch (error) {
    if (running.page !== undefined) await running.page.screenshot({ path: join(book.folder, '..', 'failed.png') }).catch(() => null);
    say(`seed ${seed}: ${book.folder}`);
    throw error;
  } finally {
    await running.browser.close().catch(() => null);
    await running.server.stop('SIGKILL').catch(() => null);
  }
  book.dispose();
  return report;
}

/** What is done until somebody is killed. */
interface Act {
  readonly turn: number;
  /** The kill is to come while a merge is open: `opened` tells of it. */
  readonly isMerge: boolean;
  readonly opened: PromiseWithResolvers<void>;
  isMerging: boolean;
  isOver: boolean;
}

async function write(scene: Scene, act: Act): Promise<void> {
  const { book, running, documents, random, report } = scene;
  const { page } = running;
  for (let count = 0; !act.isOver; ) {
    const document = documents[Math.floor(random() * documents.length)]!;
    await show(page, placeOf(book, document));
    await page.keyboard.press('ControlOrMeta+End');
    for (let words = 1 + Math.floor(random() * 6); words > 0 && !act.isOver; words--, count++) {
      await typeWord(scene, document, `k${act.turn}w${count} `);
      await setTimeout(random() * 80);
    }
    const dice = act.isMerge ? 0.5 : random();
    if (dice < 0.25) {
      report.saves++;
      await page.keyboard.press('ControlOrMeta+S');
    } else if (dice < 0.35) await rename(scene, document);
    else if (dice < 0.45) writeOutside(scene, document);
    else if (dice < 0.55) await merge(scene, document, act);
  }
}

async function typeWord({ running: { page }, report }: Scene, document: Document, word: string): Promise<void> {
  // Before it is sent: it may be there already when the answer is lost. Typed it is once the page has heard it.
  const typed: Typed = { word, at: Number.POSITIVE_INFINITY, givenUpAt: null };
  document.typed.push(typed);
  report.words++;
  const sent = performance.now();
  await page.keyboard.insertText(word);
  typed.at = performance.now();
  report.slowest = Math.max(report.slowest, typed.at - sent);
}

async function merge(scene: Scene, document: Document, act: Act): Promise<void> {
  writeOutside(scene, document);
  if (!(await openMerge(scene.running.page))) return;
  scene.report.merges++;
  act.isMerging = true;
  act.opened.resolve();
  await mergeAtRandom(scene, document, () => writeOutside(scene, document));
  act.isMerging = false;
}

async function rename({ book, running: { page }, report }: Scene, document: Document): Promise<void> {
  const from = placeOf(book, document);
  const to = document.paths.find((path) => path !== from)!;
  const { call, close } = await linkBeside(page);
  report.renames++;
  await call('files/move', { moves: [{ from, to }], links: [] }).finally(close);
}

async function kill({ server, browser, page }: Running, victim: Victim): Promise<void> {
  if (victim !== 'page') process.kill(server.pid, 'SIGKILL');
  if (victim === 'app') process.kill(await pidOf(browser), 'SIGKILL');
  if (victim === 'page') await killPages(page);
  if (victim !== 'page') await waitForEnd(server.pid);
}

async function pidOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.find(({ type }) => type === 'browser')!.id;
}

async function look(scene: Scene, victim: Victim, at: number, where: string): Promise<void> {
  const { book, running, documents, random } = scene;
  // What the page asked for before it died is done by a core that lives.
  if (victim === 'page') await coreIsDone(running.page, placeOf(book, documents[0]!));
  const before = documents.map((document) => {
    const path = placeOf(book, document);
    const text = book.text(path);
    ok(isWhole(text), `${where}: ${path} is torn: ${JSON.stringify(text)}`);
    return path;
  });
  if (random() < 0.3) writeOutside(scene, documents[Math.floor(random() * documents.length)]!);
  const asLeft = before.map((path) => ({ path, text: book.text(path) }));
  await startAgain(book, running, victim);
  // A living page may save by itself what it held; one that began anew writes nothing.
  const nothingWritten = (by: string) => {
    for (const { path, text } of victim === 'core' ? [] : asLeft)
      ok(book.text(path) === text, `${where} (${victim}): ${path} was written by ${by}: ${JSON.stringify([text, book.text(path)])}`);
  };
  nothingWritten('starting again');
  await recoverAll(running.page);
  nothingWritten('opening');
  await endMerge(scene);
  for (const document of documents) {
    const text = await settled(scene, document);
    compare(scene, document, text, victim, at, where);
  }
}

/** Throws where a word that is older than a second is not in the text, where one came back that was given up so long ago, or where their order is another. */
function compare({ book, report }: Scene, document: Document, text: string, victim: Victim, at: number, where: string): void {
  const isOld = (since: number) => at - since > grace + report.slowest;
  const [there, lost]: [Typed[], Typed[]] = [[], []];
  for (const typed of document.typed) {
    const { word, givenUpAt } = typed;
    const isThere = text.includes(word);
    if (isThere) there.push(typed);
    else if (givenUpAt === null) lost.push(typed);
    const isWrong = isThere ? givenUpAt !== null && isOld(givenUpAt) : givenUpAt === null && (victim === 'core' || isOld(typed.at));
    const what = isThere ? 'came back' : 'is lost';
    ok(
      !isWrong,
      `${where} (${victim}): ${JSON.stringify(typed)} of ${placeOf(book, document)} ${what}, killed at ${at}: ${JSON.stringify(text)}`,
    );
  }
  // Where both versions of a line were taken, words may stand twice.
  const order = [...new Set(text.match(/k\d+w\d+ /gu))];
  ok(
    order.join('') === there.map(({ word }) => word).join(''),
    `${where}: the words of ${placeOf(book, document)} are in another order: ${JSON.stringify(text)}`,
  );
  report.lost += lost.length;
  // What came back in the last second is the writer's again.
  for (const typed of there) typed.givenUpAt = null;
  document.typed = there;
}

/** The title and what others put behind it, and then words, each whole; before it at most an identity block. */
const isWhole = (text: string) => /^(---\nvmark:\n {2}id: [0-9a-f-]{36}\n---\n)?(# \S+( o\d+)*\n)+\n((k\d+w|x)\d+ |\n)*$/u.test(text);
