import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Disk, isMissing, makeFolder, removeIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';

/** Where something went that was thrown away: a path in the trash and the note beside it; null where the system does not say. */
export type TrashedAs = { readonly path: string; readonly info: string | null } | null;

/** Puts one file or folder, by its full path, into the system's trash; rejects where that cannot be. */
export type Trash = (place: string) => Promise<TrashedAs>;

/** The trash of the system. */
export const systemTrash: Trash = async (place) => {
  const { default: trash } = await import('trash');
  const answer: unknown = await trash(place, { glob: false });
  const [first] = Array.isArray(answer) ? (answer as { path?: unknown; info?: unknown }[]) : [];
  return typeof first?.path === 'string' ? { path: first.path, info: typeof first.info === 'string' ? first.info : null } : null;
};

/** Files and folders as they were, for bringing them back: paths from where they stood, folders without bytes. */
export interface KeptEntry {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer | null;
}

/** The most that is kept of what is thrown away, in bytes. */
const most = 32 * 1024 * 1024;

/** Keeps what stands at `place`; null where that is too much, cannot be read, or holds what is neither file nor folder. */
export function keepEntries(place: string): KeptEntry[] | null {
  const kept: KeptEntry[] = [];
  let bytes = 0;
  const keep = (path: string): boolean => {
    const stat = lstatSync(join(place, path));
    if (stat.isDirectory()) {
      kept.push({ path, mode: stat.mode & 0o7777, bytes: null });
      return readdirSync(join(place, path)).every((name) => keep(join(path, name)));
    }
    bytes += stat.size;
    if (!stat.isFile() || bytes > most) return false;
    kept.push({ path, mode: stat.mode & 0o7777, bytes: readFileSync(join(place, path)) });
    return true;
  };
  try {
    return keep('') ? kept : null;
  } catch {
    return null;
  }
}

/** Puts kept files and folders back at `place`, where nothing may stand. */
export function restoreEntries(disk: Disk, place: string, kept: readonly KeptEntry[], token: string): void {
  for (const { path, mode, bytes } of kept) {
    const target = join(place, path);
    if (bytes === null) makeFolder(disk, target);
    else {
      writeAtomic(disk, target, bytes, `${target}.${token}.stemma-tmp`);
      disk.chmodSync(target, mode);
    }
  }
}

/** Takes something out of the trash again; answers false where it is not there any more, or on another disk. */
export function takeOut(disk: Disk, trashed: TrashedAs, place: string): boolean {
  if (trashed === null) return false;
  try {
    disk.renameSync(trashed.path, place);
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EXDEV') return false;
    throw error;
  }
  if (trashed.info !== null) removeIfThere(disk, trashed.info);
  return true;
}

/** Removes a file, or a folder with all that is in it; links are removed and not followed. */
export function removeForever(disk: Disk, place: string): void {
  if (disk.lstatSync(place).isDirectory()) {
    for (const name of disk.readdirSync(place)) removeForever(disk, join(place, name));
    disk.rmdirSync(place);
  } else disk.unlinkSync(place);
}
