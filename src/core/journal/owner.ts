import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Disk, removeIfThere } from '#core/storage/disk';

/** The mark of a core that lives: a file that it holds locked, which the operating system frees when it dies. */
export interface Owner {
  readonly id: string;
  /** Takes the mark; to be called before the first journal is written. Where files cannot be locked there is none, and nobody waits for it. */
  take(): void;
  /** Whether the core of this name is another one that lives. */
  isAnother(id: string): boolean;
  /** Takes away the marks of the dead. */
  sweep(): void;
  close(): void;
}

const ending = '.owner';
const markOf = (folder: string, id: string) => join(folder, `${id}${ending}`);

/** The mark of this core among those of a workspace's journals in `folder`. */
export function createOwner(disk: Disk, folder: string, id: string): Owner {
  let database: Sqlite.Database | null = null;
  const isAnother = (other: string): boolean => {
    const mark = markOf(folder, other);
    if (other === id || !/^[\w-]+$/u.test(other) || !disk.existsSync(mark)) return false;
    if (isHeld(mark)) return true;
    removeIfThere(disk, mark);
    return false;
  };
  return {
    id,
    take() {
      database ??= locked(markOf(folder, id));
    },
    isAnother,
    sweep() {
      if (!disk.existsSync(folder)) return;
      for (const name of disk.readdirSync(folder)) if (name.endsWith(ending)) isAnother(name.slice(0, -ending.length));
    },
    close() {
      if (database === null) return;
      database.close();
      database = null;
      removeIfThere(disk, markOf(folder, id));
    },
  };
}

function isHeld(mark: string): boolean {
  let database: Sqlite.Database | null = null;
  try {
    database = new Sqlite(mark, { timeout: 0, fileMustExist: true });
    database.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true;
  } finally {
    database?.close();
  }
}

function locked(mark: string): Sqlite.Database | null {
  try {
    return new Sqlite(mark, { timeout: 0 }).exec('BEGIN EXCLUSIVE');
  } catch {
    // A network drive: the windows of another core may be offered what it still has.
    return null;
  }
}
