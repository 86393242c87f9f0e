import type { AgentRead, Served } from '#protocol/agent-calls';
import { agentInputsLimit } from '#protocol/agent-limit';

/** Reads taken out of a set for one write, oldest first. */
export interface TakenReads {
  readonly reads: readonly AgentRead[];
  /** How many were forgotten because there were more than a write may have. */
  readonly leftOut: number;
}

/** Adds a document to a set. `text` is what was served; it is kept where the ledger does not know the document. */
export type AddRead = (served: Served, role: AgentRead['role'], text: string | null) => void;

/** What one connection has read since its last write: each document once, at most 512, the newest kept (`spec/interfaces.md` §3). */
export interface ReadSet {
  /**
   * Carries out a read. What it adds belongs to the first write that is asked for after it, which waits for it unless it is cancelled;
   * a cancelled one adds nothing. A direct read is never made less by a later hit.
   */
  during<T>(signal: AbortSignal, read: (add: AddRead) => Promise<T>): Promise<T>;
  /** Empties the set at once, so that what is asked for from now on belongs to the next write; answers when what was asked for before is read. */
  take(): Promise<TakenReads>;
  /** Puts back what a write that wrote nothing had taken; what was read meanwhile is newer. */
  giveBack(taken: TakenReads): void;
}

/** How much served text a connection keeps, in UTF-16 units; of older reads only the hash is kept then. */
const textLimit = 8 * 1024 * 1024;

/** Makes an empty set. */
export function createReadSet(): ReadSet {
  let open = createBatch();
  return {
    during(signal, read) {
      const batch = open;
      const done = read((served, role, text) => {
        if (!signal.aborted) batch.put({ ...served, role, text: served.object === null ? text : null });
      });
      const ended = Promise.race([done.catch(() => {}), aborted(signal)]);
      batch.pending.add(ended);
      void ended.then(() => batch.pending.delete(ended));
      return done;
    },
    async take() {
      const batch = open;
      open = createBatch();
      await Promise.all(batch.pending);
      return batch.taken();
    },
    giveBack(taken) {
      const newer = open.taken();
      open.reset(taken.leftOut + newer.leftOut);
      for (const read of [...taken.reads, ...newer.reads]) open.put(read);
    },
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));

/** The reads that go to one write, and those of them that are not answered yet. */
function createBatch() {
  const reads = new Map<string, AgentRead>();
  let leftOut = 0;
  return {
    pending: new Set<Promise<unknown>>(),
    put(read: AgentRead) {
      const before = reads.get(read.path);
      if (before?.role === 'direct' && read.role === 'contextual') return;
      reads.delete(read.path);
      reads.set(read.path, read);
      for (const oldest of reads.keys()) {
        if (reads.size <= agentInputsLimit) break;
        reads.delete(oldest);
        leftOut++;
      }
      shed(reads);
    },
    taken: (): TakenReads => ({ reads: [...reads.values()], leftOut }),
    reset(forgotten: number) {
      reads.clear();
      leftOut = forgotten;
    },
  };
}

/** Gives up the oldest texts while there is too much of them. */
function shed(reads: Map<string, AgentRead>): void {
  let held = 0;
  for (const { text } of reads.values()) held += text?.length ?? 0;
  for (const [path, read] of reads) {
    if (held <= textLimit) return;
    held -= read.text?.length ?? 0;
    reads.set(path, { ...read, text: null });
  }
}
