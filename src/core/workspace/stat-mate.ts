import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Disk, realDisk } from '#core/storage/disk';
import { beginTurn, createStatTable, type StatTable } from '#core/workspace/stat-table';

/** A list of files, and where what is seen of them is put; null: that of the order before. */
export type StatOrder = { readonly files: readonly string[]; readonly table: StatTable } | null;

/** A second thread that looks at the files of a list while this one walks the folders, and then both do. */
export interface StatMate {
  /** The files of the turns to come. */
  readonly files: readonly string[];
  readonly table: StatTable;
  /** Lets the thread begin. */
  begin(): void;
  /** Another list for the turns to come. */
  over(files: readonly string[]): StatMate;
  /** Ends the thread, whatever it is at. */
  close(): Promise<unknown>;
}

/** The program of the thread: a module in a checkout, a built file beside a built program or one further up from a chunk. Only the real file system can be looked at by another thread. */
export function statProgram(disk: Disk): string | null {
  if (disk !== realDisk) return null;
  const found = ['stat-worker.ts', 'stat-worker.js', '../stat-worker.js'].map((place) => join(import.meta.dirname, place));
  return found.find((place) => existsSync(place)) ?? null;
}

/** Starts the thread. It does not keep the process alive, and sleeps between turns; should it die, this thread looks at everything. */
export function startStatMate(program: string, files: readonly string[]): StatMate {
  const thread = new Worker(program);
  thread.unref();
  thread.on('error', () => undefined);
  const over = (list: readonly string[]): StatMate => {
    const table = createStatTable(list.length);
    let order: StatOrder = { files: list, table };
    return {
      files: list,
      table,
      begin() {
        beginTurn(table);
        thread.postMessage(order);
        order = null;
      },
      over,
      close: () => thread.terminate(),
    };
  };
  return over(files);
}
