import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Journal, JournalOptions } from '#core/journal/journal';
import type { Disk } from '#core/storage/disk';
import { Fault, fromReply, problemOf, type Reply, toReply } from '#protocol';

/** What is asked of the journals of a workspace: each of their verbs, answered later. */
export type JournalDesk = {
  readonly [Verb in keyof Journal]: (...input: Parameters<Journal[Verb]>) => Promise<ReturnType<Journal[Verb]>>;
};

/** A question to the thread that keeps journals. */
export interface JournalQuestion {
  readonly id: number;
  readonly verb: keyof Journal;
  readonly input: readonly unknown[];
}

/** Its answer. */
export interface JournalAnswer {
  readonly id: number;
  readonly reply: Reply<unknown>;
}

/** What a desk is made from; `program` null: no thread. */
export interface JournalDeskOptions extends JournalOptions {
  readonly disk: Disk;
  readonly program?: string | null;
}

/** Whoever does it: a thread, or this one where there can be none. */
type Room = (verb: keyof Journal, input: readonly unknown[]) => Promise<unknown>;

/** The program of the thread: a module in a checkout, a built file beside a built program or one further up from a chunk. */
function workerProgram(): string | null {
  const places = ['journal-worker.ts', 'journal-worker.js', '../journal-worker.js'].map((place) => join(import.meta.dirname, place));
  return places.find((place) => existsSync(place)) ?? null;
}

/** Makes the desk of a workspace's journals; the thread is started by the first question. */
export function createJournalDesk({ disk, program = workerProgram(), ...options }: JournalDeskOptions): JournalDesk {
  let room: Promise<Room> | null = null;
  const lost = () => {
    room = null;
  };
  const begin = async (): Promise<Room> => (program === null ? ownRoom(disk, options) : threadRoom(program, options, lost));
  const ask =
    <Verb extends keyof Journal>(verb: Verb) =>
    async (...input: Parameters<Journal[Verb]>): Promise<ReturnType<Journal[Verb]>> => {
      room ??= begin();
      return (await room)(verb, input) as Promise<ReturnType<Journal[Verb]>>;
    };
  return {
    append: ask('append'),
    list: ask('list'),
    read: ask('read'),
    forget: ask('forget'),
    async close() {
      const there = room;
      lost();
      await (await there)?.('close', []);
    },
  };
}

/** Loaded only where it is needed: the thread has its own. */
async function ownRoom(disk: Disk, options: JournalOptions): Promise<Room> {
  const { createJournal } = await import('#core/journal/journal');
  const journal = createJournal(disk, options);
  return async (verb, input) => answerOf(journal, { verb, input });
}

/** Does what a question asks. */
export const answerOf = (journal: Journal, { verb, input }: Pick<JournalQuestion, 'verb' | 'input'>): unknown =>
  (journal[verb] as (...input: readonly unknown[]) => unknown)(...input);

/** The same, as it goes between threads. */
export const replyOf = (journal: Journal, question: JournalQuestion): Promise<Reply<unknown>> => toReply(() => answerOf(journal, question));

function threadRoom(program: string, options: JournalOptions, lost: () => void): Room {
  const { folder, owner } = options;
  const worker = new Worker(program, { workerData: { folder, owner } });
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  const end = (problem: string) => {
    lost();
    for (const { reject } of asked.values()) reject(new Fault('bug', { problem }));
    asked.clear();
  };
  worker.on('message', ({ id, reply }: JournalAnswer) => {
    const one = asked.get(id);
    asked.delete(id);
    if (asked.size === 0) worker.unref();
    try {
      one?.resolve(fromReply(reply));
    } catch (error) {
      one?.reject(error);
    }
  });
  worker.on('error', (error) => end(problemOf(error)));
  worker.on('exit', () => end('the journal ended'));
  worker.unref();
  return (verb, input) => {
    const waiting = Promise.withResolvers<unknown>();
    const id = ++count;
    asked.set(id, waiting);
    worker.ref();
    worker.postMessage({ id, verb, input } satisfies JournalQuestion);
    return waiting.promise;
  };
}
