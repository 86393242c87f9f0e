import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeForever } from '#core/acts/trash';
import { type Home, workspaceKey } from '#core/home';
import type { Disk } from '#core/storage/disk';
import { faultFromSystem } from '#protocol';
import type { AppDataPart } from '#protocol/app-data-calls';
import { appDataParts } from '#protocol/app-data-part';

/** What the app data has of a workspace, how large it is, and how it is deleted. */
export interface AppData {
  sizes(): readonly AppDataPart[];
  delete(part: 'history' | 'search'): Promise<void>;
}

/** Opens the app data of the workspace at `root`. `release` gives the files of a part back, before they are deleted. */
export function openAppData(disk: Disk, home: Home, root: string, release: (part: 'history' | 'search') => Promise<void>): AppData {
  const key = workspaceKey(root);
  const placesOf = (part: AppDataPart['part']) => {
    const folder = join(home.folder, part);
    // An index may have files of SQLite beside it.
    const own = namesIn(folder).filter((name) => name === key || name.startsWith(`${key}.`));
    return { folder, own: own.map((name) => join(folder, name)) };
  };
  return {
    sizes: () =>
      appDataParts.map((part) => {
        const { folder, own } = placesOf(part);
        return { part, folder, here: own.reduce((sum, place) => sum + sizeOf(place), 0), all: sizeOf(folder) };
      }),
    async delete(part) {
      await release(part);
      try {
        for (const place of placesOf(part).own) removeForever(disk, place);
      } catch (error) {
        throw faultFromSystem(error, part);
      }
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The bytes of a file, or of everything in a folder; what is not there has none. */
function sizeOf(place: string): number {
  try {
    const stat = lstatSync(place);
    return stat.isDirectory() ? readdirSync(place).reduce((sum, name) => sum + sizeOf(join(place, name)), 0) : stat.size;
  } catch {
    return 0;
  }
}
