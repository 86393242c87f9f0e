import { join } from 'node:path';
import type { Lock } from '#core/storage/lock';
import { hasLedger } from '#core/workspace/place';
import type { Workspace } from '#core/workspace/workspace';

/** Whether a ledger stands where it cannot be locked, and who is told when that changes (`spec/format.md` §9). */
export interface Sharing {
  /** True where the lock of the ledger could not be had: a network drive, a sync folder, one that may only be read. */
  isShared(): boolean;
  /** To be called when the lock was tried. */
  looked(): void;
  /** Told when the answer becomes another one, and at once if it is yes; the answer stops it. */
  follow(listener: (isShared: boolean) => void): () => void;
}

/** Knows whether the ledger of a workspace could be locked when that was last tried. */
export function createSharing({ vmark }: Pick<Workspace, 'vmark'>, lock: Lock): Sharing {
  const listeners = new Set<(isShared: boolean) => void>();
  const isShared = () => lock.barred().has(vmark);
  let told = false;
  return {
    isShared,
    looked() {
      if (isShared() === told) return;
      told = isShared();
      for (const listener of listeners) listener(told);
    },
    follow(listener) {
      listeners.add(listener);
      if (isShared()) listener(true);
      return () => void listeners.delete(listener);
    },
  };
}

/** Whether the lock of a ledger can be tried before anything is written, and no file is made by it. */
export const canTryLock = ({ disk, root, vmark }: Pick<Workspace, 'disk' | 'root' | 'vmark'>) =>
  hasLedger(disk, root) && disk.existsSync(join(vmark, 'index.db-lock'));
