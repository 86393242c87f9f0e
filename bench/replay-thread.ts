// One method of row 1. Each has a thread, and so a heap and a compiler's memory of its own: what one keeps or is used to would slow the others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { realDisk } from '#core/storage/disk';
import { Replica } from '#core/storage/replica';
import { live, projectEdge } from '#kernel/projection';

const { folder, parses } = workerData as { folder: string; parses: boolean };

function readyLines(): string[] {
  const ledger = join(folder, '.vmark', 'ledger');
  return readdirSync(ledger).flatMap((name) => {
    const bytes = readFileSync(join(ledger, name));
    const own: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      // A string of its own: a slice of the whole segment would be flattened by the parser, inside the reading.
      own.push(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    return own;
  });
}

/** Reads as core does, prefix hashes for following the segments included. */
async function projectAll(): Promise<Record<string, number>> {
  const replica = new Replica(realDisk, join(folder, '.vmark'));
  await replica.refresh();
  const { graph } = replica.reading;
  const select = live(graph);
  const now = Date.now();
  const counts: Record<string, number> = {};
  for (let edge = 0; edge < graph.edgeEntry.length; edge++) {
    const { state } = projectEdge(graph, edge, select, now);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

const lines = parses ? readyLines() : [];
parentPort?.on('message', async (asked: 'collect' | 'run') => {
  if (asked === 'collect') globalThis.gc?.();
  else if (parses) for (const line of lines) JSON.parse(line);
  else await projectAll();
  parentPort?.postMessage('done');
});
parentPort?.postMessage('ready');
