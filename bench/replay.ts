import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realDisk } from '#core/storage/disk';
import { Replica } from '#core/storage/replica';
import { live, projectEdge } from '#kernel/projection';
import { sortedLedger } from './data.ts';
import { compare } from './measure.ts';
import type { Row } from './report.ts';

/** Row 1: from the bytes of a ledger to the state of every edge, beside parsing lines that are strings already. */
export async function replayRows(folder: string, rounds: number): Promise<Row[]> {
  const lines = readyLines(folder);
  const sorted = sortedLedger(folder);
  const parse = { name: 'JSON.parse of every ready line', run: () => parseAll(lines) };
  const canonical = { name: 'bytes → every edge state', run: () => projectAll(folder) };
  const otherwise = { name: 'the same, body keys in the order of the alphabet', run: () => projectAll(sorted) };
  const [yardstick, first, second] = await compare([parse, canonical, otherwise], rounds);
  const row = { number: '1', beside: yardstick!.name, yardstick: yardstick! };
  return [
    { ...row, ours: first!, goal: 1.2, cause: replayCause },
    { ...row, ours: second!, goal: 4, cause: sortedCause },
  ];
}

const replayCause = 'interning of ids and revisions in key tables takes the most, then the byte scanner and recomputing revision names.';
const sortedCause =
  'lines in another key order go through JSON.parse, the checks of every field, and texts that are turned into words again.';

function readyLines(folder: string): string[] {
  const ledger = join(folder, '.vmark', 'ledger');
  return readdirSync(ledger).flatMap((name) => {
    const bytes = readFileSync(join(ledger, name));
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      // A string of its own: a slice of the whole segment would be flattened by the parser, inside the reading.
      lines.push(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    return lines;
  });
}

function parseAll(lines: readonly string[]): number {
  let count = 0;
  for (const line of lines) if (JSON.parse(line).format === 0) count++;
  return count;
}

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
