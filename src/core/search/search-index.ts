import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Disk, makeFolder, removeIfThere } from '#core/storage/disk';

/** 'STMS': how a database says that it is an index for search. */
const applicationId = 0x53544d53;
/** Raised with every change of what is stored; another version is as good as no index. */
const schemaVersion = 2;
/** How many pages of merging go with one update, and with one `tidy`: enough to keep up, and a few ms. */
const [pagesBeside, pagesAtRest] = [64, 200];

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
  /** Files that may hold all of `literals`; null when these are too short or too common to tell, so that any may. */
  candidates(literals: readonly string[]): Set<string> | null;
  /** Does a little of the work that updates leave behind; answers whether there was any. */
  tidy(): boolean;
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
    CREATE VIRTUAL TABLE known USING fts5vocab(stretch, row);
    INSERT INTO stretch(stretch, rank) VALUES('automerge', 0);
    -- What is not merged by little work beside would be merged all at once, and a query would wait for it.
    INSERT INTO stretch(stretch, rank) VALUES('crisismerge', 1000);
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
  const beginning = database.prepare<[string, string], Beginning>('SELECT term, doc AS files FROM known WHERE term >= ? AND term < ?');
  const newest = database.prepare<[], number | null>('SELECT max(id) FROM file').pluck();
  const merge = database.prepare("INSERT INTO stretch(stretch, rank) VALUES('merge', ?)");
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const updateAll = database.transaction((files: Parameters<SearchIndex['update']>[0]) => {
    for (const { path, stamp, text } of files) {
      const id = idOf.get(path)?.id;
      if (id !== undefined) removeText.run(id);
      if (text === null) {
        if (id !== undefined) remove.run(id);
        continue;
      }
      if (id !== undefined) restamp.run(stamp.size, stamp.mtime, id);
      addText.run(id ?? add.run(path, stamp.size, stamp.mtime).lastInsertRowid, indexable(text));
    }
    if (files.length > 0) merge.run(pagesBeside);
  });
  return {
    known: () => new Map(all.all().map(({ path, size, mtime }) => [path, { size, mtime }])),
    update: (files) => void updateAll(files),
    candidates(literals) {
      const stretches = new Set(literals.flatMap(stretchesOf));
      const terms = stretches.size > 0 ? [...stretches].map(quoted).join(' AND ') : pairQuery(literals, beginning, newest.get() ?? 0);
      if (terms === null) return null;
      return new Set(terms === '' ? [] : matching.all(terms).map(({ path }) => path));
    },
    tidy() {
      const before = changes.get()!;
      merge.run(pagesAtRest);
      // One change is the command itself.
      return changes.get()! - before > 1;
    },
    close: () => void database.close(),
  };
}

/**
 * What is indexed of a text: composed, and as it stands where that is something else, since a plain letter is found in a decomposed one.
 * Two ends of line behind it make each pair of characters the beginning of a stretch.
 */
function indexable(text: string): string {
  const composed = text.normalize('NFC');
  const all = composed === text ? text : `${composed}\n\n${text}`;
  // A NUL ends a text for the index.
  return `${all.replaceAll('\0', '\n')}\n\n`;
}

const quoted = (stretch: string) => `"${stretch.replaceAll('"', '""')}"`;

/** A stretch that begins with what was asked for, and how many files have it. */
interface Beginning {
  readonly term: string;
  readonly files: number;
}

/** A pair that so many of the files have, or so many stretches begin with, rules too little out to be worth the asking. */
const [mostFiles, mostStretches] = [0.25, 400];

/**
 * The query for texts with the first pair of characters among `literals`: any of the stretches that begin with it. Empty: none has it;
 * null: there is no such pair, or it cannot be told, or is too common. `all` is about how many files there are.
 */
function pairQuery(literals: readonly string[], beginning: Sqlite.Statement<[string, string], Beginning>, all: number): string | null {
  const pair = literals.map((literal) => folded(literal.normalize('NFC'))).find((literal) => literal !== null);
  if (pair === undefined) return null;
  const terms: string[] = [];
  let count = 0;
  for (const { term, files } of beginning.iterate(pair, `${pair}\u{10ffff}`)) {
    count += files;
    if (count > Math.max(all * mostFiles, mostStretches) || terms.length === mostStretches) return null;
    terms.push(quoted(term));
  }
  return terms.join(' OR ');
}

/** Two characters in the letter case of the index; null for another number, and where the database may know another case than we do. */
function folded(literal: string): string | null {
  const characters = [...literal];
  if (characters.length !== 2 || literal.includes('\0')) return null;
  const lower = characters.map((character) => character.toLowerCase());
  const isSure = (character: string) => {
    const upper = character.toUpperCase();
    return upper === character || (upper.toLowerCase() === character && character.codePointAt(0)! < 0x530);
  };
  return lower.every(isSure) ? lower.join('') : null;
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
