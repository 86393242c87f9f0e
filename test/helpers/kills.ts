import { ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Core, openCore } from '#core';
import { byHand } from '#core/workspace/authorship';
import { type Said, startWriting } from './child.ts';

/** What many killed programs left behind. */
export interface KillReport {
  readonly seed: number;
  readonly kills: number;
  /** Saves and records that were acknowledged before the kill; all of them are there. */
  readonly acknowledged: number;
  /** Kills that came before anything was acknowledged. */
  readonly early: number;
  /** Lines that a kill cut in the middle. */
  readonly torn: number;
}

/** Numbers from 0 to 1 that are always the same for one seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/**
 * Starts a program that saves and records (`write`), or autosaves and restores (`edit`), as fast as it can, and kills it at a random moment; `count` times over one
 * workspace, which is looked at after each. Throws at the first thing that is lost or torn, with the seed.
 */
export async function killMany(count: number, seed: number, act: 'write' | 'edit' = 'write'): Promise<KillReport> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-kills-')));
  const [folder, home] = [join(root, 'workspace'), join(root, 'home')];
  const env = { ...process.env, STEMMA_HOME: home, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
  const random = createRandom(seed);
  const counts = { acknowledged: 0, early: 0, torn: 0 };
  try {
    await prepare(folder, home, env);
    // One that ends by itself: those that are killed then start from what it leaves compiled.
    await startWriting({ folder, name: 'first', act, count: 0 }, env).done;
    for (let kill = 0; kill < count; kill++) {
      const said = await killOne({ folder, name: `k${kill}`, act, count: 100_000 }, env, random);
      const core = await openCore({ folder, env });
      const torn = await look(core, folder, said, `seed ${seed}, kill ${kill}`);
      await core.close();
      const acknowledged = said.filter(({ path }) => path !== undefined).length;
      ok(torn - counts.torn <= 1, `seed ${seed}, kill ${kill}: more than one line was torn`);
      counts.acknowledged += acknowledged;
      counts.early += acknowledged === 0 ? 1 : 0;
      counts.torn = torn;
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return { seed, kills: count, ...counts };
}

async function prepare(folder: string, home: string, env: NodeJS.ProcessEnv): Promise<void> {
  for (const one of [folder, home]) mkdirSync(one);
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ insertIdentity: true }));
  const core = await openCore({ folder, env });
  await core.save({ path: 'source.md', bytes: Buffer.from('source\n'), base: null, ...byHand });
  await core.close();
}

async function killOne(task: Parameters<typeof startWriting>[0], env: NodeJS.ProcessEnv, random: () => number): Promise<Said[]> {
  const { child, done, heard } = startWriting(task, env);
  // So many acts, and then in the middle of one: how fast this machine is just now does not matter.
  await heard(Math.floor(random() * 7));
  await setTimeout(random() * 30);
  child.kill('SIGKILL');
  return done;
}

/** Heals, and looks at everything; answers how many lines of the ledger are no entries. */
async function look(core: Core, folder: string, said: readonly Said[], where: string): Promise<number> {
  for (const [path, text] of filesIn(folder)) ok(isWhole(text), `${where}: ${path} is torn`);
  await core.scan();
  const again = await core.scan();
  ok(again.complete && again.external === 0 && again.adopted === 0, `${where}: a second scan found something`);
  const { entries } = await core.log();
  const known = new Set(entries.map(({ id }) => id));
  for (const { entry, path } of said) if (entry != null) ok(known.has(entry), `${where}: the entry of ${path} is lost`);
  for (const [path, turn] of newestSaves(said)) {
    const found = turnOf(readFileSync(join(folder, path), 'utf8'));
    // The next act may have put the first version back.
    ok(
      found >= turn || (found === 0 && path.startsWith('edited-') && turn % 5 >= 3) || turn < 0,
      `${where}: ${path} holds the text of turn ${found}, and turn ${turn} was acknowledged`,
    );
  }
  for (const path of new Set(said.flatMap(({ path }) => (path?.startsWith('edited-') ? [path] : [])))) {
    const { revisions, heads } = await core.logFile(path);
    ok(heads.length === 1, `${where}: ${path} has several heads`);
    ok(
      revisions.every(({ agent }) => agent.type === 'human'),
      `${where}: a version of ${path} is not the writer's`,
    );
  }
  const { problems, quarantined } = await core.verify({ restoreLines: false });
  const others = problems.filter(({ code }) => code !== 'line-malformed');
  ok(others.length === 0, `${where}: ${JSON.stringify(others[0])}`);
  return quarantined.length;
}

function filesIn(folder: string): [string, string][] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'source.md');
  return names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

/** As `writing-process.ts` makes them: the first line and the last name the same turn. */
function isWhole(text: string): boolean {
  const [, name] = /^# (k\d+-\d+)$/mu.exec(text) ?? [];
  return name !== undefined && text.endsWith(`\n\n${`${name} `.repeat(200)}\nend of ${name}\n`);
}

const turnOf = (text: string) => Number(/^# k\d+-(\d+)$/mu.exec(text)?.[1] ?? -1);

function newestSaves(said: readonly Said[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { path, turn } of said) if (/^(?:saved|edited)-/u.test(path ?? '') && path !== undefined) newest.set(path, turn ?? -1);
  return newest;
}
