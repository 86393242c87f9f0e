import { relative, sep } from 'node:path';
import { gather, unwatched, type Watch } from '#core/watch/watcher';

/** The longest that a start waits for `ready`, which never comes when watches are used up (`spec/toolchain.md` §8). */
const longestStart = 10_000;

/** How long `ready` may take before it is said that changes may go unseen, in ms. */
const patience = 60_000;

/** Watches through the operating system. */
export const chokidarWatch: Watch = async (root, listener) => {
  const burst = gather((paths) => listener.changed(paths));
  // Loaded with the first folder that is followed.
  const { watch } = await import('chokidar');
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => unwatched.test(relative(root, path)),
  });
  watcher.on('all', (_event, path) => burst.add(relative(root, path).split(sep).join('/')));
  const failed = new Promise<void>((resolve) => {
    watcher.on('error', (error) => {
      listener.troubled((error as NodeJS.ErrnoException).code ?? 'unknown');
      resolve();
    });
  });
  const ready = new Promise<void>((resolve) => watcher.once('ready', resolve));
  const late = AbortSignal.timeout(longestStart);
  const isLate = new Promise<'late'>((resolve) => late.addEventListener('abort', () => resolve('late'), { once: true }));
  let giveUp: NodeJS.Timeout | undefined;
  if ((await Promise.race([ready, failed, isLate])) === 'late') {
    giveUp = setTimeout(() => listener.troubled('late'), patience).unref();
    // What changed until then may have been missed.
    void ready.then(() => {
      clearTimeout(giveUp);
      listener.changed(new Set());
    });
  }
  return {
    async close() {
      clearTimeout(giveUp);
      burst.stop();
      await watcher.close();
    },
  };
};
