import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Trash } from '#core/acts/trash';

/** A trash in a folder, as that of a system: what has the same name as something in it stands beside that. */
export function folderTrash(folder: string): Trash {
  let count = 0;
  return async (place) => {
    const path = join(folder, `${++count} ${basename(place)}`);
    renameSync(place, path);
    return { path, info: null };
  };
}
