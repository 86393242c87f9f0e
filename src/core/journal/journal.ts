import { join } from 'node:path';
import { type JournalHead, lineOf } from '#core/journal/journal-line';
import { type JournalReading, listed, readJournal } from '#core/journal/journal-reading';
import { createOwner } from '#core/journal/owner';
import { type Disk, isMissing, readIfThere, removeIfThere, syncFolder, writeAll } from '#core/storage/disk';
import { faultFromSystem } from '#protocol';
import type { JournalOutputs, JournalRecord } from '#protocol/journal-calls';

/** What is added to the journal of a session; `fresh`: it is all that there is to keep. */
export interface JournalAddition {
  readonly session: string;
  readonly fresh: boolean;
  readonly records: readonly JournalRecord[];
}

/** The recovery journals of the windows of one workspace. */
export interface Journal {
  append(input: JournalAddition): JournalOutputs['journal/append'];
  list(): JournalOutputs['journal/list'];
  read(session: string): JournalOutputs['journal/read'];
  forget(session: string, doc: number | null): void;
  /** Makes durable what is not yet, and gives the files back. */
  close(): void;
}

/** What journals need: where they are kept, the name of this core, and a clock in ms. */
export interface JournalOptions {
  readonly folder: string;
  readonly owner: string;
  readonly now?: () => number;
}

/** How often what was written is made durable at most, in ms. */
const syncRest = 1000;

interface OpenJournal {
  readonly handle: number;
  /** By document, how many lines about it came since its text. */
  readonly turns: Map<number, number>;
}

const ending = '.journal';

/**
 * Keeps journals in `folder`, one file a session, readable by its owner only. A record is in its file when `append`
 * answers, and flushed to the disk at most once a second. A new file takes the place of an old one whole.
 */
export function createJournal(disk: Disk, { folder, owner: ownerId, now = Date.now }: JournalOptions): Journal {
  const owner = createOwner(disk, folder, ownerId);
  const open = new Map<string, OpenJournal>();
  const unsynced = new Set<number>();
  let synced = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  const fileOf = (session: string) => join(folder, `${session}${ending}`);

  const sync = () => {
    timer = null;
    synced = now();
    for (const handle of unsynced) {
      unsynced.delete(handle);
      try {
        disk.fdatasyncSync(handle);
      } catch {
        // What the disk cannot promise is in the file all the same.
      }
    }
  };
  const syncSoon = () => {
    const rest = synced + syncRest - now();
    if (rest <= 0) sync();
    else timer ??= setTimeout(sync, rest);
  };
  const drop = (session: string) => {
    const journal = open.get(session);
    if (journal === undefined) return;
    open.delete(session);
    unsynced.delete(journal.handle);
    disk.closeSync(journal.handle);
  };
  const begin = (session: string, records: readonly JournalRecord[]) => {
    drop(session);
    disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
    owner.take();
    const temporary = `${fileOf(session)}.new`;
    removeIfThere(disk, temporary);
    const handle = disk.openSync(temporary, 'wx', 0o600);
    const turns = new Map<number, number>();
    try {
      const head: JournalHead = { kind: 'begin', version: 1, session, owner: ownerId };
      writeAll(disk, handle, Buffer.concat([lineOf(head, { doc: 0, turn: 0 }), linesOf(records, turns)]));
      disk.fdatasyncSync(handle);
      synced = now();
      disk.renameSync(temporary, fileOf(session));
    } catch (error) {
      disk.closeSync(handle);
      removeIfThere(disk, temporary);
      throw error;
    }
    open.set(session, { handle, turns });
    syncFolder(disk, folder);
  };
  const add = (session: string, { handle, turns }: OpenJournal, records: readonly JournalRecord[]) => {
    try {
      writeAll(disk, handle, linesOf(records, turns));
    } catch (error) {
      // A line may stand there by half: the next records begin a new file.
      drop(session);
      throw error;
    }
    unsynced.add(handle);
    syncSoon();
  };
  const reading = (session: string) => readingOf(disk, fileOf(session));

  return {
    append({ session, fresh, records }) {
      const journal = open.get(session);
      try {
        if (fresh) begin(session, records);
        else if (journal === undefined) return { kind: 'unknown' };
        else add(session, journal, records);
      } catch (error) {
        throw faultFromSystem(error, fileOf(session));
      }
      return { kind: 'kept' };
    },
    list() {
      const sessions = sessionsIn(disk, folder).flatMap((session) => {
        const found = reading(session);
        if (found === null || owner.isAnother(found.head.owner)) return [];
        return [{ session, at: found.at, isLeft: found.isLeft, documents: found.documents.map(listed) }];
      });
      owner.sweep();
      return { sessions: sessions.sort((a, b) => b.at - a.at) };
    },
    read(session) {
      const { layout = null, documents = [] } = reading(session) ?? {};
      return { layout, documents };
    },
    forget(session, doc) {
      drop(session);
      const found = doc === null ? null : reading(session);
      if (found === null) removeIfThere(disk, fileOf(session));
      else keepOthers(disk, fileOf(session), found, doc!);
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      if (unsynced.size > 0) sync();
      for (const session of [...open.keys()]) drop(session);
      owner.close();
    },
  };
}

function linesOf(records: readonly JournalRecord[], turns: Map<number, number>): Buffer {
  const lines = records.map((record) => {
    const doc = 'doc' in record ? record.doc : 0;
    const turn = record.kind === 'text' ? 0 : (turns.get(doc) ?? 0) + 1;
    if (doc > 0) turns.set(doc, turn);
    return lineOf(record, { doc, turn });
  });
  return Buffer.concat(lines);
}

function sessionsIn(disk: Disk, folder: string): string[] {
  try {
    const names = disk.readdirSync(folder).filter((name) => name.endsWith(ending));
    return names.map((name) => name.slice(0, -ending.length));
  } catch (error) {
    if (isMissing(error)) return [];
    throw faultFromSystem(error, folder);
  }
}

/** What cannot be read at all is left where it is. */
function readingOf(disk: Disk, file: string): JournalReading | null {
  try {
    const bytes = readIfThere(disk, file);
    return bytes === null ? null : readJournal(bytes);
  } catch {
    return null;
  }
}

function keepOthers(disk: Disk, file: string, { lines }: JournalReading, doc: number): void {
  const temporary = `${file}.new`;
  removeIfThere(disk, temporary);
  const handle = disk.openSync(temporary, 'wx', 0o600);
  try {
    writeAll(disk, handle, Buffer.concat(lines.filter((line) => line.doc !== doc).map(({ raw }) => raw)));
    disk.fdatasyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
  disk.renameSync(temporary, file);
}
