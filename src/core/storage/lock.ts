import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { type Disk, makeFolder } from '#core/storage/disk';

/** Exclusive right to change a ledger, across processes; the operating system frees it when a process dies. */
export interface Lock {
  /** Runs `work` alone: first come, first served in this process, then against other processes. `isAlone` is false where no other process could be kept out. */
  hold<T>(work: (isAlone: boolean) => Promise<T>): Promise<T>;
  /** The folders in which no lock could be had the last time that one was tried there. */
  barred(): ReadonlySet<string>;
  /** Closes the connection; a lock held then is freed. */
  close(): void;
}

/** What was locked, and whether that is all that there is to lock. */
interface Got {
  readonly databases: readonly Database.Database[];
  readonly isAlone: boolean;
}

/** How long a lock is waited for, in ms; who holds it longer does no work, since work under it takes moments. */
const longestWait = 30_000;

interface Held {
  readonly database: Database.Database;
  readonly inode: number;
}

/**
 * The lock of `spec/format.md` §9: a SQLite file of its own in each of `folders`, taken in their order, so that a
 * folder may come to the list while an earlier one is held. Nothing else opens or deletes these files. They are opened
 * with the first `hold`, and again when another file stands under their name. A folder where no lock can be had is left
 * out; without any, or where a stopped process sits on one, only the callers of this process are kept apart.
 */
export function createLock(disk: Disk, folders: () => readonly string[]): Lock {
  const held = new Map<string, Held>();
  const barred = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();

  const connected = async (path: string): Promise<Held> => {
    const before = held.get(path);
    if (before !== undefined && inodeOf(disk, path) === before.inode) return before;
    before?.database.close();
    held.delete(path);
    const now = await connect(disk, path);
    held.set(path, now);
    return now;
  };
  const begin = async (path: string): Promise<Database.Database | 'busy'> => {
    const { database, inode } = await connected(path);
    if (!isBegun(database)) return 'busy';
    if (inodeOf(disk, path) === inode) return database;
    release([database]);
    return 'busy';
  };
  /** All that can be locked now, or null where somebody else has one of them. */
  const attempt = async (): Promise<Got | null> => {
    const got: Database.Database[] = [];
    const places = folders();
    for (const folder of places) {
      try {
        makeFolder(disk, folder);
        const database = await begin(join(folder, 'index.db-lock'));
        barred.delete(folder);
        if (database !== 'busy') {
          got.push(database);
          continue;
        }
        release(got);
        return null;
      } catch {
        barred.add(folder);
        // A network drive or a read-only folder: nothing rests on the lock but convenience, and a text must be saved there too.
      }
    }
    // Who waited may find that there is a ledger by now, with a lock of its own.
    if (folders().length === places.length) return { databases: got, isAlone: got.length === places.length };
    release(got);
    return null;
  };
  const acquire = async (): Promise<Got> => {
    const since = performance.now();
    for (let wait = 1; performance.now() - since < longestWait; wait = Math.min(wait * 2, 50)) {
      const got = await attempt();
      if (got !== null) return got;
      await setTimeout(wait);
    }
    return { databases: [], isAlone: false };
  };
  const alone = async <T>(work: (isAlone: boolean) => Promise<T>): Promise<T> => {
    const got = await acquire();
    try {
      return await work(got.isAlone);
    } finally {
      release(got.databases);
    }
  };
  return {
    hold(work) {
      const turn = queue.then(() => alone(work));
      queue = turn.catch(() => undefined);
      return turn;
    },
    barred: () => barred,
    close() {
      for (const { database } of held.values()) database.close();
      held.clear();
    },
  };
}

function release(databases: readonly Database.Database[]): void {
  for (const database of databases) if (database.open && database.inTransaction) database.exec('ROLLBACK');
}

async function connect(disk: Disk, path: string): Promise<Held> {
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(path, { timeout: 0 });
  try {
    // Nothing is ever committed: a journal on the disk would be a file made and removed for each lock.
    database.pragma('journal_mode = MEMORY');
  } catch {
    // It is only slower.
  }
  return { database, inode: inodeOf(disk, path) };
}

function isBegun(database: Database.Database): boolean {
  try {
    database.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

function inodeOf(disk: Disk, path: string): number {
  try {
    return disk.statSync(path).ino;
  } catch {
    return 0;
  }
}
