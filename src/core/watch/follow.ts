import { chokidarWatch } from '#core/watch/chokidar-watcher';
import { isOnNetwork } from '#core/watch/network-folder';
import { statWatch } from '#core/watch/stat-watcher';
import type { Watch, Watcher } from '#core/watch/watcher';

/** Following a folder: what to do when it changes, and what to say when changes may go unseen. */
export interface Following {
  /** Reconciles; answers false when git is at work, so that it is tried again later. Never called twice at once. */
  reconcile(): Promise<boolean>;
  /** Told at once of what changed, before it is reconciled; an empty set means that anything may have. */
  changed?(paths: ReadonlySet<string>): void;
  troubled(reason: string): void;
}

/** How often a folder is looked at where it cannot be watched, in ms. */
const slowSweep = 5000;
/** How long git is left to finish, in ms. */
const gitRest = 500;

/**
 * Reconciles after every burst of changes, one at a time; a change during a reconciliation causes one more. Where
 * the watcher fails the folder is looked at slowly from then on, and once as soon as that has begun, because something was missed; on a drive of another
 * computer (`isRemote`) from the beginning, because what is changed there is told to nobody.
 */
export async function follow(
  root: string,
  following: Following,
  watch: Watch = chokidarWatch,
  fallback: Watch = statWatch(slowSweep),
  isRemote: (root: string) => boolean = isOnNetwork,
): Promise<Watcher> {
  let closed = false;
  let running: Promise<void> | null = null;
  let again = false;
  let retry: NodeJS.Timeout | null = null;
  let slow: Promise<Watcher> | null = null;

  const run = async (): Promise<void> => {
    do {
      again = false;
      const isDone = await following.reconcile().catch(() => true);
      if (!isDone && !closed) retry = setTimeout(start, gitRest);
    } while (again && !closed);
    running = null;
  };
  const start = (): void => {
    again = true;
    if (!closed) running ??= run();
  };
  const changed = (paths: ReadonlySet<string>): void => {
    if (!closed) following.changed?.(paths);
    start();
  };
  const listener = {
    changed,
    troubled(reason: string) {
      if (closed || slow !== null) return;
      following.troubled(reason);
      slow = fallback(root, { changed, troubled: () => {} });
      // Only what changes after its first look is seen by the fallback: all that was missed until then is looked for after it.
      void slow.then(() => changed(new Set()));
    },
  };
  const watcher = await watch(root, listener);
  if (isRemote(root)) listener.troubled('network');
  return {
    async close() {
      closed = true;
      if (retry !== null) clearTimeout(retry);
      await watcher.close();
      await (await slow)?.close();
      await running;
    },
  };
}
