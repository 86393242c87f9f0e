import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { type Disk, makeFolder, removeIfThere, syncFolder } from '#core/storage/disk';
import type { SegmentState } from '#core/storage/segments';
import type { Column } from '#kernel/column';
import { columnsOf, tablesOf } from '#kernel/graph';
import type { MalformedLine, Reading, Winner } from '#kernel/reading';

/** 'STMA': how a database says that it is ours. VMark's `index.db` has another id and is left alone. */
const applicationId = 0x53544d41;
/** Raised with every change of what is stored; another version is as good as no index. */
const schemaVersion = 6;

/** Everything an index holds: a reading of the ledger, how far it goes, and what is known of the files. */
export interface IndexContent {
  readonly reading: Reading;
  readonly segments: readonly SegmentState[];
  /** Plain data of other parts, kept and given back as it is. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What an index holds besides the columns. */
interface Rest {
  /** Of each column and table how many values or keys it holds. */
  readonly lengths: Readonly<Record<string, number>>;
  readonly facts: Parameters<Reading['facts']['fill']>[0];
  readonly malformed: readonly MalformedLine[];
  readonly future: number;
  readonly winners: readonly [string, Winner][];
  readonly segments: readonly SegmentState[];
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Whether `file` is a database of another program. One that cannot be read is nobody's. */
export async function isForeign(disk: Disk, file: string): Promise<boolean> {
  if (!disk.existsSync(file)) return false;
  const { default: Sqlite } = await import('better-sqlite3');
  try {
    const database = new Sqlite(file, { readonly: true });
    try {
      const id = database.pragma('application_id', { simple: true });
      return id !== applicationId && id !== undefined;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

/** How much of an index is written and flushed before others get their turn, in bytes. */
const slice = 4 * 1024 * 1024;

/**
 * Writes an index anew beside the old one and puts it in its place, so that a reader sees the one or the other and a
 * crash leaves the old. It holds nothing that the ledger does not. False, and the old one stays, where `isCurrent` says at
 * the end that the reading went on meanwhile: its columns are then of several moments.
 */
export async function writeIndex(
  disk: Disk,
  file: string,
  content: IndexContent,
  token: string,
  isCurrent: () => boolean = () => true,
): Promise<boolean> {
  const { default: Sqlite } = await import('better-sqlite3');
  makeFolder(disk, dirname(file));
  const temporary = join(dirname(file), `index.db-${token}`);
  try {
    const database = new Sqlite(temporary);
    try {
      database.pragma('journal_mode = OFF');
      database.pragma('synchronous = OFF');
      database.pragma('page_size = 65536');
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${schemaVersion}`);
      database.exec('CREATE TABLE part(name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT');
      await insertParts(disk, temporary, database, content);
    } finally {
      database.close();
    }
    flush(disk, temporary);
    if (!isCurrent()) {
      removeIfThere(disk, temporary);
      return false;
    }
    disk.renameSync(temporary, file);
    syncFolder(disk, dirname(file));
    return true;
  } catch (error) {
    removeIfThere(disk, temporary);
    throw error;
  }
}

/** What is written is flushed as it comes: all of it at once would keep others waiting. */
async function insertParts(disk: Disk, file: string, database: Database.Database, content: IndexContent): Promise<void> {
  const insert = database.prepare('INSERT INTO part(name, data) VALUES(?, ?)');
  let unflushed = 0;
  for (const [name, bytes] of partsOf(content)) {
    insert.run(name, bytes);
    unflushed += bytes.length;
    if (unflushed < slice) continue;
    flush(disk, file);
    unflushed = 0;
    await setImmediate();
  }
}

function flush(disk: Disk, file: string): void {
  const handle = disk.openSync(file, 'r+');
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

function* partsOf({ reading, segments, extra }: IndexContent): Generator<[string, Buffer]> {
  for (const [name, column] of columnsOf(reading.graph)) yield [name, bytesOf(column.stored())];
  for (const [name, table] of tablesOf(reading.graph)) {
    for (const [part, values] of Object.entries(table.parts())) yield [`${name}.${part}`, bytesOf(values)];
  }
  const { facts, malformed, future, winners } = reading;
  const columns = [...columnsOf(reading.graph)].map(([name, column]) => [name, column.length] as const);
  const tables = [...tablesOf(reading.graph)].map(([name, table]) => [name, table.size] as const);
  const lengths = Object.fromEntries([...columns, ...tables]);
  const rest = { lengths, facts: facts.toJSON(), malformed, future, winners: [...winners], segments, extra };
  yield ['rest', Buffer.from(JSON.stringify(rest), 'utf8')];
}

const bytesOf = (values: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }) =>
  Buffer.from(values.buffer as ArrayBuffer, values.byteOffset, values.byteLength);

/** Reads an index into an empty reading; null when there is none, or it is damaged, foreign or of another version. */
export async function readIndex(disk: Disk, file: string, reading: Reading): Promise<IndexContent | null> {
  if (!disk.existsSync(file)) return null;
  try {
    const { default: Sqlite } = await import('better-sqlite3');
    const database = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      const isOurs = database.pragma('application_id', { simple: true }) === applicationId;
      if (!isOurs || database.pragma('user_version', { simple: true }) !== schemaVersion) return null;
      const get = database.prepare('SELECT data FROM part WHERE name = ?').pluck();
      // Loading SQLite, filling what was kept and reading on from there: each is a turn of its own.
      await setImmediate();
      const content = fillReading(reading, (name) => get.get(name) as Buffer | undefined);
      await setImmediate();
      return content;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

function fillReading(reading: Reading, part: (name: string) => Buffer | undefined): IndexContent | null {
  const rest = JSON.parse(part('rest')?.toString('utf8') ?? 'null') as Rest | null;
  if (rest === null) return null;
  for (const [name, column] of columnsOf(reading.graph)) {
    const bytes = part(name);
    if (bytes === undefined) return null;
    fillColumn(column, bytes, rest.lengths[name]!);
  }
  for (const [name, table] of tablesOf(reading.graph)) {
    const [keys, slots] = [part(`${name}.keys`), part(`${name}.slots`)];
    if (keys === undefined || slots === undefined) return null;
    table.fill({ keys: words(keys), slots: words(slots) }, rest.lengths[name]!);
  }
  reading.facts.fill(rest.facts);
  reading.malformed.push(...rest.malformed);
  reading.future = rest.future;
  for (const [idem, winner] of rest.winners) reading.winners.set(idem, winner);
  return { reading, segments: rest.segments, extra: rest.extra };
}

function fillColumn(column: Column, bytes: Buffer, length: number): void {
  const element = column.data.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } = aligned(bytes, element);
  const make = column.data.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => Column['data'];
  column.fill(new make(buffer, byteOffset, byteLength / element), length);
}

function words(bytes: Buffer): Uint32Array {
  const { buffer, byteOffset, byteLength } = aligned(bytes, 4);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/** A typed array must begin at a multiple of its element. */
function aligned(bytes: Buffer, element: number): Buffer {
  return bytes.byteOffset % element === 0 ? bytes : Buffer.from(new Uint8Array(bytes));
}
