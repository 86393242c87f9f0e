import { deepEqual, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openCore } from '#core';
import { readDocument } from '#core/document';
import { readWholeLedger } from '#core/workspace/entries';
import type { Entry } from '#kernel/entry';
import { agentHand, appHand, commit, type Desk, type Ended, editorHand, type Hand, scriptHand } from './hands-actor.ts';
import { createRandom } from './kills.ts';

/** What many hands on one workspace came to. */
export interface HandsReport {
  readonly seed: number;
  /** Texts that were written, by whomever. */
  readonly edits: number;
  /** Edits that were acknowledged as recorded: each is one entry. */
  readonly acknowledged: number;
  /** Edits that met a conflict or were refused; nothing of them is there. */
  readonly refused: number;
  readonly kills: number;
  readonly commits: number;
  readonly entries: number;
  /** Lines that a kill cut in the middle. */
  readonly torn: number;
}

/** How long hands are at work: until so many edits were begun by each, or so many ms have passed. */
export interface HandsLimit {
  readonly edits?: number;
  readonly milliseconds?: number;
}

interface Edit {
  readonly path: string;
  readonly text: string;
  readonly by: string;
  readonly begun: number;
  ended: number;
  end: Ended;
}

const documents = ['plan.md', 'chapter.md', 'notes.md', 'summary.md', 'cast.md', 'places.md'];
/** An act that takes longer than this stands still, in ms. */
const patience = 120_000;

/**
 * Lets the browser shell, two command lines (of two installations), an agent's server, another editor and a person at git work on one
 * folder at once, each killed now and then in the middle of what it does. Throws where an acknowledged edit is not one entry, a text is lost
 * or torn, or somebody stands still; with the seed.
 */
export async function playHands(limit: HandsLimit, seed: number): Promise<HandsReport> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-hands-')));
  const { desk, other } = await prepare(root);
  const hands = [appHand(desk), scriptHand(desk), scriptHand(other, 'other script'), agentHand(desk), editorHand(desk)];
  const edits: Edit[] = [];
  const counts = { kills: 0, commits: 0 };
  const until = Date.now() + (limit.milliseconds ?? Number.POSITIVE_INFINITY);
  const isOver = (turn: number) => turn >= (limit.edits ?? Number.POSITIVE_INFINITY) || Date.now() >= until;
  try {
    let isDone = false;
    const working = hands.map((hand, at) => work({ hand, edits, counts, isOver, random: createRandom(seed * 31 + at) }));
    const committing = (async () => {
      const random = createRandom(seed * 31 + 99);
      while (!isDone) {
        await setTimeout(1000 + random() * 4000);
        commit(desk);
        counts.commits++;
      }
    })();
    await Promise.all(working).finally(() => {
      isDone = true;
    });
    await committing;
    for (const hand of hands) await hand.close();
    const { entries, torn } = await check(desk, edits, `seed ${seed}`);
    const of = (how: Ended['how']) => edits.filter(({ end }) => end.how === how).length;
    return { seed, edits: edits.length, acknowledged: of('recorded'), refused: of('refused'), ...counts, entries, torn };
  } finally {
    for (const hand of hands) hand.kill();
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function prepare(root: string): Promise<{ desk: Desk; other: Desk }> {
  const folder = join(root, 'workspace');
  const homes = ['home', 'other-home'].map((name) => join(root, name));
  for (const made of [folder, ...homes]) mkdirSync(made);
  for (const home of homes) writeFileSync(join(home, 'settings.json'), JSON.stringify({ insertIdentity: true }));
  const who = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((one) => [
      [`GIT_${one}_NAME`, 'Ana'],
      [`GIT_${one}_EMAIL`, 'a@example.org'],
    ]),
  );
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = (home: string) => ({
    ...Object.fromEntries(own),
    ...who,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    STEMMA_HOME: home,
  });
  const [desk, other] = homes.map((home): Desk => ({ folder, env: env(home) })) as [Desk, Desk];
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder, env: desk.env });
  const app = appHand(desk);
  for (const path of documents) ok((await app.write(path, textOf(path, 'begin', 0), path)).how === 'recorded');
  await app.close();
  commit(desk);
  return { desk, other };
}

/** A text that nobody else writes, and that shows whether it is whole. */
const textOf = (path: string, by: string, turn: number) => `# ${path}\n\n${`${by} ${turn} `.repeat(150)}\nend of ${by} ${turn}\n`;

interface Work {
  readonly hand: Hand;
  readonly edits: Edit[];
  readonly counts: { kills: number };
  readonly isOver: (turn: number) => boolean;
  readonly random: () => number;
}

async function work({ hand, edits, counts, isOver, random }: Work): Promise<void> {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  for (let turn = 0; !isOver(turn); turn++) {
    const path = pick(documents);
    const text = textOf(path, hand.name, turn);
    const isLook = random() < 0.2;
    const isKilled = hand.name !== 'editor' && random() < 0.15;
    const killing = isKilled ? setTimeout(random() * 600).then(() => hand.kill()) : null;
    if (isKilled) counts.kills++;
    if (isLook) await within(hand, hand.look());
    else {
      const edit: Edit = { path, text, by: hand.name, begun: performance.now(), ended: 0, end: { how: 'open' } };
      edits.push(edit);
      edit.end = await within(hand, hand.write(path, text, pick(documents.filter((one) => one !== path))));
      edit.ended = performance.now();
    }
    await killing;
    await setTimeout(random() * (hand.name === 'editor' ? 3000 : 200));
  }
}

