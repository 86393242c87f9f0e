import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { packFile, unpackFile } from '#core/grammars/packed';
import { recipeOf } from '#core/grammars/parse';
import type { Language, ParsedFile } from '#kernel/declaration';

/** What files declare, kept by their content in the app data. It can be deleted at any time, and nothing is lost but time. */
export interface CodeCache {
  /** The content that a file had when it last had this stamp, or null. */
  blobAt(source: string, path: string, stamp: string | null): string | null;
  keepBlob(source: string, path: string, stamp: string | null, blob: string): void;
  /** What a content declares in a language, with the trigrams of the bodies if they are asked for; null where it was never read so. */
  parsed(blob: string, language: Language, withTrigrams: boolean): ParsedFile | null;
  keep(blob: string, language: Language, parsed: ParsedFile): void;
  /** Writes what is new; failing that is no failure of the check. */
  flush(): Promise<void>;
  close(): void;
}

/** Raised when what is stored, or how the grammars are used, becomes another thing. */
const cacheVersion = 4;
const largestCache = 512 * 1024 * 1024;
/** How many declarations stay in memory between two checks. */
const mostInMemory = 200_000;

interface Kept {
  readonly parsed: ParsedFile;
  readonly hasTrigrams: boolean;
}

/** Opens the cache in a folder of the app data; nothing is made there before something is kept. */
export async function openCodeCache(folder: string): Promise<CodeCache> {
  const { default: Sqlite } = await import('better-sqlite3');
  const file = join(folder, 'declarations.db');
  const open = () => new Sqlite(file, { timeout: 1000 });
  const memory = createMemory();
  const fresh = new Map<string, Kept>();
  const places = new Map<string, Map<string, readonly [stamp: string, blob: string]>>();
  const moved: [source: string, path: string, stamp: string, blob: string][] = [];
  let disk = existsSync(file) ? openDisk(file, open) : null;
  // What is read of it first takes a turn of its own.
  if (disk !== null) await setImmediate();

  const placesOf = (source: string) => {
    const known = places.get(source);
    if (known !== undefined) return known;
    const read = new Map(disk?.places(source) ?? []);
    places.set(source, read);
    return read;
  };
  return {
    blobAt(source, path, stamp) {
      const known = stamp === null ? undefined : placesOf(source).get(path);
      return known !== undefined && known[0] === stamp ? known[1] : null;
    },
    keepBlob(source, path, stamp, blob) {
      if (stamp === null) return;
      placesOf(source).set(path, [stamp, blob]);
      moved.push([source, path, stamp, blob]);
    },
    parsed(blob, language, withTrigrams) {
      const key = keyOf(blob, language);
      const known = memory.get(key);
      if (known !== undefined && (known.hasTrigrams || !withTrigrams)) return known.parsed;
      const stored = disk?.parsed(key, language, withTrigrams) ?? null;
      if (stored !== null) memory.set(key, stored);
      return stored?.parsed ?? null;
    },
    keep(blob, language, parsed) {
      const key = keyOf(blob, language);
      const hasTrigrams = parsed.declarations.every(({ trigrams }) => trigrams !== undefined);
      const kept = { parsed, hasTrigrams };
      memory.set(key, kept);
      fresh.set(key, kept);
    },
    async flush() {
      if (fresh.size === 0 && moved.length === 0) return;
      try {
        if (disk === null) {
          mkdirSync(folder, { recursive: true });
          if (existsSync(file) && statSync(file).size > largestCache) rmSync(file);
          disk = openDisk(file, open);
        }
        const kept = [...fresh];
        for (let at = 0; at < kept.length; at += 8) {
          disk?.write(kept.slice(at, at + 8), []);
          await setImmediate();
        }
        for (let at = 0; at < moved.length; at += 500) disk?.write([], moved.slice(at, at + 500));
      } catch {
        // A full or busy disk: what was read is read again next time.
      }
      fresh.clear();
      moved.length = 0;
    },
    close() {
      disk?.close();
      disk = null;
    },
  };
}

const keyOf = (blob: string, language: Language) => `${cacheVersion}:${recipeOf(language)}:${language}:${blob}`;

