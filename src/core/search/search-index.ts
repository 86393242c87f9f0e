import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Disk, makeFolder, removeIfThere } from '#core/storage/disk';

/** 'STMS': how a database says that it is an index for search. */
const applicationId = 0x53544d53;
/** Raised with every change of what is stored; another version is as good as no index. */
const schemaVersion = 1;

/** How a file was when it was indexed: size in bytes and mtime in ms. */
export interface Stamp {
  readonly size: number;
  readonly mtime: number;
}

/** Which files of a workspace have which three-letter stretches; derived from them, in the app data, and deletable at any time. */
export interface SearchIndex {
  /** Every file that is indexed. */
  known(): Map<string, Stamp>;
  /** Indexes files anew or takes them out (`text` null), all or none. */
  update(files: readonly { readonly path: string; readonly stamp: Stamp; readonly text: string | null }[]): void;
  /** Files that may hold all of `literals`; null when these are too short to tell, so that any may. */
  candidates(literals: readonly string[]): Set<string> | null;
  /** Does a little of the work that updates leave behind. */
  tidy(): void;
  close(): void;
}

/** Opens the index in `file`; one that is damaged or of another version is made anew. Errors of the disk are thrown. */
export function openSearchIndex(disk: Disk, file: string): SearchIndex {
  makeFolder(disk, dirname(file));
  try {
    return opened(file);
  } catch (error) {
    // Another program is at it: nothing is wrong with it.
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
    for (const name of [file, `${file}-journal`]) removeIfThere(disk, name);
    return opened(file);
  }
}

function opened(file: string): SearchIndex {
  const database = new Sqlite(file);
  try {
    prepareSchema(database);
    return indexIn(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareSchema(database: Sqlite.Database): void {
  database.pragma('journal_mode = TRUNCATE');
  // What a power cut takes is indexed again.
  database.pragma('synchronous = OFF');
  const isOurs = database.pragma('application_id', { simple: true }) === applicationId;
  if (isOurs && database.pragma('user_version', { simple: true }) === schemaVersion) return;
  if (database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) throw new RangeError('Another schema.');
  database.exec(`
    CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime REAL NOT NULL) STRICT;
    CREATE VIRTUAL TABLE stretch USING fts5(text, content='', contentless_delete=1, tokenize='trigram', detail='none');
    INSERT INTO stretch(stretch, rank) VALUES('automerge', 0);
  `);
  database.pragma(`application_id = ${applicationId}`);
  database.pragma(`user_version = ${schemaVersion}`);
}

function indexIn(database: Sqlite.Database): SearchIndex {
  const all = database.prepare<[], { path: string } & Stamp>('SELECT path, size, mtime FROM file');
  const idOf = database.prepare<[string], { id: number }>('SELECT id FROM file WHERE path = ?');
  const add = database.prepare('INSERT INTO file(path, size, mtime) VALUES(?, ?, ?)');
  const restamp = database.prepare('UPDATE file SET size = ?, mtime = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM file WHERE id = ?');
  const addText = database.prepare('INSERT INTO stretch(rowid, text) VALUES(?, ?)');
  const removeText = database.prepare('DELETE FROM stretch WHERE rowid = ?');
  const matching = database.prepare<[string], { path: string }>(
    'SELECT path FROM stretch JOIN file ON file.id = stretch.rowid WHERE stretch MATCH ?',
  );
  const updateAll = database.transaction((files: Parameters<SearchIndex['update']>[0]) => {
    for (const { path, stamp, text } of files) {
      const id = idOf.get(path)?.id;
      if (id !== undefined) removeText.run(id);
      if (text === null) {
        if (id !== undefined) remove.run(id);
        continue;
      }
      if (id !== undefined) restamp.run(stamp.size, stamp.mtime, id);
      addText.run(id ?? add.run(path, stamp.size, stamp.mtime).lastInsertRowid, text.normalize('NFC'));
    }
  });
  return {
    known: () => new Map(all.all().map(({ path, size, mtime }) => [path, { size, mtime }])),
    update: (files) => void updateAll(files),
    candidates(literals) {
      const stretches = new Set(literals.flatMap(stretchesOf));
      if (stretches.size === 0) return null;
      const terms = [...stretches].map((stretch) => `"${stretch.replaceAll('"', '""')}"`);
      return new Set(matching.all(terms.join(' AND ')).map(({ path }) => path));
    },
    tidy: () => void database.exec("INSERT INTO stretch(stretch, rank) VALUES('merge', 200)"),
    close: () => void database.close(),
  };
}

/** Enough stretches to tell files apart; a long text has more, which would only cost time. */
const most = 12;

function stretchesOf(literal: string): string[] {
  const characters = [...literal.normalize('NFC')];
  const stretches = characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
  // A NUL ends a text for the index.
  const usable = stretches.filter((stretch) => !stretch.includes('\0'));
  const step = Math.max(1, Math.floor(usable.length / most));
  return usable.filter((_, at) => at % step === 0).slice(0, most);
}
