import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Outputs, outputs } from '#protocol/outputs';
import { gitEnvironment } from './repository.ts';

/** The command line as it is built. */
export const program = join(import.meta.dirname, '../../out/cli/index.js');

/** A folder to work in and an app-data folder of its own, both in one temporary folder that goes when the test ends. */
export interface Place {
  readonly folder: string;
  readonly home: string;
}

/** How a run ended. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What stdout is, which must be one JSON document and nothing else. */
  json(): unknown;
}

/** Where and with what a command is run; the environment is English and without colours unless it says otherwise. */
export interface RunOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: string;
}

/** An empty workspace outside git, and a new app-data folder. */
export function createPlace(): Place {
  const temporary = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-cli-')));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const folder = join(temporary, 'workspace');
  mkdirSync(folder);
  return { folder, home: join(temporary, 'home') };
}

/** Runs the built command line. That no stack is ever shown is checked of every run. */
export function run(args: readonly string[], { cwd, home, env = {}, node = process.execPath }: RunOptions): Run {
  const surroundings = { ...gitEnvironment, LC_ALL: 'C.UTF-8', NODE_NO_WARNINGS: '', ...env, STEMMA_HOME: home };
  const { status, signal, stdout, stderr, error } = spawnSync(node, [program, ...args], {
    cwd,
    env: surroundings,
    encoding: 'utf8',
    input: '',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw error;
  expect(signal).toBeNull();
  expect(stderr).not.toMatch(/^\s+at .+:\d+/mu);
  return { code: status, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** A command line in one place: runs by words, and by the JSON that it promises. */
export interface Stemma {
  (...args: string[]): Run;
  /** Runs with `--json`; the answer is checked against the schema of that name, and a run that fails is a failure of the test. */
  json<Name extends keyof typeof outputs>(name: Name, ...args: string[]): Outputs[Name];
}

/** The command line in a place. `env` adds to the environment. */
export function stemmaIn({ folder, home }: Place, env: Readonly<Record<string, string>> = {}): Stemma {
  const here = (...args: string[]) => run(args, { cwd: folder, home, env });
  return Object.assign(here, {
    json<Name extends keyof typeof outputs>(name: Name, ...args: string[]) {
      const answer = here(...args, '--json');
      return valid(name, answer.json());
    },
  });
}

/** A value as the output of that name; what breaks its schema fails the test. */
export function valid<Name extends keyof typeof outputs>(name: Name, value: unknown): Outputs[Name] {
  const parsed = outputs[name].safeParse(value);
  expect(parsed.error?.issues ?? [], name).toEqual([]);
  return value as Outputs[Name];
}
