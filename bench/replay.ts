import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { realDisk } from '#core/storage/disk';
import { Replica } from '#core/storage/replica';
import { live, projectEdge } from '#kernel/projection';
import { sortedLedger } from './data.ts';
import { compare } from './measure.ts';
import type { Row } from './report.ts';

/** Row 1: from the bytes of a ledger to the state of every edge, beside parsing lines that are strings already. */
export async function replayRows(folder: string, rounds: number): Promise<Row[]> {
  const sorted = sortedLedger(folder);
  const parser = new Worker(new URL('./parse-lines.ts', import.meta.url), { workerData: folder });
  await once(parser, 'message');
  const parse = {
    name: 'JSON.parse of every ready line',
    run() {
      parser.postMessage('again');
      return once(parser, 'message');
    },
  };
  const canonical = { name: 'bytes → every edge state', run: () => projectAll(folder) };
  const otherwise = { name: 'the same, body keys in the order of the alphabet', run: () => projectAll(sorted) };
  const [yardstick, first, second] = await compare([parse, canonical, otherwise], rounds);
  await parser.terminate();
  const row = { number: '1', beside: yardstick!.name, yardstick: yardstick! };
  return [
    { ...row, ours: first!, goal: 1.2, cause: replayCause },
    { ...row, ours: second!, goal: 4, cause: sortedCause },
  ];
}

const replayCause =
  'ids, contents and revisions are looked up in tables larger than the caches; then come the scanner, the names of revisions and the hashes of segments.';
const sortedCause =
  'lines in another key order go through JSON.parse, the checks of every field, and texts that are turned into words again.';

/** Reads as core does, prefix hashes for following the segments included. */
async function projectAll(folder: string): Promise<Record<string, number>> {
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
