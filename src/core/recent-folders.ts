import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Disk, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import type { RecentFolder } from '#protocol/app-data-calls';

/** The most folders that are remembered. */
const most = 12;

/** The folders that windows showed, newest first, in the app data of this installation. */
export interface RecentFolders {
  /** Every one, with whether it is still there. A list that cannot be read is an empty one. */
  list(): readonly RecentFolder[];
  /** Puts a folder first. Where nothing can be written, nothing is remembered. */
  opened(root: string): void;
  forget(root: string): void;
}

/** Opens the list in the app-data folder `home`; nothing is written before a folder was opened. `token` tells programs apart that write at once. */
export function openRecentFolders(disk: Disk, home: string, token: () => string): RecentFolders {
  const file = join(home, 'recent-folders.json');
  const keep = (roots: readonly string[]) => {
    try {
      makeFolder(disk, home);
      writeAtomic(disk, file, Buffer.from(`${JSON.stringify({ folders: roots.slice(0, most) }, null, 2)}\n`), `${file}.${token()}.new`);
    } catch {
      // A list of where one was is worth no error.
    }
  };
  const others = (root: string) => rootsIn(disk, file).filter((one) => one !== root);
  return {
    list: () => rootsIn(disk, file).map((root) => ({ root, isThere: isFolder(root) })),
    opened(root) {
      if (rootsIn(disk, file)[0] !== root) keep([root, ...others(root)]);
    },
    forget: (root) => keep(others(root)),
  };
}

function rootsIn(disk: Disk, file: string): readonly string[] {
  try {
    const { folders } = JSON.parse(readIfThere(disk, file)?.toString('utf8') ?? '{}') as { folders?: unknown };
    return Array.isArray(folders) ? folders.filter((root): root is string => typeof root === 'string' && root !== '').slice(0, most) : [];
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
