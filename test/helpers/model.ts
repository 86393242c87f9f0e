import { deepEqual, ok } from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { digest } from '#core/digest';
import { project } from '../reference/projection.ts';
import { headsOf, labelsOf, replay } from '../reference/replay.ts';
import { createRandom } from './kills.ts';
import type { Told } from './model-process.ts';

/** What a random story of several clones came to. */
export interface ModelReport {
  readonly seed: number;
  readonly steps: number;
  /** Entries that were acknowledged; all of them are in every clone at the end. */
  readonly acknowledged: number;
  /** How often all clones were brought together and compared. */
  readonly meetings: number;
  readonly rows: number;
}

/** A clone of the repository with the programs that work on it. */
interface Clone {
  readonly name: string;
  readonly folder: string;
  readonly programs: Program[];
  /** Starts a program in place of one that was killed. */
  startAgain(at: number): void;
  git(...args: string[]): string;
  bytes(...args: string[]): Buffer;
}

interface Program {
  readonly child: ChildProcess;
  tell(told: Told): Promise<unknown>;
}

const documents = ['plan.md', 'chapter.md', 'notes.md', 'summary.md', 'cast.md', 'places.md', 'index.md'];

/**
 * Plays a random story: three clones, on each of which two installations work at once, that save, autosave, record, scan, are killed, have wrong clocks,
 * decide, edit, move, copy and delete by hand, commit, branch, stash, look at old commits and merge. After every meeting all clones have the
 * same projection, that of the plain replay, and every acknowledged entry; they meet every `between` steps. Throws at the first thing that is not so,
 * with the seed and what was done.
 */
