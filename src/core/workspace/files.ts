import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDocumentPath } from '#core/document';
import type { Disk } from '#core/storage/disk';
import { isBorder, isIgnored, isNameable, type Rules, skipped, withRules } from '#core/workspace/walk';
import type { FileEntry } from '#protocol/calls';

/** The most files that are listed; beyond them a tree is of no use to anybody. */
const filesLimit = 50_000;

/** How many folders are read before others have their turn. */
const turn = 64;

/**
 * Every file of a workspace that git would not ignore, sorted by path: what an explorer shows. The same folders are
 * left out as in `walkDocuments`. A link is listed where it leads to a file; links to folders are not followed. Folders with
 * nothing in them are added to `emptyFolders`.
 */
export async function listFiles(disk: Disk, root: string, emptyFolders: string[] = []): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  const folders: { path: string; outer: readonly Rules[] }[] = [{ path: '', outer: [] }];
  for (let read = 1, next = folders.pop(); next !== undefined && files.length < filesLimit; next = folders.pop(), read++) {
    const { path: folder, outer } = next;
    const entries = entriesOf(disk, join(root, folder));
    if (folder !== '' && isBorder(disk, root, folder, entries)) continue;
    if (folder !== '' && entries.length === 0 && emptyFolders.length < filesLimit) emptyFolders.push(folder);
    const rules = withRules(disk, root, folder, entries, outer) ?? outer;
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!isNameable(entry.name)) continue;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name.toLowerCase()) && !isIgnored(rules, `${path}/`)) folders.push({ path, outer: rules });
      } else if (isShown(disk, join(root, path), entry) && !isIgnored(rules, path)) {
        files.push({ path, document: isDocumentPath(path) });
      }
    }
    if (read % turn === 0) await setImmediate();
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, filesLimit);
}

function isShown(disk: Disk, place: string, entry: { name: string; isFile(): boolean; isSymbolicLink(): boolean }): boolean {
  if (entry.name.endsWith('.stemma-tmp')) return false;
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return disk.statSync(place).isFile();
  } catch {
    // It leads nowhere.
    return false;
  }
}

function entriesOf(disk: Disk, folder: string) {
  try {
    return disk.readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone since, or not for us to read: the rest of the tree is still worth showing.
    return [];
  }
}
