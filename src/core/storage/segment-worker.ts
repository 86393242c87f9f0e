import { parentPort, workerData } from 'node:worker_threads';
import { realDisk } from '#core/storage/disk';
import { type PackingOrder, packSegments } from '#core/storage/segment-packing';

/** The program of the thread that helps to read a large ledger: it packs segments until there are none, and ends. */
packSegments(realDisk, workerData as PackingOrder, (packed) => parentPort?.postMessage(packed));
