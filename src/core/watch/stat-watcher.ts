import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unwatched, type Watch } from '#core/watch/watcher';

/** Watches by looking: every `interval` ms each file's stat is compared. For where the operating system cannot tell. */
export function statWatch(interval: number): Watch {
  return async (root, listener) => {
    let before = stampsOf(root);
    const timer = setInterval(() => {
      const now = stampsOf(root);
      const changed = new Set<string>();
      for (const [path, stamp] of now) if (before.get(path) !== stamp) changed.add(path);
      for (const path of before.keys()) if (!now.has(path)) changed.add(path);
      before = now;
      if (changed.size > 0) listener.changed(changed);
    }, interval);
    timer.unref();
    return {
      async close() {
        clearInterval(timer);
      },
    };
  };
}

function stampsOf(root: string): Map<string, string> {
  const stamps = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const name of namesIn(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (unwatched.test(path)) continue;
      const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
      if (stat?.isDirectory()) visit(path);
      else if (stat !== undefined) stamps.set(path, `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`);
    }
  };
  visit('');
  return stamps;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Gone meanwhile, or not readable: what was in it counts as removed, and the scan that follows looks for itself.
    return [];
  }
}
