import { parentPort } from 'node:worker_threads';
import { realDisk } from '#core/storage/disk';
import type { StatOrder } from '#core/workspace/stat-mate';
import { fillTable } from '#core/workspace/stat-table';

/** The program of the thread that helps to look at many files: told to, it takes what nobody has taken of its list, from the first on. */
let order: StatOrder = null;

parentPort?.on('message', (message: StatOrder) => {
  order = message ?? order;
  if (order !== null) for (const _ of fillTable(realDisk, order.table, order.files, 'mate'));
});
