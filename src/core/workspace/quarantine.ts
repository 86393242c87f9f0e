import { join } from 'node:path';
import { makeFolder, readIfThere, writeAll } from '#core/storage/disk';
import { ledgerFolder } from '#core/storage/segments';
import type { Finding } from '#core/workspace/walk';
import type { Workspace } from '#core/workspace/workspace';

interface Quarantined {
  readonly segment: string;
  /** The bytes of the line as they stand, one a character (latin1): it may be no UTF-8; and the comment that goes before it in the quarantine file. */
  readonly text: string;
  readonly comment: string;
  readonly finding: Finding;
}

/** The lines of the ledger that are no entries, each distinct one once, as findings that name the segment and line where it stands first. */
export function quarantined({ disk, vmark, replica }: Workspace): Quarantined[] {
  const distinct = new Map<string, Quarantined>();
  for (const [number, lines] of Map.groupBy(replica.reading.malformed, (line) => line.segment)) {
    const segment = replica.names[number] ?? '';
    const bytes = readIfThere(disk, join(ledgerFolder(vmark), segment));
    if (bytes === null) continue;
    for (const { offset, length, reason, line } of numbered(lines, bytes)) {
      const text = bytes.subarray(offset, offset + length).toString('latin1');
      const key = `${segment} ${text}`;
      const finding = {
        code: 'quarantined-entry',
        message: `line ${line} of ${segment} is no entry: ${reason}`,
        path: `${segment}:${line}`,
      };
      if (!distinct.has(key)) distinct.set(key, { segment, text, comment: `# line ${line}, ${reason}`, finding });
    }
  }
  return [...distinct.values()];
}

const copyOf = ({ comment, text }: Quarantined) => [Buffer.from(`${comment}\n`, 'utf8'), Buffer.from(`${text}\n`, 'latin1')];

/** Places in a segment with their line numbers, in the order in which they stand: one look over its bytes for all. */
function* numbered<T extends { readonly offset: number }>(places: readonly T[], bytes: Buffer): Generator<T & { readonly line: number }> {
  let [line, at] = [1, 0];
  for (const place of [...places].sort((a, b) => a.offset - b.offset)) {
    for (let end = bytes.indexOf(0x0a, at); end >= 0 && end < place.offset; end = bytes.indexOf(0x0a, at)) {
      line++;
      at = end + 1;
    }
    yield { ...place, line };
  }
}

/**
 * Copies lines that are no entries to `ledger/quarantine/<segment>.bad`, each once (`spec/format.md` §1). The ledger
 * stays as it is; a reader never fails because a copy cannot be written.
 */
export function quarantine(workspace: Workspace): void {
  const folder = join(ledgerFolder(workspace.vmark), 'quarantine');
  for (const [segment, lines] of Map.groupBy(quarantined(workspace), (line) => line.segment)) {
    try {
      const file = join(folder, `${segment}.bad`);
      const kept = new Set((readIfThere(workspace.disk, file)?.toString('latin1') ?? '').split('\n'));
      const added = lines.filter(({ text }) => !kept.has(text));
      if (added.length === 0) continue;
      makeFolder(workspace.disk, folder);
      const handle = workspace.disk.openSync(file, 'a');
      try {
        writeAll(workspace.disk, handle, Buffer.concat(added.flatMap(copyOf)));
      } finally {
        workspace.disk.closeSync(handle);
      }
    } catch {
      // What is kept aside only helps; the lines stay where they are.
    }
  }
}
