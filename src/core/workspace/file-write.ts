import { dirname, join } from 'node:path';
import { readIfThere, realTarget } from '#core/storage/disk';
import { type Begun, beginReplacing, type Ownership, replaceAtomic, writeAtomic, writeInPlace } from '#core/storage/replacing';
import { isPlaceFailure, throughTemporary } from '#core/workspace/temporary';
import type { Workspace } from '#core/workspace/workspace';
import { Fault, faultFromSystem } from '#protocol';

/** The bytes a file shall have, and those that they replace; null for a new file. */
export interface FileWrite {
  readonly bytes: Buffer;
  readonly before: Buffer | null;
}

/**
 * Replaces a file of the workspace whole or not at all; its mode and owner stay. A link keeps being one: what it
 * points to is replaced. A file that does not hold `before` any more is somebody's work: `conflict-on-disk`.
 * Without `isFlushed` a power cut may bring the old file back.
 */
export function replaceFile(workspace: Workspace, path: string, { bytes, before }: FileWrite, isFlushed = true): void {
  const { disk } = workspace;
  try {
    const place = placeOf(workspace, path, before);
    const { target, keep, refuseConflict } = place;
    if (keep !== undefined && keep.nlink > 1) {
      refuseConflict();
      writeInPlace(disk, target, bytes);
      return;
    }
    const replace = isFlushed ? writeAtomic : replaceAtomic;
    throughTemporary(workspace, place, (temporary) => replace(disk, target, bytes, temporary, keep, refuseConflict));
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}

/** The same, begun: it is there once it was flushed and finished, and durable once `folder` is flushed too. */
export function beginFileWrite(workspace: Workspace, path: string, write: FileWrite): { readonly begun: Begun; readonly folder: string } {
  try {
    const place = placeOf(workspace, path, write.before);
    const { target, keep, refuseConflict } = place;
    const anew = () => replaceFile(workspace, path, write);
    // All names of a file show what is written in its place: nothing of that can be prepared.
    if (keep !== undefined && keep.nlink > 1)
      return { begun: { file: null, close() {}, finish: anew, abandon() {} }, folder: dirname(target) };
    const begun = throughTemporary(workspace, place, (temporary) =>
      beginReplacing(workspace.disk, target, write.bytes, temporary, keep, refuseConflict),
    );
    const finish = () => {
      try {
        begun.finish();
      } catch (error) {
        if (!isPlaceFailure(error)) throw faultFromSystem(error, path);
        begun.abandon();
        anew();
      }
    };
    return { begun: { ...begun, finish }, folder: dirname(target) };
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}

interface Place {
  readonly target: string;
  readonly token: string;
  readonly isNew: boolean;
  readonly keep: (Ownership & { readonly nlink: number }) | undefined;
  readonly refuseConflict: () => void;
}

function placeOf({ disk, root, chance }: Workspace, path: string, before: Buffer | null): Place {
  const target = realTarget(disk, join(root, path));
  const keep = before === null ? undefined : disk.statSync(target);
  const refuseConflict = () => {
    const now = readIfThere(disk, target);
    const isSame = now === null || before === null ? now === before : now.equals(before);
    if (!isSame) throw new Fault('conflict-on-disk', { path });
  };
  return { target, token: chance.newId(chance.now()).slice(-12), isNew: keep === undefined, keep, refuseConflict };
}
