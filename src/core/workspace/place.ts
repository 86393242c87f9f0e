import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Disk, isMissing } from '#core/storage/disk';
import { Fault, faultFromSystem } from '#protocol';

/** The folder of a ledger inside a workspace. */
export const vmarkName = '.vmark';

/** The nearest parent of `folder`, itself included, that has a `.vmark/`; else `folder`. Real paths. */
export function findRoot(disk: Disk, folder: string): string {
  const start = realFolder(disk, folder);
  for (let at = start; ; at = dirname(at)) {
    if (isFolder(disk, join(at, vmarkName))) return at;
    if (dirname(at) === at) return start;
  }
}

/** The real path of a folder that somebody named; `folder-missing` where it is not there, `not-a-folder` where a file is. */
export function realFolder(disk: Disk, folder: string): string {
  try {
    const real = disk.realpathSync(folder);
    if (!disk.statSync(real).isDirectory()) throw new Fault('not-a-folder', { path: folder });
    return real;
  } catch (error) {
    throw faultFromSystem(error, folder, 'folder');
  }
}

/** Whether a folder of its own stands at a path. */
export function isFolder(disk: Disk, path: string): boolean {
  try {
    return disk.lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether a ledger is there, in real folders: asked of the disk each time, never remembered. */
export const hasLedger = (disk: Disk, root: string) =>
  isFolder(disk, join(root, vmarkName)) && isFolder(disk, join(root, vmarkName, 'ledger'));

/** Refuses a ledger that may be there and cannot be looked at: what is not known is not told as nothing. */
export function refuseUnseen(disk: Disk, root: string): void {
  try {
    disk.lstatSync(join(root, vmarkName, 'ledger'));
  } catch (error) {
    if (!isMissing(error)) throw faultFromSystem(error, vmarkName);
  }
}

/**
 * A path that somebody named, as a path inside the workspace with `/`: relative ones start at `from`. Refused are
 * names with NUL or newlines, everything outside (also by a link on the way), `.git/` and `.vmark/`.
 */
export function confine(disk: Disk, root: string, named: string, from: string = root): string {
  if (named === '' || /[\0\r\n]/u.test(named)) throw new Fault('path-invalid', { path: JSON.stringify(named) });
  const absolute = isAbsolute(named) ? resolve(named) : resolve(from, named);
  const real = join(parentOf(disk, absolute, named), absolute.slice(dirname(absolute).length));
  const inside = relative(root, real);
  if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside)) {
    throw new Fault('outside-workspace', { path: named });
  }
  const parts = inside.split(sep);
  if (parts.some((part) => ['.git', vmarkName].includes(part.toLowerCase()))) throw new Fault('path-invalid', { path: named });
  return spelledOnDisk(disk, root, parts).join('/');
}

function parentOf(disk: Disk, absolute: string, named: string): string {
  try {
    return realParent(disk, dirname(absolute));
  } catch (error) {
    throw faultFromSystem(error, named);
  }
}

/** A name that is there in another Unicode composition only is spelled as it is there. */
export function spelledOnDisk(disk: Disk, root: string, parts: readonly string[]): readonly string[] {
  if (parts.every((part) => /^[\x20-\x7e]*$/u.test(part)) || isThere(disk, join(root, ...parts))) return parts;
  const spelled: string[] = [];
  for (const part of parts) {
    const like = isThere(disk, join(root, ...spelled, part)) ? [] : namesLike(disk, join(root, ...spelled), part);
    spelled.push(like.length === 1 ? like[0]! : part);
  }
  return spelled;
}

function namesLike(disk: Disk, folder: string, name: string): string[] {
  try {
    return disk.readdirSync(folder).filter((other) => other.normalize('NFC') === name.normalize('NFC'));
  } catch {
    return [];
  }
}

function isThere(disk: Disk, path: string): boolean {
  try {
    disk.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a path that a ledger names stays inside the workspace by its words, and out of `.git/` and `.vmark/`. */
export function isInside(path: string): boolean {
  const parts = path.split('/');
  return path !== '' && !/[\0\r\n]/u.test(path) && !parts.some((part) => ['', '..', '.git', vmarkName].includes(part.toLowerCase()));
}

/** Whether a path that a ledger names leads into this workspace: not through links out of it, nor over the border of another one. */
export function staysInside(disk: Disk, root: string, path: string): boolean {
  if (!isInside(path)) return false;
  const folders = path.split('/').slice(0, -1);
  const real = relative(root, parentInside(disk, root, folders));
  if (real === '..' || real.startsWith(`..${sep}`) || isAbsolute(real)) return false;
  return !folders.some((_, depth) => isFolder(disk, join(root, ...folders.slice(0, depth + 1), vmarkName)));
}

/** What cannot be looked at is not inside. */
function parentInside(disk: Disk, root: string, folders: readonly string[]): string {
  try {
    return realParent(disk, join(root, ...folders));
  } catch {
    return dirname(root);
  }
}

/** The real path of a folder, as far as it exists: what is missing at its end is kept as it is. */
function realParent(disk: Disk, folder: string): string {
  try {
    return disk.realpathSync(folder);
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    return join(realParent(disk, dirname(folder)), folder.slice(dirname(folder).length));
  }
}
