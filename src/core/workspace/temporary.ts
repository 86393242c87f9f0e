import { dirname, join } from 'node:path';
import type { Home } from '#core/home';
import { besideName, type Disk, isLink, makeFolder, removeIfThere } from '#core/storage/disk';
import type { Workspace } from '#core/workspace/workspace';

/** What a place for a temporary file may fail with although the file itself can be written: the next place is tried. */
const placeFailures = new Set(['EACCES', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS', 'EXDEV']);

/** Whether it may be the place of the temporary file that is to blame. */
export const isPlaceFailure = (error: unknown) => placeFailures.has((error as NodeJS.ErrnoException).code ?? '');

/** Which file is replaced, or made, by way of a temporary one, whose name is told apart by `token`. */
export interface Replacing {
  readonly target: string;
  readonly token: string;
  readonly isNew: boolean;
}

/**
 * Replaces a file by way of a temporary one where git does not look, on the same disk: in `.vmark/snapshots/tmp/`, else in the app data, else
 * after all beside it. A `git add` that meets a file beside, and finds it gone a moment later, refuses everything. A new file is made
 * elsewhere only where it gets the same group and rights as in its own folder.
 */
export function throughTemporary<T>(
  { disk, vmark, home }: Pick<Workspace, 'disk' | 'vmark' | 'home'>,
  { target, token, isNew }: Replacing,
  replace: (temporary: string) => T,
): T {
  for (const folder of places(disk, vmark, home)) {
    if (!isAsIn(disk, folder, dirname(target), isNew)) continue;
    try {
      return replace(join(folder, `${token}.stemma-tmp`));
    } catch (error) {
      if (!isPlaceFailure(error)) throw error;
    }
  }
  return replace(besideName(target, token));
}

function* places(disk: Disk, vmark: string, home: Home): Generator<string> {
  const snapshots = join(vmark, 'snapshots');
  const staging = join(snapshots, 'tmp');
  if (![vmark, snapshots, staging].some((path) => isLink(disk, path))) yield staging;
  // There a file would keep the rights of the app data, which are this user's alone.
  if (process.platform === 'win32') return;
  const own = homeStaging(home.folder);
  if (isMade(disk, own)) yield own;
}

/** A folder of this user's alone: what passes through may come from, and go into, one that is. False where there can be none. */
function isMade(disk: Disk, folder: string): boolean {
  try {
    if (disk.existsSync(folder)) return !isLink(disk, folder);
    makeFolder(disk, folder);
    disk.chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** Where temporary files stand that a workspace has no place for. */
const homeStaging = (home: string) => join(home, 'tmp');

const groupIsInherited = 0o2000;

function isAsIn(disk: Disk, folder: string, other: string, isNew: boolean): boolean {
  try {
    const [one, two] = [disk.statSync(folder), disk.statSync(other)];
    if (one.dev !== two.dev) return false;
    const isInherited = ((one.mode | two.mode) & groupIsInherited) !== 0 || process.platform !== 'linux';
    return !isNew || !isInherited || (one.gid === two.gid && (one.mode & groupIsInherited) === (two.mode & groupIsInherited));
  } catch {
    return false;
  }
}

/** No write takes so long, in ms: what is older was left by a program that died. */
const longestWrite = 3_600_000;

/** Takes away what programs that died have left in the app data. */
export const sweepHome = (disk: Disk, home: string, now: number): void =>
  sweepLeft(disk, homeStaging(home), namesIn(disk, homeStaging(home)), now);

/** Takes those of these files in `folder` away that are older than an hour. */
export function sweepLeft(disk: Disk, folder: string, names: readonly string[], now: number): void {
  for (const file of names.map((name) => join(folder, name))) if (isLeft(disk, file, now)) removeIfThere(disk, file);
}

/** The names in a folder; none where it is not there or cannot be read. */
export function namesIn(disk: Disk, folder: string): string[] {
  try {
    return disk.readdirSync(folder);
  } catch {
    return [];
  }
}

/** What cannot be looked at may be gone already, and is left alone. */
function isLeft(disk: Disk, file: string, now: number): boolean {
  try {
    const stat = disk.lstatSync(file);
    return stat.isFile() && now - stat.mtimeMs > longestWrite;
  } catch {
    return false;
  }
}
