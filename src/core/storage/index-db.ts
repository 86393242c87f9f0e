import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Disk, makeFolder, removeIfThere, syncFolder, writeAll } from '#core/storage/disk';
import { fillFrom, type SegmentState } from '#core/storage/segments';
import type { Column } from '#kernel/column';
import { columnsOf, tablesOf } from '#kernel/graph';
import type { MalformedLine, Reading, Winner } from '#kernel/reading';

/** 'STMA': how a database says that it is ours. VMark's `index.db` has another id and is left alone. */
const applicationId = 0x53544d41;
/** Raised with every change of what is stored; another version is as good as no index. */
const schemaVersion = 8;
/** The file begins as a database without a table, of one page, by which any program sees whose it is; the parts follow. */
const page = 4096;
/** At the end: where the last part begins, how long it is, and the CRC of all that stands before it, as three numbers of eight bytes. */
const footer = 24;
/** How much is read or written before others get their turn, in bytes. */
const slice = 4 * 1024 * 1024;

/** Everything an index holds: a reading of the ledger, how far it goes, and what is known of the files. */
export interface IndexContent {
  readonly reading: Reading;
  readonly segments: readonly SegmentState[];
  /** Plain data of other parts, kept and given back as it is. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What an index holds besides the columns. */
interface Rest {
  /** Of each part where it begins, behind the page, and how many bytes it has. */
  readonly parts: Readonly<Record<string, readonly [offset: number, bytes: number]>>;
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
export function isForeign(disk: Disk, file: string): boolean {
  const head = headOf(disk, file);
  return head !== null && head.application !== applicationId;
}

/** Whose database a file is, and of which version; null where there is none. An empty one is about to be somebody's. */
function headOf(disk: Disk, file: string): { application: number; version: number } | null {
  try {
    const handle = disk.openSync(file, 'r');
    try {
      const head = Buffer.alloc(100);
      const filled = fillFrom(disk, handle, head, 0);
      if (filled > 0 && head.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null;
      return { application: head.readUInt32BE(68), version: head.readUInt32BE(60) };
    } finally {
      disk.closeSync(handle);
    }
  } catch {
    return null;
  }
}

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
  makeFolder(disk, dirname(file));
  const temporary = join(dirname(file), `index.db-${token}`);
  try {
    await writeHead(temporary);
    await writeParts(disk, temporary, content);
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

async function writeHead(file: string): Promise<void> {
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(file);
  try {
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma(`page_size = ${page}`);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${schemaVersion}`);
  } finally {
    database.close();
  }
}

/** What is written is flushed while more is written, and nobody is kept waiting. */
async function writeParts(disk: Disk, file: string, content: IndexContent): Promise<void> {
  const handle = disk.openSync(file, 'a');
  let flushing = Promise.resolve();
  try {
    let unflushed = 0;
    for (const bytes of partsOf(content)) {
      writeAll(disk, handle, bytes);
      unflushed += bytes.length;
      if (unflushed < slice) continue;
      unflushed = 0;
      await flushing;
      flushing = disk.flush(handle);
      // Whoever waits for it is told.
      flushing.catch(() => undefined);
      await setImmediate();
    }
    await flushing;
    await disk.flush(handle);
  } finally {
    await flushing.catch(() => undefined);
    disk.closeSync(handle);
  }
}

/** All that stands behind the page; its CRC at the end, for nothing else would say that a byte is not what was written. */
function* partsOf(content: IndexContent): Generator<Buffer> {
  let crc = 0;
  for (const bytes of unsealedParts(content)) {
    crc = crc32(bytes, crc);
    yield bytes;
  }
  yield numbers(crc);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [at, value] of values.entries()) bytes.writeDoubleLE(value, at * 8);
  return bytes;
}

/** The parts one after another, each filled up to a multiple of eight bytes; the last says where the others are, and the end where that is. */
function* unsealedParts({ reading, segments, extra }: IndexContent): Generator<Buffer> {
  const parts: Record<string, [number, number]> = {};
  let offset = 0;
  for (const [name, values] of storedOf(reading)) {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    parts[name] = [offset, bytes.length];
    yield bytes;
    const fill = -bytes.length & 7;
    if (fill > 0) yield Buffer.alloc(fill);
    offset += bytes.length + fill;
  }
  const { facts, malformed, future, winners } = reading;
  const columns = [...columnsOf(reading.graph)].map(([name, column]) => [name, column.length] as const);
  const tables = [...tablesOf(reading.graph)].map(([name, table]) => [name, table.size] as const);
  const lengths = Object.fromEntries([...columns, ...tables]);
  const rest = { parts, lengths, facts: facts.toJSON(), malformed, future, winners: [...winners], segments, extra };
  const bytes = Buffer.from(JSON.stringify(rest), 'utf8');
  yield bytes;
  yield numbers(offset, bytes.length);
}

function* storedOf({ graph }: Reading): Generator<[string, ReturnType<Column['stored']>]> {
  for (const [name, column] of columnsOf(graph)) yield [name, column.stored()];
  for (const [name, table] of tablesOf(graph)) {
    for (const [part, values] of Object.entries(table.parts())) yield [`${name}.${part}`, values];
  }
}

/** Reads an index into an empty reading; null when there is none, or it is damaged, foreign or of another version. */
export async function readIndex(disk: Disk, file: string, reading: Reading): Promise<IndexContent | null> {
  const head = headOf(disk, file);
  if (head?.application !== applicationId || head.version !== schemaVersion) return null;
  try {
    const handle = disk.openSync(file, 'r');
    try {
      return await readContent(disk, handle, reading);
    } finally {
      disk.closeSync(handle);
    }
  } catch {
    return null;
  }
}

/** The large parts are read by other threads, while this one parses what says where they are. */
async function readContent(disk: Disk, handle: number, reading: Reading): Promise<IndexContent | null> {
  const end = disk.fstatSync(handle).size - page - footer;
  const where = Buffer.alloc(footer);
  fillFrom(disk, handle, where, page + end);
  const [from, length, crc] = [where.readDoubleLE(0), where.readDoubleLE(8), where.readDoubleLE(16)];
  if (!(from >= 0 && length >= 0) || from + length !== end) return null;
  const parts = Buffer.allocUnsafeSlow(from);
  const filled = fillAtOnce(disk, handle, parts);
  await setImmediate();
  const last = Buffer.alloc(length);
  const isLastFilled = fillFrom(disk, handle, last, page + from) === length;
  const rest = isLastFilled ? restOf(last) : null;
  const partsCrc = await filled;
  if (partsCrc === null || rest === null) return null;
  if (crc32(where.subarray(0, 16), crc32(last, partsCrc)) !== crc) return null;
  const content = fillReading(reading, parts.buffer, rest);
  await setImmediate();
  return content;
}

function restOf(bytes: Buffer): Rest | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as Rest;
  } catch {
    return null;
  }
}

/** Fills all of `room` with what stands behind the page, and answers its CRC; null where there is not so much. */
async function fillAtOnce(disk: Disk, handle: number, room: Buffer): Promise<number | null> {
  const starts = Array.from({ length: Math.ceil(room.length / slice) }, (_, number) => number * slice);
  const slices = starts.map(async (start) => {
    const part = room.subarray(start, start + slice);
    for (let at = 0; at < part.length; ) {
      const got = await disk.read(handle, part.subarray(at), page + start + at);
      if (got === 0) return null;
      at += got;
    }
    return part;
  });
  // Each is waited for, whatever became of the others: the file is closed then.
  const all = Promise.allSettled(slices);
  let crc: number | null = 0;
  for (const slice of slices) {
    const part = await slice.catch(() => null);
    crc = crc === null || part === null ? null : crc32(part, crc);
  }
  await all;
  return crc;
}

function fillReading(reading: Reading, buffer: ArrayBufferLike, rest: Rest): IndexContent {
  for (const [name, column] of columnsOf(reading.graph)) {
    const make = column.data.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => Column['data'];
    const [offset, size] = rest.parts[name]!;
    column.fill(new make(buffer, offset, size / column.data.BYTES_PER_ELEMENT), rest.lengths[name]!);
  }
  const words = ([offset, size]: readonly [number, number]) => new Uint32Array(buffer, offset, size / 4);
  for (const [name, table] of tablesOf(reading.graph)) {
    table.fill({ keys: words(rest.parts[`${name}.keys`]!), slots: words(rest.parts[`${name}.slots`]!) }, rest.lengths[name]!);
  }
  reading.facts.fill(rest.facts);
  reading.malformed.push(...rest.malformed);
  reading.future = rest.future;
  for (const [idem, winner] of rest.winners) reading.winners.set(idem, winner);
  return { reading, segments: rest.segments, extra: rest.extra };
}
