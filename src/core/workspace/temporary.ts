import { dirname, join } from 'node:path';
import { besideName, type Disk, isLink } from '#core/storage/disk';
import type { Workspace } from '#core/workspace/workspace';

/** What a place for a temporary file may fail with although the file itself can be written: the next place is tried. */
const placeFailures = new Set(['EACCES', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS', 'EXDEV']);

/**
 * Replaces a file by way of a temporary one: in `.vmark/snapshots/tmp/`, which git does not look at, where that is there and on the same
 * disk, else beside it. A `git add` that meets a file beside, and finds it gone a moment later, refuses everything.
 */
export function throughTemporary(
  { disk, vmark }: Pick<Workspace, 'disk' | 'vmark'>,
  target: string,
  token: string,
  replace: (temporary: string) => void,
): void {
  const snapshots = join(vmark, 'snapshots');
  const folder = join(snapshots, 'tmp');
  const leadsElsewhere = [vmark, snapshots, folder].some((path) => isLink(disk, path));
  if (!leadsElsewhere && isOnOneDisk(disk, folder, dirname(target))) {
    try {
      replace(join(folder, `${token}.stemma-tmp`));
      return;
    } catch (error) {
      if (!placeFailures.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  replace(besideName(target, token));
}

function isOnOneDisk(disk: Disk, one: string, other: string): boolean {
  try {
    return disk.statSync(one).dev === disk.statSync(other).dev;
  } catch {
    return false;
  }
}
