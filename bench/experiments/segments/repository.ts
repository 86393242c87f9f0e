import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The temporary folder of this run; `clear` removes it. */
export const root = fs.mkdtempSync(join(tmpdir(), 'segments-'));

/** Removes all that the run made. */
export function clear(): void {
  fs.rmSync(root, { recursive: true, force: true });
}

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
  HOME: root,
  LC_ALL: 'C',
  GIT_AUTHOR_NAME: 'w',
  GIT_AUTHOR_EMAIL: 'w@example.org',
  GIT_COMMITTER_NAME: 'w',
  GIT_COMMITTER_EMAIL: 'w@example.org',
};
const settings = ['-c', 'core.fsmonitor=false', '-c', 'gc.auto=0', '-c', 'advice.detachedHead=false'];

/** What a git command answered; `err` holds both streams, since git says some refusals on stdout. */
export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs git without the configuration of this machine. */
export function git(dir: string, ...args: string[]): Answer {
  const run = spawnSync('git', [...settings, ...args], { cwd: dir, env: environment, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return { code: run.status ?? -1, out: run.stdout, err: run.stderr + run.stdout };
}

/** Runs a git command that this experiment relies on; its output. */
export function must(dir: string, ...args: string[]): string {
  const answer = git(dir, ...args);
  if (answer.code !== 0) throw new Error(`git ${args.join(' ')}: ${answer.err}`);
  return answer.out;
}

/** Runs git beside this process; what it said. */
export function background(dir: string, step: string): Promise<string> {
  const child = spawn('git', [...settings, ...step.split(' ')], { cwd: dir, env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  return new Promise((resolve) => child.on('close', () => resolve(said)));
}

/** How git says that something in the worktree or the index is in the way. */
export const inTheWay =
  /would be overwritten|unstaged changes|uncommitted changes|not uptodate|already exists, no checkout|could not restore untracked|commit your changes or stash/iu;

/** Everything in the folder, committed. */
export function commitAll(dir: string): void {
  must(dir, 'add', '-A');
  must(dir, 'commit', '-qm', 'all');
}

/** Appends, making the folders on the way. */
export function write(file: string, text: string): void {
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.appendFileSync(file, text);
}

let copies = 0;

/** A copy of a world to spend. */
export function copied(world: string): string {
  copies += 1;
  const copy = join(root, `copy-${copies}`);
  fs.cpSync(world, copy, { recursive: true });
  return copy;
}

/** Bytes of all files under a folder. */
export function folderSize(dir: string): number {
  const files = fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + fs.statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Prints a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  console.log(['', ...[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)].join('\n'));
}

/** Milliseconds of `work`, the median of five. */
export function timed(work: () => void): number {
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return runs.sort((a, b) => a - b)[2]!;
}
