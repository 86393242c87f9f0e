import { crc32 } from 'node:zlib';
import { type JournalRecord, journalRecord } from '#protocol/journal-calls';

/** What stands first in a journal: whose it is. */
export interface JournalHead {
  readonly kind: 'begin';
  readonly version: 1;
  readonly session: string;
  /** The core that writes it; while that lives nobody else takes it up. */
  readonly owner: string;
}

/** Which document a line is about (0: none), and which line about it since its text it is, counted from 0. */
export interface LinePlace {
  readonly doc: number;
  readonly turn: number;
}

/** A line as it was read, with its bytes. */
export interface JournalLine extends LinePlace {
  readonly record: JournalRecord | JournalHead;
  readonly raw: Buffer;
}

/** A record as a line: a checksum of the rest, the place, and the record as JSON. A line that is cut or damaged is known by its checksum. */
export function lineOf(record: JournalRecord | JournalHead, { doc, turn }: LinePlace): Buffer {
  const rest = Buffer.from(`${doc}.${turn} ${JSON.stringify(record)}`, 'utf8');
  return Buffer.concat([Buffer.from(`${crc32(rest).toString(16).padStart(8, '0')} `), rest, Buffer.from('\n')]);
}

/** The lines of a journal that can be read, in their order; the others are left out. */
export function linesIn(bytes: Buffer): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let from = 0, end = bytes.indexOf(0x0a); end >= 0; from = end + 1, end = bytes.indexOf(0x0a, from)) {
    const line = lineIn(bytes.subarray(from, end + 1));
    if (line !== null) lines.push(line);
  }
  return lines;
}

function lineIn(raw: Buffer): JournalLine | null {
  const rest = raw.subarray(9, -1);
  if (raw.length < 14 || crc32(rest).toString(16).padStart(8, '0') !== raw.toString('latin1', 0, 8)) return null;
  const space = rest.indexOf(0x20);
  const [doc = Number.NaN, turn = Number.NaN] = rest.toString('latin1', 0, space).split('.').map(Number);
  const record = recordIn(rest.toString('utf8', space + 1));
  return record === null || !Number.isInteger(doc) || !Number.isInteger(turn) ? null : { doc, turn, record, raw };
}

function recordIn(text: string): JournalRecord | JournalHead | null {
  try {
    const value: unknown = JSON.parse(text);
    if (isHead(value)) return value;
    return journalRecord.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}

function isHead(value: unknown): value is JournalHead {
  const { kind, version, session, owner } = (value ?? {}) as Partial<JournalHead>;
  return kind === 'begin' && version === 1 && typeof session === 'string' && typeof owner === 'string';
}
