import { join } from 'node:path';
import { makeFolder, readIfThere, writeAll } from '#core/storage/disk';
import { ledgerFolder } from '#core/storage/segments';
import type { Finding } from '#core/workspace/walk';
import type { Workspace } from '#core/workspace/workspace';

interface Quarantined {
  readonly segment: string;
  /** The line as it stands, and the comment that goes before it in the quarantine file. */
  readonly text: string;
  readonly comment: string;
  readonly finding: Finding;
}

/** The lines of the ledger that are no entries, one for each distinct text, as findings that name segment and line. */
export function quarantined({ disk, vmark, replica }: Workspace): Quarantined[] {
  const distinct = new Map<string, Quarantined>();
  for (const { segment: number, offset, length, reason } of replica.reading.malformed) {
    const segment = replica.names[number] ?? '';
    const bytes = readIfThere(disk, join(ledgerFolder(vmark), segment));
    if (bytes === null) continue;
    const line = bytes.subarray(0, offset).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
    const text = bytes.subarray(offset, offset + length).toString('utf8');
    const place = `${segment}:${line}`;
    const finding = { code: 'quarantined-entry', message: `line ${line} of ${segment} is no entry: ${reason}`, path: place };
    distinct.set(`${segment} ${text}`, { segment, text, comment: `# line ${line}, ${reason}`, finding });
  }
  return [...distinct.values()];
}

/**
 * Copies lines that are no entries to `ledger/quarantine/<segment>.bad`, each once (`spec/format.md` §1). The ledger
 * stays as it is; a reader never fails because a copy cannot be written.
 */
export function quarantine(workspace: Workspace): void {
  const folder = join(ledgerFolder(workspace.vmark), 'quarantine');
  for (const { segment, text, comment } of quarantined(workspace)) {
    try {
      const file = join(folder, `${segment}.bad`);
      const before = readIfThere(workspace.disk, file)?.toString('utf8') ?? '';
      if (`\n${before}`.includes(`\n${text}\n`)) continue;
      makeFolder(workspace.disk, folder);
      const handle = workspace.disk.openSync(file, 'a');
      writeAll(workspace.disk, handle, Buffer.from(`${comment}\n${text}\n`, 'utf8'));
      workspace.disk.closeSync(handle);
    } catch {
      // The line still stands in its segment, and is counted.
    }
  }
}
