import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unwatched, type Watch } from '#core/watch/watcher';
import { takeTurns } from '#core/workspace/turns';

/** Watches by looking: every `interval` ms each file's stat is compared, one look after the other. For where the operating system cannot tell. */
export function statWatch(interval: number): Watch {
  return async (root, listener) => {
    let before = await stampsOf(root);
    let timer: NodeJS.Timeout | undefined;
    let isClosed = false;
    const look = async () => {
      const now = await stampsOf(root);
      if (isClosed) return;
      const changed = new Set<string>();
      for (const [path, stamp] of now) if (before.get(path) !== stamp) changed.add(path);
      for (const path of before.keys()) if (!now.has(path)) changed.add(path);
      before = now;
      if (changed.size > 0) listener.changed(changed);
      next();
    };
    const next = () => {
      timer = setTimeout(() => void look(), interval).unref();
    };
    next();
    return {
      async close() {
        isClosed = true;
        clearTimeout(timer);
      },
    };
  };
}

/** A drive far away answers slowly: others have their turn between the files. */
async function stampsOf(root: string): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  const turns = takeTurns();
  const visit = async (folder: string): Promise<void> => {
    for (const name of namesIn(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (unwatched.test(path)) continue;
      const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
      if (stat?.isDirectory()) await visit(path);
      else if (stat !== undefined) stamps.set(path, `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`);
      await turns.rest();
    }
  };
  await visit('');
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
