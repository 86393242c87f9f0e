import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Disk } from '#core/storage/disk';

/** Exclusive right to change a ledger, across processes; the operating system frees it when a process dies. */
export interface Lock {
  /** Runs `work` alone: first come, first served in this process, then against other processes. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Closes the connection; a lock held then is freed. */
  close(): void;
}

/**
 * The lock of `spec/format.md` §9 on a SQLite file of its own in `folder`. Nothing else opens or deletes that
 * file. It is opened with the first `hold`, and again when the file under its name is another one.
 */
export function createLock(disk: Disk, folder: string): Lock {
  const path = join(folder, 'index.db-lock');
  let held: { database: Database.Database; inode: number } | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  const connect = async (): Promise<Database.Database> => {
    if (held !== null && inodeOf(disk, path) === held.inode) return held.database;
    held?.database.close();
    disk.mkdirSync(folder, { recursive: true });
    const { default: Sqlite } = await import('better-sqlite3');
    const database = new Sqlite(path, { timeout: 0 });
    held = { database, inode: inodeOf(disk, path) };
    return database;
  };
  const acquire = async (): Promise<Database.Database> => {
    for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
      const database = await connect();
      if (isBegun(database) && inodeOf(disk, path) === held?.inode) return database;
      if (database.inTransaction) database.exec('ROLLBACK');
      await setTimeout(wait);
    }
  };
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const database = await acquire();
    try {
      return await work();
    } finally {
      if (database.open && database.inTransaction) database.exec('ROLLBACK');
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