export async function playModel(steps: number, seed: number, between = 15): Promise<ModelReport> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-model-')));
  const random = createRandom(seed);
  const story: string[] = [];
  const clones: Clone[] = [];
  try {
    await openClones(root, clones);
    const acknowledged = new Set<string>();
    let [meetings, rows] = [0, 0];
    for (let step = 0; step < steps; step++) {
      const clone = pick(clones, random);
      await takeStep({ clone, clones, step, random, acknowledged, said: (what) => story.push(`${step} ${clone.name}: ${what}`) });
      const answer = await pick(clone.programs, random).tell({ act: 'everything' });
      deepEqual(answer, plainly(linesOf(clone)), `${clone.name}: the product and the plain replay differ after a step`);
      if (step % between !== between - 1 && step !== steps - 1) continue;
      story.push(`${step} all meet`);
      rows = await meet(clones, acknowledged);
      meetings++;
    }
    return { seed, steps, acknowledged: acknowledged.size, meetings, rows };
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${story.slice(-25).join('\n')}`, { cause: error });
  } finally {
    await Promise.all(clones.flatMap(({ programs }) => programs.map(({ child }) => ended(child))));
    rmSync(root, { recursive: true, force: true });
  }
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!;

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve();
    child.once('close', () => resolve());
    child.stdin!.end();
  });
}

async function openClones(root: string, clones: Clone[]): Promise<void> {
  const [one, two] = ['home-1', 'home-2'].map((name) => join(root, name));
  for (const home of [one!, two!]) {
    mkdirSync(home);
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ insertIdentity: true }));
  }
  const homes = [one!, two!];
  const first = createClone(root, 'a', homes);
  clones.push(first);
  first.git('init', '--quiet', '--initial-branch=main');
  for (const path of documents) await first.programs[0]!.tell({ act: 'save', path, text: `${path} begins\n`, source: '' });
  commitAll(first);
  for (const name of ['b', 'c']) {
    execFileSync('git', ['clone', '--quiet', first.folder, join(root, name)], { env: environment(one!), stdio: 'pipe' });
    clones.push(createClone(root, name, homes));
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const who = {
    GIT_AUTHOR_NAME: 'Ana',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'Ana',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  return {
    ...Object.fromEntries(own),
    ...who,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'true',
    STEMMA_HOME: home,
  };
}

/** A clone on which a program of each installation works at once. */
function createClone(root: string, name: string, homes: readonly string[]): Clone {
  const folder = join(root, name);
  const env = environment(homes[0]!);
  mkdirSync(folder, { recursive: true });
  const programs = homes.map((home) => startProgram(folder, environment(home)));
  return {
    name,
    folder,
    programs,
    startAgain(at) {
      programs[at] = startProgram(folder, environment(homes[at]!));
    },
    git: (...args) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }),
    bytes: (...args) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' }),
  };
}

function startProgram(folder: string, env: NodeJS.ProcessEnv): Program {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'model-process.ts'), folder], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  let complaints = '';
  child.stderr!.on('data', (bytes: Buffer) => {
    complaints += bytes.toString();
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { done, fault, message } = JSON.parse(line) as { done?: unknown; fault?: string; message?: string };
    const { resolve, reject } = waiting.shift()!;
    if (fault === undefined) resolve(done);
    else reject(Object.assign(new Error(message), { code: fault }));
  });
  child.once('close', () => {
    for (const { reject } of waiting) reject(new Error(complaints));
  });
  const tell = (told: Told) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.push({ resolve, reject });
      child.stdin!.write(`${JSON.stringify(told)}\n`);
    });
  return { child, tell };
}

interface Step {
  readonly clone: Clone;
  readonly clones: readonly Clone[];
  readonly step: number;
  readonly random: () => number;
  readonly acknowledged: Set<string>;
  readonly said: (what: string) => void;
}

const acts: readonly (readonly [weight: number, name: string, act: (step: Step) => Promise<void> | void])[] = [
  [3, 'save', (step) => write(step, 'save')],
  [9, 'save from another', (step) => write(step, 'save-from')],
  [2, 'two programs save at once', saveAtOnce],
  [3, 'record', recordEdit],
  [3, 'autosave', autosave],
  [2, 'a program is killed while it saves', crash],
  [1, 'a clock goes wrong', wrongClock],
  [1, 'the index is rebuilt', rebuild],
  [2, 'edit by hand', (step) => editByHand(step)],
  [2, 'move by hand', moveByHand],
  [1, 'copy by hand', copyByHand],
  [1, 'delete by hand', deleteByHand],
  [3, 'scan', async ({ clone, random }) => void (await pick(clone.programs, random).tell({ act: 'scan' }))],
  [3, 'accept', accept],
  [3, 'commit', ({ clone }) => commitAll(clone)],
  [2, 'branch', branch],
  [2, 'stash and pop', stash],
  [1, 'look at an old commit', lookBack],
  [1, 'git eats what was just written', eat],
  [
    3,
    'merge another clone',
    ({ clone, clones, random }) =>
      mergeFrom(
        clone,
        pick(
          clones.filter((other) => other !== clone),
          random,
        ),
      ),
  ],
];

const weighted = acts.flatMap((one) => Array<(typeof acts)[number]>(one[0]).fill(one));

async function takeStep(step: Step): Promise<void> {
  const [, name, act] = pick(weighted, step.random);
  step.said(name);
  await act(step);
}

function acknowledge({ acknowledged }: Step, entry: unknown): void {
  if (typeof entry === 'string') acknowledged.add(entry);
}

function told({ step, clone, random }: Step, act: 'save' | 'save-from' | 'record') {
  // Mostly each clone has documents of its own, so that not everything forks.
  const own = documents.filter((_, at) => at % 3 === 'abc'.indexOf(clone.name));
  const path =
    random() < 0.2 ? pick([`${clone.name}-${step}.md`, ...ownFiles(clone)], random) : pick(random() < 0.75 ? own : documents, random);
  // Texts that come back are a case of their own.
  const text = random() < 0.2 ? `${path} again\n` : `${path} at step ${step} of ${clone.name}\n`;
  return {
    act,
    path,
    text,
    source: pick(
      documents.filter((other) => other !== path),
      random,
    ),
  } as const;
}

async function write(step: Step, act: 'save' | 'save-from'): Promise<void> {
  acknowledge(step, await pick(step.clone.programs, step.random).tell(told(step, act)));
}

async function saveAtOnce(step: Step): Promise<void> {
  const [one, other] = [told(step, 'save'), told(step, 'save-from')];
  const { programs } = step.clone;
  const entries = await Promise.all([
    programs[0]!.tell(one),
    programs.at(-1)!.tell({
      ...other,
      path: pick(
        documents.filter((path) => path !== one.path),
        step.random,
      ),
    }),
  ]);
  for (const entry of entries) acknowledge(step, entry);
}

function editByHand({ clone, random, step }: Step, path = pick(documents, random)): string {
  const file = join(clone.folder, path);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  writeFileSync(file, `${/^---\n.*?\n---\n/su.exec(before)?.[0] ?? ''}by hand at step ${step} of ${clone.name}\n`);
  return path;
}

/** The documents that only this clone writes: they are moved, copied and deleted, which in two clones at once would be git's conflict to settle. */
function ownFiles({ name, folder }: Clone): string[] {
  return readdirSync(folder).filter((path) => path.startsWith(`${name}-`) && path.endsWith('.md'));
}

const isOwn = (clone: Clone) => ownFiles(clone).length > 0;

async function moveByHand({ clone, random, step }: Step): Promise<void> {
  if (!isOwn(clone)) return;
  renameSync(join(clone.folder, pick(ownFiles(clone), random)), join(clone.folder, `${clone.name}-${step}-moved.md`));
  await pick(clone.programs, random).tell({ act: 'scan' });
}

/** A copy holds its document until somebody says that it is a new one. */
async function copyByHand({ clone, random, step }: Step): Promise<void> {
  if (!isOwn(clone)) return;
  const copy = `${clone.name}-${step}-copy.md`;
  copyFileSync(join(clone.folder, pick(ownFiles(clone), random)), join(clone.folder, copy));
  await pick(clone.programs, random).tell({ act: 'make-new', path: copy });
}

async function deleteByHand({ clone, random }: Step): Promise<void> {
  if (!isOwn(clone)) return;
  rmSync(join(clone.folder, pick(ownFiles(clone), random)));
  await pick(clone.programs, random).tell({ act: 'scan' });
}

async function recordEdit(step: Step): Promise<void> {
  const path = editByHand(step);
  acknowledge(step, await pick(step.clone.programs, step.random).tell({ ...told(step, 'record'), path }));
}

/** Recorded at once, or later: with what is saved next, by a scan, or when it is asked for. */
async function autosave(step: Step): Promise<void> {
  const program = pick(step.clone.programs, step.random);
  await program.tell({ ...told(step, 'save'), act: 'autosave' });
  if (step.random() < 0.5) return;
  for (const entry of (await program.tell({ act: 'settle' })) as unknown[]) acknowledge(step, entry);
}

async function crash(step: Step): Promise<void> {
  const { clone, random } = step;
  const at = Math.floor(random() * clone.programs.length);
  const { child, tell } = clone.programs[at]!;
  const saving = tell(told(step, 'save-from')).then(
    (entry) => acknowledge(step, entry),
    () => undefined,
  );
  await setTimeout(random() * 30);
  const isGone = once(child, 'close');
  child.kill('SIGKILL');
  await Promise.all([saving, isGone]);
  clone.startAgain(at);
}

/** Half an hour behind or ahead, or right again. */
async function wrongClock({ clone, random }: Step): Promise<void> {
  await pick(clone.programs, random).tell({ act: 'clock', by: pick([-1_800_000, 0, 1_800_000], random) });
}

async function rebuild({ clone, random }: Step): Promise<void> {
  ok(await pick(clone.programs, random).tell({ act: 'rebuild' }), `${clone.name}: a rebuilt index says something else`);
}

async function accept(step: Step): Promise<void> {
  acknowledge(step, await pick(step.clone.programs, step.random).tell({ act: 'accept', at: Math.floor(step.random() * 100) }));
}

function commitAll({ git }: Clone): void {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'a step');
}

/** What a program wrote a moment ago is deleted by a clean; its next save brings it back, and rests on it. */
async function eat(step: Step): Promise<void> {
  commitAll(step.clone);
  const program = step.clone.programs[0]!;
  const saved = told(step, 'save');
  acknowledge(step, await program.tell(saved));
  step.clone.git('clean', '--quiet', '--force', '-d', '--', '.vmark/ledger');
  acknowledge(step, await program.tell({ ...saved, text: `${saved.text}and more\n` }));
}

/** Commits, and goes to a new branch or back to the main one, which it merges then. */
function branch({ clone, step }: Step): void {
  commitAll(clone);
  if (clone.git('branch', '--show-current').trim() === 'main') clone.git('switch', '--quiet', '--create', `side-${step}`);
  else toMain(clone);
}

function toMain(clone: Clone): void {
  const side = clone.git('branch', '--show-current').trim();
  if (side === 'main') return;
  clone.git('switch', '--quiet', 'main');
  merge(clone, side);
}

function stash({ clone }: Step): void {
  if (clone.git('status', '--porcelain').trim() === '') return;
  clone.git('stash', '--quiet', '--include-untracked');
  clone.git('stash', 'pop', '--quiet');
}

async function lookBack({ clone, random }: Step): Promise<void> {
  commitAll(clone);
  const there = clone.git('branch', '--show-current').trim();
  clone.git('checkout', '--quiet', 'HEAD~1');
  await pick(clone.programs, random).tell({ act: 'scan' });
  goBack(clone, there);
}

/**
 * What a scan found at an old commit may be what was recorded later: its snapshot stands in the way then, equal to the
 * byte. It is the one corner where git refuses (ADR 0002), and goes when the file is taken away.
 */
function goBack(clone: Clone, branchName: string): void {
  try {
    clone.git('switch', '--quiet', branchName);
  } catch (error) {
    const inTheWay = [...(error as { stderr: string }).stderr.matchAll(/^\t(.+)$/gmu)].map(([, path]) => path!);
    ok(inTheWay.length > 0 && inTheWay.every((path) => path.startsWith('.vmark/snapshots/sha256/')), String(error));
    for (const path of inTheWay) deepEqual(readFileSync(join(clone.folder, path)), clone.bytes('show', `${branchName}:${path}`));
    for (const path of inTheWay) rmSync(join(clone.folder, path));
    clone.git('switch', '--quiet', branchName);
  }
}

function mergeFrom(clone: Clone, other: Clone): void {
  commitAll(clone);
  clone.git('fetch', '--quiet', other.folder, 'HEAD');
  merge(clone, 'FETCH_HEAD');
}

/** Documents may be in conflict: they get a text of both sides, or else the other's. The ledger never is. */
function merge(clone: Clone, what: string): void {
  try {
    clone.git('merge', '--quiet', '--no-edit', what);
  } catch (error) {
    const files = clone.git('diff', '--name-only', '--diff-filter=U').split('\n').filter(Boolean);
    ok(files.length > 0, `git merge was refused: ${(error as { stderr?: string }).stderr}`);
    deepEqual(
      files.filter((file) => file.startsWith('.vmark/')),
      [],
      'the ledger is in conflict',
    );
    const kept = files.filter((file) => takeTheirs(clone, file));
    for (const file of kept.filter((name) => name.length % 2 === 0)) appendFileSync(join(clone.folder, file), `and ${clone.name} too\n`);
    commitAll(clone);
  }
}

/** False where the other side has deleted the file: it goes here too. */
function takeTheirs(clone: Clone, file: string): boolean {
  try {
    clone.git('checkout', '--theirs', '--', file);
    return true;
  } catch {
    clone.git('rm', '--quiet', '--force', '--', file);
    return false;
  }
}

/** Brings all clones together, as often as it takes until nobody has anything new, and compares them. Answers how many rows there are. */
async function meet(clones: readonly Clone[], acknowledged: ReadonlySet<string>): Promise<number> {
  const [first, ...others] = clones;
  for (const clone of clones) {
    commitAll(clone);
    toMain(clone);
    await clone.programs[0]!.tell({ act: 'scan' });
    commitAll(clone);
  }
  for (const other of others) mergeFrom(first!, other);
  await first!.programs[0]!.tell({ act: 'scan' });
  commitAll(first!);
  for (const other of others) mergeFrom(other, first!);
  const states: unknown[] = [];
  for (const clone of clones) {
    const lines = linesOf(clone);
    const ids = new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id));
    for (const entry of acknowledged) ok(ids.has(entry), `${clone.name} has lost the entry ${entry}`);
    const scanned = (await clone.programs[0]!.tell({ act: 'scan' })) as { external: number; adopted: number; git: number };
    const found = { external: scanned.external, adopted: scanned.adopted, git: scanned.git };
    deepEqual(found, { external: 0, adopted: 0, git: 0 }, `${clone.name}: a scan found something that nobody wrote`);
    for (const program of clone.programs) {
      const said = await program.tell({ act: 'everything' });
      deepEqual(said, plainly(lines), `${clone.name}: the product and the plain replay differ`);
      states.push(said);
    }
    deepEqual(await clone.programs[0]!.tell({ act: 'verify' }), [], `${clone.name}: something is wrong`);
  }
  for (const state of states) deepEqual(state, states[0], 'clones differ');
  return (states[0] as string[]).filter((line) => line.includes('#')).length;
}

function linesOf({ folder }: Clone): string[] {
  const ledger = join(folder, '.vmark', 'ledger');
  const names = readdirSync(ledger).filter((name) => name.endsWith('.jsonl'));
  return names.flatMap((name) => readFileSync(join(ledger, name), 'utf8').split('\n').filter(Boolean));
}

/** What a program answers to `everything`, from the plain replay: each listed edge, and each document with its versions. */
function plainly(lines: readonly string[]): string[] {
  const read = replay(lines, digest);
  const rows = project(read, { now: new Date().toISOString() });
  const edges = rows.flatMap((row) => ('txf' in row ? [`${row.txf}#${row.input} ${row.state}`] : []));
  const objects = [...read.objects.values()].map((object) => {
    const labels = [...labelsOf(object)].map(([revision, label]) => `${revision} ${label}`).sort();
    return `${object.path} ${headsOf(object).join(' ')} of ${labels.join(' ')}`;
  });
  return [...edges, ...objects].sort();
}
