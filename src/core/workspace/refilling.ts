import { join } from 'node:path';
import { digest } from '#core/digest';
import { readDocument } from '#core/document';
import { readIfThere } from '#core/storage/disk';
import { isInside } from '#core/workspace/place';
import type { Workspace } from '#core/workspace/workspace';
import type { Output } from '#kernel/body-transformation';
import { parseLine } from '#kernel/entry';

type Store = Pick<Workspace, 'disk' | 'root' | 'replica' | 'snapshots'>;

/** Stores again the texts that these lines name, where git deleted them with the lines and their documents still hold them. */
export function refill(store: Store, lines: readonly string[]): void {
  for (const line of lines) {
    const parsed = parseLine(line.trimEnd(), digest);
    if (parsed.kind !== 'entry' || parsed.entry.kind !== 'transformation') continue;
    for (const output of parsed.entry.body.outputs) refillOne(store, output);
  }
}

function refillOne({ disk, root, replica, snapshots }: Store, { object, content_hash: wanted }: Output): void {
  try {
    const path = replica.reading.facts.pathOf(object);
    if (path === null || !isInside(path) || snapshots.get(wanted).kind === 'found') return;
    const bytes = readIfThere(disk, join(root, path));
    const document = bytes === null ? null : readDocument(bytes, path);
    if (bytes === null || document?.contentHash !== wanted) return;
    snapshots.put(wanted, document.masked === null ? bytes : Buffer.from(document.masked, 'utf8'));
  } catch {
    // The lines are back; a text that cannot be stored is content unavailable, and that is said.
  }
}
