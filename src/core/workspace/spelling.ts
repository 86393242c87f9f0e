import { join } from 'node:path';
import type { Disk } from '#core/storage/disk';
import type { Workspace } from '#core/workspace/workspace';
import type { Uuid } from '#kernel/uuid';

/** Whether two paths differ in nothing but Unicode composition. */
const isComposed = (a: string, b: string) => a === b || a.normalize('NFC') === b.normalize('NFC');

/** Whether a path that is registered names the file at `path`: spelled so, or in another composition of which there is no file. */
export function isSpelled({ disk, root }: Pick<Workspace, 'disk' | 'root'>, registered: string, path: string): boolean {
  return registered === path || (isComposed(registered, path) && !isOther(disk, root, registered, path));
}

/**
 * The object at a path: registered there, or at the one other spelling of it (composition, upper and lower case) of which
 * there is no file any more.
 */
export function objectAt(workspace: Pick<Workspace, 'disk' | 'root' | 'replica'>, path: string): Uuid | null {
  const { facts } = workspace.replica.reading;
  const exact = facts.objectAt(path);
  if (exact !== null) return exact as Uuid;
  const like = facts.spelledLike(path).filter((other) => !isOther(workspace.disk, workspace.root, other, path));
  return like.length === 1 ? (facts.objectAt(like[0]!) as Uuid | null) : null;
}

/** Whether `other` is a file of its own beside that at `path`, and not the same under a disk that tells no spellings apart. */
export function isOther(disk: Disk, root: string, other: string, path: string): boolean {
  const [there, here] = [other, path].map((name) => statOf(disk, join(root, name)));
  if (there == null) return false;
  return here == null || there.ino !== here.ino || there.dev !== here.dev || there.nlink > 1;
}

function statOf(disk: Disk, path: string) {
  try {
    return disk.lstatSync(path);
  } catch {
    return null;
  }
}
