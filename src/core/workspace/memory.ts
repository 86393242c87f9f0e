import { join } from 'node:path';
import { workspaceKey } from '#core/home';
import { removeIfThere } from '#core/storage/disk';
import { type IndexContent, isForeign, readIndex, writeIndex } from '#core/storage/index-db';
import { newReading } from '#core/storage/segment-reader';
import { ledgerFolder, listSegments } from '#core/storage/segments';
import type { SeenFile } from '#core/workspace/file-reader';
import type { Workspace } from '#core/workspace/workspace';

/** An index is written anew when this many bytes of the ledger are not in it, or a fiftieth of what is. */
const leastTail = 64 * 1024;
/** How often an index is begun again because the ledger was read on meanwhile. */
const mostTries = 3;
/** Below this much ledger a pure read replays it faster than it opens an index. */
const worthOpening = 1024 * 1024;

/** What a workspace remembers between processes: an index that can be deleted at any time. */
export interface Memory {
  /** Recalls the index, if there is one that is of use, before the ledger is read. `pure`: only where that is faster. */
  recall(pure: boolean): Promise<void>;
  /** Keeps the index, if enough has changed since. The caller holds the lock. A failure is no failure of what was done. */
  keep(): Promise<void>;
  /** Drops the index and writes it anew from the ledger. The caller holds the lock. Answers where it is. */
  rebuild(): Promise<'workspace' | 'app-data'>;
}

const placesOf = ({ disk, vmark, root, home }: Workspace) => {
  const inside = join(vmark, 'index.db');
  const outside = join(home.folder, 'indexes', `${workspaceKey(root)}.db`);
  return { inside, all: isForeign(disk, inside) ? [outside] : [inside, outside] };
};

/** The first index of a workspace that is of use, with its place; null where there is none. */
export async function keptIndex(workspace: Workspace): Promise<{ file: string; content: IndexContent } | null> {
  const { all } = placesOf(workspace);
  for (const file of all) {
    const content = await readIndex(workspace.disk, file, newReading());
    if (content !== null) return { file, content };
  }
  return null;
}

/** Makes the memory of one workspace. Its index is in `.vmark/`, or in the app data where another program's is there or nothing can be written. */
export function createMemory(workspace: Workspace): Memory {
  const { disk, replica, sweep, chance } = workspace;
  let isRecalled = false;
  let indexed = 0;
  let hasIndex = false;

  /** Null where it cannot be written, or the reading goes on each time. */
  const write = async (tries = mostTries): Promise<'workspace' | 'app-data' | null> => {
    const { generation } = replica;
    const segments = replica.states();
    if (segments === null || replica.reading.conflict) return null;
    const content = { reading: replica.reading, segments, extra: { files: [...sweep.known()] } };
    const { inside, all } = placesOf(workspace);
    for (const file of all) {
      try {
        const isWritten = await writeIndex(disk, file, content, chance.newId(chance.now()), () => replica.generation === generation);
        if (!isWritten) return tries > 1 ? write(tries - 1) : null;
        indexed = replica.consumed();
        hasIndex = true;
        sweep.settled();
        return file === inside ? 'workspace' : 'app-data';
      } catch {
        // The next place is tried; without any, the ledger is replayed each time.
      }
    }
    return null;
  };

  return {
    async recall(pure) {
      if (isRecalled || (pure && ledgerSize(workspace) < worthOpening)) return;
      isRecalled = true;
      const kept = await keptIndex(workspace);
      if (kept === null) return;
      replica.recall(kept.content.reading, kept.content.segments);
      sweep.recall((kept.content.extra.files ?? []) as SeenFile[]);
      indexed = replica.consumed();
      hasIndex = true;
    },
    async keep() {
      const tail = replica.consumed() - indexed;
      if (hasIndex && tail < Math.max(leastTail, indexed / 50) && !sweep.hasMuchNew()) return;
      await write();
    },
    async rebuild() {
      for (const file of placesOf(workspace).all) removeIfThere(disk, file);
      replica.forget();
      await replica.refresh();
      return (await write()) ?? 'app-data';
    },
  };
}

function ledgerSize({ disk, vmark }: Workspace): number {
  return [...listSegments(disk, ledgerFolder(vmark)).values()].reduce((sum, { size }) => sum + size, 0);
}
