import { hash } from 'node:crypto';
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
function quarantined({ disk, vmark, replica }: Workspace): Quarantined[] {
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
        message: `line ${line} of ${segment} is no entry: ${reason} ${markOf(text)}`,
        path: `${segment}:${line}`,
      };
      if (!distinct.has(key)) distinct.set(key, { segment, text, comment: `# line ${line}, ${reason}`, finding });
    }
  }
  return [...distinct.values()];
}

/** What a finding says of a line so that it is known again in another place: the beginning of its SHA-256. */
const markOf = (text: string) => `(sha256:${hash('sha256', Buffer.from(text, 'latin1'), 'hex').slice(0, 16)})`;
const mark = /\(sha256:[0-9a-f]{16}\)$/u;

/** Lines that are no entries as findings, each distinct one once, however many segments a merge has put it into. */
export function brokenLines(workspace: Workspace): Finding[] {
  const distinct = new Map<string, Finding>();
  for (const { text, finding } of quarantined(workspace)) if (!distinct.has(text)) distinct.set(text, finding);
  return [...distinct.values()];
}

/** Says whether the ledger tells of a broken line already, in whichever place it stood then. */
export function knownLines({ replica }: Workspace): (finding: Finding) => boolean {
  const told = [...replica.reading.facts.diagnostics.values()].filter(({ value }) => value.code === 'quarantined-entry');
  const marks = new Set(told.flatMap(({ value }) => mark.exec(value.message) ?? []));
  return ({ code, message }) => code === 'quarantined-entry' && marks.has(mark.exec(message)?.[0] ?? '');
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
