import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { type Disk, makeFolder } from '#core/storage/disk';

/** Exclusive right to change a ledger, across processes; the operating system frees it when a process dies. */
export interface Lock {
  /** Runs `work` alone: first come, first served in this process, then against other processes. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Closes the connection; a lock held then is freed. */
  close(): void;
}

/** How long a lock is waited for, in ms; who holds it longer does no work, since work under it takes moments. */
const longestWait = 30_000;

interface Held {
  readonly database: Database.Database;
  readonly path: string;
  readonly inode: number;
}

/**
 * The lock of `spec/format.md` §9: a SQLite file of its own in the first of `folders` where that works. Nothing else
 * opens or deletes that file. It is opened with the first `hold`, and again when another file stands under its name.
 * Where no lock can be had at all, or a stopped process sits on it, only the callers of this process are kept apart.
 */
export function createLock(disk: Disk, folders: () => readonly string[]): Lock {
  let held: Held | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  const begin = async (path: string): Promise<boolean> => {
    if (held !== null && (held.path !== path || inodeOf(disk, path) !== held.inode)) {
      held.database.close();
      held = null;
    }
    held ??= await connect(disk, path);
    if (!isBegun(held.database)) return false;
    if (inodeOf(disk, path) === held.inode) return true;
    held.database.exec('ROLLBACK');
    return false;
  };
  const attempt = async (): Promise<Database.Database | 'busy' | null> => {
    for (const folder of folders()) {
      try {
        makeFolder(disk, folder);
        if (!(await begin(join(folder, 'index.db-lock')))) return 'busy';
        return held!.database;
      } catch {
        // A network drive or a read-only folder: the next place is tried.
      }
    }
    // Nothing rests on the lock but convenience, and a text must be saved where nothing can be locked.
    return null;
  };
  const acquire = async (): Promise<Database.Database | null> => {
    const since = performance.now();
    for (let wait = 1; performance.now() - since < longestWait; wait = Math.min(wait * 2, 50)) {
      const [first] = folders();
      const got = await attempt();
      // Who waited for the lock in one place may find that there is a ledger by now, with a lock of its own.
      if (got !== 'busy' && folders()[0] === first) return got;
      if (got !== 'busy' && got !== null) got.exec('ROLLBACK');
      await setTimeout(wait);
    }
    return null;
  };
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const database = await acquire();
    try {
      return await work();
    } finally {
      if (database?.open && database.inTransaction) database.exec('ROLLBACK');
    }
  };
  return {
    hold(work) {
      const turn = queue.then(() => alone(work));
      queue = turn.catch(() => undefined);
      return turn;
    },
    close() {
      held?.database.close();
      held = null;
    },
  };
}

async function connect(disk: Disk, path: string): Promise<Held> {
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(path, { timeout: 0 });
  return { database, path, inode: inodeOf(disk, path) };
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
