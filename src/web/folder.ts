import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Fault, faultFromSystem } from '#protocol';
import type { FolderListing } from '#protocol/shell-calls';

/** The most folders that one listing names. */
const listingLimit = 2000;

/** The folders in a folder, for choosing a workspace; without a path those of the person's home. Hidden ones are left out. */
export async function listFolders(path: string | null): Promise<FolderListing> {
  const named = path ?? homedir();
  if (!isAbsolute(named) || named.includes('\0')) throw new Fault('path-invalid', { path: JSON.stringify(named) });
  try {
    const folder = await realpath(named);
    const entries = await readdir(folder, { withFileTypes: true });
    const shown = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
    const checked = await Promise.all(
      shown.map(async (entry) => (entry.isSymbolicLink() ? isFolder(join(folder, entry.name)) : entry.isDirectory())),
    );
    const folders = shown.filter((_, index) => checked[index]).map(({ name }) => name);
    const parent = dirname(folder);
    return {
      path: folder,
      parent: parent === folder ? null : parent,
      folders: folders.sort((a, b) => a.localeCompare(b)).slice(0, listingLimit),
      isWorkspace: await isFolder(join(folder, '.vmark')),
    };
  } catch (error) {
    throw faultFromSystem(error, named, 'folder');
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
