import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a second instance hands to the first. */
export interface SecondInstance {
  readonly argv: string[];
  readonly workingDirectory: string;
  readonly data: unknown;
}

/**
 * Takes the lock of a folder, or leaves a message to the process that has it. Answering at once, as `requestSingleInstanceLock` does, it
 * goes by files; a lock whose process is gone counts as free.
 */
export function holdInstance(folder: string, data: unknown, onSecond: (second: SecondInstance) => void): boolean {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'pid');
  const holder = holderOf(lock);
  if (holder !== null && holder !== process.pid) {
    const second: SecondInstance = { argv: process.argv, workingDirectory: process.cwd(), data };
    const letter = join(folder, `${process.pid}.new`);
    writeFileSync(letter, JSON.stringify(second));
    waitUntilRead(letter, lock);
    return false;
  }
  writeFileSync(lock, String(process.pid));
  listen(folder, onSecond);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return true;
}

/** Chromium's second process, too, ends only when the first has heard it, or after twenty seconds. */
function waitUntilRead(letter: string, lock: string): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 1000 && existsSync(letter) && holderOf(lock) !== null; tries++) Atomics.wait(cell, 0, 0, 20);
}

function holderOf(lock: string): number | null {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

function listen(folder: string, onSecond: (second: SecondInstance) => void): void {
  const look = () => {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.new'))) {
      const text = readFileSync(join(folder, name), 'utf8');
      // A file that is still being written is read the next time.
      if (!text.endsWith('}')) continue;
      rmSync(join(folder, name));
      onSecond(JSON.parse(text));
    }
  };
  setInterval(look, 50).unref();
}
