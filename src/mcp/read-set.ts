import type { AgentRead, Served } from '#protocol/agent-calls';
import { agentInputsLimit } from '#protocol/agent-limit';

/** Reads taken out of a set for one write, oldest first. */
export interface TakenReads {
  readonly reads: readonly AgentRead[];
  /** How many were forgotten because there were more than a write may have. */
  readonly leftOut: number;
}

/** What one connection has read since its last write: each document once, at most 512, the newest kept (`spec/interfaces.md` §3). */
export interface ReadSet {
  /** `text` is what was served; it is kept where the ledger does not know the document. A direct read is never made less by a later hit. */
  add(served: Served, role: AgentRead['role'], text: string | null): void;
  /** Empties the set at once: what is read from now on belongs to the next write. */
  take(): TakenReads;
  /** Puts back what a write that wrote nothing had taken; what was read meanwhile is newer. */
  giveBack(taken: TakenReads): void;
}

/** How much served text a connection keeps, in UTF-16 units; of older reads only the hash is kept then. */
const textLimit = 32 * 1024 * 1024;

/** Makes an empty set. */
export function createReadSet(): ReadSet {
  let reads = new Map<string, AgentRead>();
  let leftOut = 0;
  const put = (read: AgentRead) => {
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
  };
  return {
    add: (served, role, text) => put({ ...served, role, text: served.object === null ? text : null }),
    take() {
      const taken = { reads: [...reads.values()], leftOut };
      reads = new Map();
      leftOut = 0;
      return taken;
    },
    giveBack(taken) {
      const newer = [...reads.values()];
      reads = new Map();
      leftOut += taken.leftOut;
      for (const read of [...taken.reads, ...newer]) put(read);
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
