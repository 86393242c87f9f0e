import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What `writing-process.ts` says on one line. */
export interface Said {
  readonly ready?: string;
  readonly path?: string;
  readonly entry?: string | null;
  readonly base?: string | null;
  readonly found?: number;
}

/** A program that writes through core. */
export interface WritingProcess {
  readonly child: ChildProcess;
  /** All it said, once it has ended: with 0, or killed by us; throws with what it complained about otherwise. */
  readonly done: Promise<Said[]>;
  /** Settles with the first line. */
  readonly ready: Promise<void>;
}

/** Starts `writing-process.ts` on a workspace; `env` holds its STEMMA_HOME. */
export function startWriting(task: { folder: string; name: string; act: string; count: number }, env: NodeJS.ProcessEnv): WritingProcess {
  const script = join(import.meta.dirname, 'writing-process.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(task)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Said[] = [];
  let complaints = '';
  child.stderr.on('data', (bytes: Buffer) => {
    complaints += bytes.toString();
  });
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<void>((resolve) => lines.once('line', () => resolve()));
  // A line that the kill cut was never acknowledged whole.
  lines.on('line', (line) => {
    if (line.endsWith('}')) said.push(JSON.parse(line) as Said);
  });
  const done = new Promise<Said[]>((resolve, reject) => {
    child.once('close', (code) => (code === 0 || child.killed ? resolve(said) : reject(new Error(complaints))));
  });
  return { child, done, ready };
}
