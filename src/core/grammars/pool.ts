import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type PackedFile, unpackFile } from '#core/grammars/packed';
import { languageForPath, type ParseWishes } from '#core/grammars/parse';
import type { ParseResult, ParseTask } from '#core/grammars/worker';
import type { Language, ParsedFile } from '#kernel/declaration';

/** Threads that parse, so that this one stays free. */
export interface ParsePool {
  /** As `parseDeclarations`, in another thread. A file that brings its thread down gives null. */
  parse(bytes: Uint8Array, path: string, wishes?: ParseWishes): Promise<ParsedFile | null>;
  /** Ends the threads; what is under way is not answered. */
  close(): Promise<void>;
}

interface Waiting {
  readonly task: ParseTask;
  readonly resolve: (parsed: ParsedFile | null) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** What it has been given, in order; the first is being parsed. */
  readonly given: Waiting[];
  /** Whether it has ever answered. */
  hasAnswered: boolean;
}

/** How many files a thread is given ahead, so that it need not wait for this one. */
const AHEAD = 2;

/** The program of a worker: a module in a checkout, a built file beside a built program or one further up from a chunk. */
function workerFile(): string {
  const places = ['worker.ts', 'declaration-worker.js', '../declaration-worker.js'].map((place) => join(import.meta.dirname, place));
  return places.find((place) => existsSync(place)) ?? (places[1] as string);
}

/**
 * A pool of at most `size` threads, started when there is work and ended after `idleMs` without any. They do not keep the
 * process alive.
 */
export function createParsePool(size = Math.max(1, Math.min(4, availableParallelism())), idleMs = 10_000): ParsePool {
  const threads = new Set<Thread>();
  const queue: Waiting[] = [];
  let lastId = 0;
  let rest: NodeJS.Timeout | undefined;

  function start(): Thread {
    // A deep tree needs a deep stack.
    const worker = new Worker(workerFile(), { resourceLimits: { stackSizeMb: 16 } });
    const thread: Thread = { worker, given: [], hasAnswered: false };
    threads.add(thread);
    worker.on('message', (result: ParseResult) => answer(thread, result));
    worker.on('error', (error) => lose(thread, error as Error));
    worker.on('exit', () => lose(thread, new Error('A thread that parses code ended.')));
    return thread;
  }

  function answer(thread: Thread, result: ParseResult): void {
    thread.hasAnswered = true;
    const at = thread.given.findIndex(({ task }) => task.id === result.id);
    const [waiting] = at < 0 ? [] : thread.given.splice(at, 1);
    if (!waiting) return;
    // The thread goes on before what it found is looked at.
    settle(thread);
    give();
    if ('failure' in result) waiting.reject(new Error(result.failure));
    else waiting.resolve(result.parsed && unpacked(result.parsed, waiting.task.wishes));
  }

  /** A thread is gone: the file that it was at is given up, the others are given to another. One that never worked is a fault. */
  function lose(thread: Thread, error: Error): void {
    if (!threads.delete(thread)) return;
    const [first, ...others] = thread.given.splice(0);
    queue.unshift(...others);
    if (thread.hasAnswered) first?.resolve(null);
    else first?.reject(error);
    void thread.worker.terminate();
    give();
  }

  function settle(thread: Thread): void {
    if (thread.given.length > 0) return;
    thread.worker.unref();
    if (queue.length > 0 || [...threads].some(({ given }) => given.length > 0)) return;
    clearTimeout(rest);
    rest = setTimeout(() => void close(), idleMs).unref();
  }

  function give(): void {
    clearTimeout(rest);
    while (queue.length > 0) {
      const least = [...threads].sort((a, b) => a.given.length - b.given.length)[0];
      const isBusy = least === undefined || least.given.length > 0;
      const thread = isBusy && threads.size < size ? start() : least;
      if (!thread || thread.given.length >= AHEAD) return;
      const waiting = queue.shift() as Waiting;
      thread.given.push(waiting);
      thread.worker.ref();
      thread.worker.postMessage(waiting.task);
    }
  }

  async function close(): Promise<void> {
    const ending = [...threads];
    threads.clear();
    clearTimeout(rest);
    await Promise.all(ending.map(({ worker }) => worker.terminate()));
  }

  return {
    close,
    async parse(bytes, path, wishes = {}) {
      if (languageForPath(path) === null) return null;
      // A view of a larger buffer would be sent with all of it.
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
      return new Promise((resolve, reject) => {
        queue.push({ task: { id: ++lastId, bytes: own, path, wishes }, resolve, reject });
        give();
      });
    },
  };
}

const unpacked = ({ data, language, trigrams }: PackedFile & { language: Language }, wishes: ParseWishes): ParsedFile =>
  unpackFile(data, language, wishes.trigrams === true ? trigrams : null);

let shared: ParsePool | undefined;

/** As `parseDeclarations`, in the threads that all checks of this process share. */
export function parseInThreads(bytes: Uint8Array, path: string, wishes?: ParseWishes): Promise<ParsedFile | null> {
  shared ??= createParsePool();
  return shared.parse(bytes, path, wishes);
}
