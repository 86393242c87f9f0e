import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Disk, realDisk } from '#core/storage/disk';
import { claimLast, type Packed, type PackingOrder, placeSize } from '#core/storage/segment-packing';
import type { LineBatch } from '#kernel/line-batch';

/** How many places there are: so far the mate may be ahead. */
const places = 8;

/** A second thread that reads segments from the first on, while this one reads them from the last on. */
export interface SegmentMate {
  /** The next segment that this thread reads; null where there is none. */
  claim(): number | null;
  /** Ends when the mate has ended, with whatever it did not finish left to this thread. */
  readonly ended: Promise<void>;
  /** Ends the mate, whatever it is at. */
  close(): Promise<unknown>;
}

/** The program of the thread: a module in a checkout, a built file beside a built program or one further up from a chunk. Only the real file system can be read by another thread. */
export function mateProgram(disk: Disk): string | null {
  if (disk !== realDisk) return null;
  const found = ['segment-worker.ts', 'segment-worker.js', '../segment-worker.js'].map((place) => join(import.meta.dirname, place));
  return found.find((place) => existsSync(place)) ?? null;
}

/** Starts a mate. `took` is told of every slice that it packed, in the order of each segment; the words are only good until it returns. */
export function startMate(
  program: string,
  order: Pick<PackingOrder, 'folder' | 'names'>,
  took: (packed: Packed, batch: Pick<LineBatch, 'words' | 'end'> | null) => void,
): SegmentMate {
  const claims = new Int32Array(new SharedArrayBuffer(order.names.length * 4));
  const taken = new Int32Array(new SharedArrayBuffer(places * 4));
  const words = Array.from({ length: places }, () => new Uint32Array(new SharedArrayBuffer(placeSize * 4)));
  const workerData: PackingOrder = { ...order, claims, taken, places: words };
  const thread = new Worker(program, { workerData });
  const ended = new Promise<void>((resolve, reject) => {
    thread.on('message', (packed: Packed) => {
      try {
        const { place, end } = packed;
        took(packed, place === null ? null : { words: words[place]!, end });
        if (place === null) return;
        Atomics.store(taken, place, 0);
        Atomics.notify(taken, place);
      } catch (error) {
        reject(error);
        void thread.terminate();
      }
    });
    // What it could not read this thread reads again, and fails, or does not, by itself.
    thread.on('error', () => undefined);
    thread.on('exit', () => resolve());
  });
  // Whoever closes does not wait for what it failed of.
  ended.catch(() => undefined);
  return { claim: () => claimLast(claims), ended, close: () => thread.terminate() };
}
