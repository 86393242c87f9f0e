import { dirname, join } from 'node:path';
import type { Workspace } from '#core/workspace/workspace';
import { Fault, faultFromSystem } from '#protocol';

/**
 * Makes a folder of a workspace and those on its way; the answer takes those away again that were made, and says whether it could: one
 * that is not empty any more stays. Where that cannot be there is a fault about `path`, and no folder more.
 */
export function makeFolders({ disk, root }: Pick<Workspace, 'disk' | 'root'>, folder: string, path: string): () => boolean {
  const missing: string[] = [];
  for (let place = join(root, folder); !disk.existsSync(place); place = dirname(place)) missing.push(place);
  const unmake = () => {
    try {
      for (const place of missing) disk.rmdirSync(place);
      return true;
    } catch {
      return false;
    }
  };
  try {
    disk.mkdirSync(join(root, folder), { recursive: true });
    return unmake;
  } catch (error) {
    for (const place of missing) removeEmpty(place);
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new Fault('not-a-folder', { path: folder });
    throw faultFromSystem(error, path);
  }

  function removeEmpty(place: string): void {
    try {
      disk.rmdirSync(place);
    } catch {
      // It was never made.
    }
  }
}