async function within<T>(hand: Hand, act: Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(patience);
  const stuck = new Promise<never>((_, reject) =>
    late.addEventListener('abort', () => reject(new Error(`${hand.name} stands still`)), { once: true }),
  );
  return Promise.race([act, stuck]);
}

type Made = Extract<Entry, { kind: 'transformation' }>;

/** A new program looks when all have gone: every acknowledged edit is one entry, and the files hold whole texts, the newest ones. */
async function check(desk: Desk, edits: readonly Edit[], where: string): Promise<{ entries: number; torn: number }> {
  const core = await openCore({ folder: desk.folder, env: desk.env });
  try {
    await core.scan();
    const again = await core.scan();
    deepEqual([again.complete, again.external, again.adopted, again.git], [true, 0, 0, 0], `${where}: a second scan found something`);
    const { problems, quarantined } = await core.verify({ restoreLines: false });
    deepEqual(
      problems.filter(({ code }) => code !== 'line-malformed' && code !== 'line-torn'),
      [],
      `${where}: something is wrong`,
    );
    const { entries } = await readWholeLedger((await import('#core/storage/disk')).realDisk, join(desk.folder, '.vmark'));
    const made = entries.filter((entry): entry is Made => entry.kind === 'transformation');
    deepEqual(new Set(entries.map(({ idem }) => idem)).size, entries.length, `${where}: an entry stands twice`);
    const ids = new Set<string>(entries.map(({ id }) => id));
    for (const { end, by } of edits) ok(end.entry == null || ids.has(end.entry), `${where}: the entry ${end.entry} of the ${by} is lost`);
    for (const edit of edits) expectOnce(edit, made, where);
    const scripted = edits.filter(({ by }) => by.includes('script'));
    const records = made.filter(({ body }) => body.intent.kind === 'record').length;
    // Where what a text was made from cannot be pinned just then there may be nothing to record, and that is the answer.
    const acknowledged = scripted.filter(({ end }) => end.entry != null).length;
    ok(records >= acknowledged && records <= scripted.length, `${where}: ${records} records of ${scripted.length} that were asked for`);
    for (const path of documents) deepEqual((await core.logFile(path)).heads.length, 1, `${where}: ${path} has several current versions`);
    for (const path of documents) expectNewest(desk, path, edits, where);
    return { entries: entries.length, torn: quarantined.length };
  } finally {
    await core.close();
  }
}

const intents: Readonly<Record<string, string>> = { app: 'editor-save', agent: 'mcp-document-write' };

/**
 * An edit of the app or an agent that was acknowledged is one entry, one that the app was refused none, any other at most one: an agent's
 * server asks again by itself when the core dies that it asked, and may find its own write under somebody else's. What a script or an
 * editor has put there is seen once, or never; a script records the text that it finds, and that may be another's.
 */
function expectOnce({ text, path, by, end }: Edit, made: readonly Made[], where: string): void {
  const { contentHash } = readDocument(Buffer.from(text), path);
  const own = made.filter(({ body }) => body.outputs.some(({ content_hash }) => content_hash === contentHash));
  const of = (intent: string) => own.filter(({ body }) => body.intent.kind === intent).length;
  const seen = of('observed-external-edit');
  const what = `${where}: the edit "${text.trim().split('\n').at(-1)}" of ${path} (${end.how}) is ${own.map(describe).join('; ') || 'nowhere'}`;
  ok(seen <= 1, what);
  if (intents[by] === undefined) return;
  const told = of(intents[by]);
  ok(told + seen <= 1, what);
  if (end.how === 'recorded') ok(told === 1, what);
  if (end.how === 'refused' && by === 'app') ok(told === 0, what);
}

const describe = ({ id, idem, time, writer, body: { agent, intent, inputs, outputs } }: Made) =>
  `${id} ${idem} ${time} ${writer} ${agent.type} ${intent.kind} of ${inputs.length} onto ${outputs[0]!.parents.length}`;

/** No acknowledged text was begun after the one that stands there had ended. */
function expectNewest({ folder }: Desk, path: string, edits: readonly Edit[], where: string): void {
  const text = readFileSync(join(folder, path), 'utf8').replace(/^---\n.*?\n---\n/su, '');
  const there = edits.find((edit) => edit.path === path && edit.text === text);
  ok(there !== undefined || text === textOf(path, 'begin', 0), `${where}: ${path} is torn: ${text.slice(0, 80)}…${text.slice(-80)}`);
  const later = edits.find((edit) => edit.path === path && edit.end.how === 'recorded' && edit.begun > (there?.ended ?? 0));
  ok(later === undefined, `${where}: ${path} has lost what ${later?.by} wrote`);
}
