import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { digest } from '#core/digest';
import { decodeUtf8 } from '#core/storage/segment-reader';
import { ledgerFolder, listSegments, readFrom } from '#core/storage/segments';
import type { Workspace } from '#core/workspace/workspace';
import { compareEntries, type Entry, parseLine } from '#kernel/entry';

/**
 * The entries of some kinds, in reader order, one for each idem: those that the graph counts. `needle` is what every line of them has in it, and
 * hardly any other: most of a ledger is passed over without being parsed. The replica must be fresh.
 */
export async function entriesWith<Kind extends Entry>(
  { disk, vmark, replica }: Workspace,
  needle: string,
  isWanted: (entry: Entry) => entry is Kind,
): Promise<Kind[]> {
  const folder = ledgerFolder(vmark);
  const { graph } = replica.reading;
  const found = new Map<string, Kind>();
  for (const name of listSegments(disk, folder).keys()) {
    for (const line of linesWith(readFrom(disk, join(folder, name), 0), Buffer.from(needle))) {
      const parsed = parseLine(line, digest);
      if (parsed.kind !== 'entry' || !isWanted(parsed.entry)) continue;
      const { id, idem } = parsed.entry;
      if (graph.countsFor(idem) === id) found.set(id, parsed.entry);
    }
    await setImmediate();
  }
  return [...found.values()].sort(compareEntries);
}

function* linesWith(bytes: Buffer, needle: Buffer): Generator<string> {
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    const start = bytes.lastIndexOf(0x0a, at) + 1;
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    const line = decodeUtf8(bytes, start, end);
    if (line !== null) yield line;
    at = bytes.indexOf(needle, end);
  }
}
