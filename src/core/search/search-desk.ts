import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { unpacked } from '#core/search/parcel';
import type { RoomAnswer, RoomMessage, RoomOptions } from '#core/search/search-room';
import type { Disk } from '#core/storage/disk';
import { Fault } from '#protocol';
import type { SearchPart, SearchRequest } from '#protocol/search-calls';

/** The search of a workspace as core asks it, in a thread of its own. */
export interface SearchDesk {
  /** Answers the next part of a query. The thread is started by the first one. */
  find(request: SearchRequest): Promise<SearchPart>;
  /** The same, for whoever must not miss what changed a moment ago: its first part looks at every file. */
  findNow(request: SearchRequest): Promise<SearchPart>;
  /** Says that these paths may have changed; null: any may. */
  changed(paths: readonly string[] | null): void;
  /** Says whether changes are told from now on; as long as they are not, each query looks at every file. */
  watched(isWatched: boolean): void;
  close(): Promise<void>;
}

/** What a search desk is made from. `patience`: how long one part may take before it is given up, in ms; `program` null: no thread. */
export interface SearchDeskOptions extends RoomOptions {
  readonly disk: Disk;
  readonly patience?: number;
  readonly program?: string | null;
}

/** A part takes 50 ms; what takes so much longer is an expression that does not come to an end. */
const longest = 5000;

/** The program of the thread: a module in a checkout, a built file beside a built program or one further up from a chunk. */
function workerProgram(): string | null {
  const places = ['search-worker.ts', 'search-worker.js', '../search-worker.js'].map((place) => join(import.meta.dirname, place));
  return places.find((place) => existsSync(place)) ?? null;
}

/** Whoever answers: a thread, or this one where there can be none. */
interface Room {
  find(request: SearchRequest): Promise<SearchPart>;
  changed(paths: readonly string[] | null): void;
  close(): Promise<void>;
}

/** Makes the search desk of a workspace; nothing is started before the first query. */
export function createSearchDesk({ disk, patience = longest, program = workerProgram(), ...options }: SearchDeskOptions): SearchDesk {
  let room: Promise<Room> | null = null;
  let isWatched = false;
  const begin = async (): Promise<Room> => {
    const lost = () => {
      room = null;
    };
    try {
      if (program !== null) return await threadRoom(program, options, patience, lost);
    } catch {
      // No thread can be had here.
    }
    return ownRoom(disk, options);
  };
  const ask = async (request: SearchRequest, looksAtAll: boolean) => {
    room ??= begin();
    const there = await room;
    if (looksAtAll && request.after === null) there.changed(null);
    return there.find(request);
  };
  return {
    find: (request) => ask(request, !isWatched),
    findNow: (request) => ask(request, true),
    changed: (paths) => void room?.then((there) => there.changed(paths)),
    watched(now) {
      isWatched = now;
      void room?.then((there) => there.changed(null));
    },
    async close() {
      const there = room;
      room = null;
      await (await there)?.close();
    },
  };
}

/** Loaded only where it is needed: the thread has its own. */
async function ownRoom(disk: Disk, options: RoomOptions): Promise<Room> {
  const { createSearchRoom } = await import('#core/search/search-room');
  const { find, changed, close } = createSearchRoom(disk, options);
  return { find: async (request) => find(request), changed, close: async () => close() };
}

interface Asked {
  readonly answer: (part: SearchPart) => void;
  readonly fail: (error: Error) => void;
  /** Gives it up; begun when the files have been looked at, which takes long where there are many or the disk is far away. */
  late: NodeJS.Timeout | undefined;
}

async function threadRoom(program: string, options: RoomOptions, patience: number, lost: () => void): Promise<Room> {
  const worker = new Worker(program, { workerData: options });
  await new Promise<void>((resolve, reject) => {
    // Being online, it has not read its program yet.
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  const asked = new Map<number, Asked>();
  let count = 0;
  let isOver = false;
  const tell = (message: RoomMessage) => worker.postMessage(message);
  const take = (id: number): Asked | undefined => {
    const one = asked.get(id);
    clearTimeout(one?.late);
    asked.delete(id);
    if (asked.size === 0) worker.unref();
    return one;
  };
  /** The thread is gone, or will be: whoever asks next gets another one. */
  const end = (say: (one: Asked) => void) => {
    isOver = true;
    lost();
    for (const id of [...asked.keys()]) say(take(id)!);
  };
  const giveUp = () => {
    end((one) => one.answer({ kind: 'too-slow' }));
    void worker.terminate();
  };
  worker.on('message', (message: RoomAnswer) => {
    if ('looked' in message) {
      const waiting = asked.get(message.id);
      if (waiting !== undefined) waiting.late = setTimeout(giveUp, patience);
      return;
    }
    const one = take(message.id);
    if ('parcel' in message) one?.answer(unpacked(message.parcel));
    else one?.fail(new Fault('bug', { problem: message.failure }));
  });
  worker.on('error', (error) => end(({ fail }) => fail(new Fault('bug', { problem: String(error) }))));
  worker.on('exit', () => end(({ fail }) => fail(new Fault('bug', { problem: 'the search ended' }))));
  worker.unref();
  return {
    find(request) {
      return new Promise<SearchPart>((answer, fail) => {
        const id = ++count;
        asked.set(id, { answer, fail, late: undefined });
        worker.ref();
        tell({ kind: 'find', id, request });
      });
    },
    changed: (paths) => tell({ kind: 'changed', paths }),
    async close() {
      if (isOver) return;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      tell({ kind: 'close' });
      // An expression that does not come to an end would be waited for.
      const late = setTimeout(() => void worker.terminate(), 1000);
      await ended;
      clearTimeout(late);
    },
  };
}