/** What was used last, up to a number of declarations. */
function createMemory() {
  const kept = new Map<string, Kept>();
  let size = 0;
  const sizeOf = ({ parsed, hasTrigrams }: Kept) => 1 + parsed.declarations.length * (hasTrigrams ? 3 : 1);
  return {
    get(key: string): Kept | undefined {
      const found = kept.get(key);
      if (found !== undefined) {
        kept.delete(key);
        kept.set(key, found);
      }
      return found;
    },
    set(key: string, value: Kept): void {
      const before = kept.get(key);
      if (before !== undefined) size -= sizeOf(before);
      kept.delete(key);
      kept.set(key, value);
      size += sizeOf(value);
      for (const [oldest, old] of kept) {
        if (size <= mostInMemory) break;
        kept.delete(oldest);
        size -= sizeOf(old);
      }
    },
  };
}

interface DiskCache {
  places(source: string): [string, readonly [string, string]][];
  parsed(key: string, language: Language, withTrigrams: boolean): Kept | null;
  write(kept: readonly [string, Kept][], moved: readonly (readonly string[])[]): void;
  close(): void;
}

/** Opens the database; one that is damaged or of another program is made anew. Null where none can be had. */
function openDisk(file: string, open: () => Database): DiskCache | null {
  for (const attempt of [1, 2]) {
    try {
      return prepareDatabase(open());
    } catch (error) {
      if (attempt === 2 || (error as { code?: string }).code === 'SQLITE_BUSY') return null;
      for (const name of [file, `${file}-journal`]) rmSync(name, { force: true });
    }
  }
  return null;
}

const applicationId = 0x53544d43;

function prepareDatabase(database: Database): DiskCache {
  try {
    database.pragma('synchronous = OFF');
    const id = database.pragma('application_id', { simple: true });
    if (id !== applicationId && id !== 0) throw new Error('not ours');
    database.pragma(`application_id = ${applicationId}`);
    database.exec(`
      CREATE TABLE IF NOT EXISTS parsed(key TEXT PRIMARY KEY, data TEXT NOT NULL, trigrams BLOB) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS place(source TEXT, path TEXT, stamp TEXT NOT NULL, blob TEXT NOT NULL,
        PRIMARY KEY(source, path)) STRICT, WITHOUT ROWID;`);
    return statements(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function statements(database: Database): DiskCache {
  const places = database.prepare('SELECT path, stamp, blob FROM place WHERE source = ?').raw();
  const plain = database.prepare('SELECT data FROM parsed WHERE key = ?').raw();
  const whole = database.prepare('SELECT data, trigrams FROM parsed WHERE key = ?').raw();
  const keep = database.prepare('INSERT OR REPLACE INTO parsed(key, data, trigrams) VALUES(?, ?, ?)');
  const move = database.prepare('INSERT OR REPLACE INTO place(source, path, stamp, blob) VALUES(?, ?, ?, ?)');
  const write = database.transaction((kept: readonly [string, Kept][], moved: readonly (readonly string[])[]) => {
    for (const [key, value] of kept) {
      const { data, trigrams } = packFile(value.parsed);
      keep.run(key, data, value.hasTrigrams ? Buffer.from(trigrams.buffer, trigrams.byteOffset, trigrams.byteLength) : null);
    }
    for (const row of moved) move.run(...row);
  });
  return {
    places: (source) =>
      orNone(() => (places.all(source) as [string, string, string][]).map(([path, stamp, blob]) => [path, [stamp, blob]]), []),
    parsed: (key, language, withTrigrams) => orNone(() => readRow(withTrigrams ? whole : plain, key, language, withTrigrams), null),
    write: (kept, moved) => void write.immediate(kept, moved),
    close: () => database.close(),
  };
}

/** A row that cannot be read is as good as none. */
function orNone<T>(read: () => T, none: T): T {
  try {
    return read();
  } catch {
    return none;
  }
}

function readRow(statement: Statement, key: string, language: Language, withTrigrams: boolean): Kept | null {
  const row = statement.get(key) as [string, Buffer | null] | undefined;
  if (row === undefined) return null;
  const [data, trigrams] = row;
  if (!withTrigrams) return { parsed: unpackFile(data, language, null), hasTrigrams: false };
  // A typed array must begin at a multiple of four.
  return trigrams === null
    ? null
    : { parsed: unpackFile(data, language, new Uint32Array(new Uint8Array(trigrams).buffer)), hasTrigrams: true };
}
