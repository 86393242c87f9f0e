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
  readonly turn?: number;
}

/** A program that writes through core. */
export interface WritingProcess {
  readonly child: ChildProcess;
  /** All it said, once it has ended: with 0, or killed by us; throws with what it complained about otherwise. */
  readonly done: Promise<Said[]>;
  /** Settles when it has said so many lines, or has ended. */
  heard(lines: number): Promise<void>;
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
  // A line that the kill cut was never acknowledged whole.
  lines.on('line', (line) => {
    if (line.endsWith('}')) said.push(JSON.parse(line) as Said);
  });
  const done = new Promise<Said[]>((resolve, reject) => {
    child.once('close', (code) => (code === 0 || child.killed ? resolve(said) : reject(new Error(complaints))));
  });
  // Whoever awaits it hears of it; until then it is no accident of the tests.
  done.catch(() => undefined);
  const heard = (count: number) =>
    new Promise<void>((resolve) => {
      const settle = () => (said.length >= count ? resolve() : undefined);
      settle();
      lines.on('line', settle);
      child.once('close', () => resolve());
    });
  return { child, done, heard };
}
