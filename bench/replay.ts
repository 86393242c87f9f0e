import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sortedLedger } from './data.ts';
import { compare, type Method } from './measure.ts';
import type { Row } from './report.ts';

/** Row 1: from the bytes of a ledger to the state of every edge, beside parsing lines that are strings already. */
export async function replayRows(folder: string, rounds: number): Promise<Row[]> {
  const threads = [
    await createThread('JSON.parse of every ready line', folder, true),
    await createThread('bytes → every edge state', folder, false),
    await createThread('the same, body keys in the order of the alphabet', sortedLedger(folder), false),
  ];
  const [yardstick, first, second] = await compare(threads, rounds);
  for (const { close } of threads) await close();
  const row = { number: '1', beside: yardstick!.name, yardstick: yardstick! };
  return [
    { ...row, ours: first!, goal: 1.2, cause: replayCause },
    { ...row, ours: second!, goal: 4, cause: replayCause },
  ];
}

const replayCause = 'one thread applies what two have packed, and looks ids, contents and revisions up in tables larger than the caches.';

async function createThread(name: string, folder: string, parses: boolean): Promise<Method & { close(): Promise<number> }> {
  const thread = new Worker(new URL('./replay-thread.ts', import.meta.url), { workerData: { folder, parses } });
  await once(thread, 'message');
  const ask = (what: 'collect' | 'run') => {
    thread.postMessage(what);
    return once(thread, 'message');
  };
  return { name, before: () => ask('collect'), run: () => ask('run'), close: () => thread.terminate() };
}
