import type { FileEntry } from '#protocol/calls';

/** A folder or a file of the tree; its `id`, by which lists know it, is its path. `document`: one of ours, and not only a file beside them. */
export type Branch =
  | { readonly kind: 'folder'; readonly id: string; readonly path: string; readonly name: string; readonly children: readonly Branch[] }
  | { readonly kind: 'file'; readonly id: string; readonly path: string; readonly name: string; readonly document: boolean };

interface Growing {
  readonly folders: Map<string, Growing>;
  readonly files: FileEntry[];
}

const grow = (): Growing => ({ folders: new Map(), files: [] });

/** The tree of a workspace's files and empty folders: folders first, then files, both by name as people sort (`2` before `10`). */
export function treeOf(files: readonly FileEntry[], locale: string, emptyFolders: readonly string[] = []): readonly Branch[] {
  const top = grow();
  const folderAt = (names: readonly string[]) => {
    let folder = top;
    for (const name of names) {
      const next = folder.folders.get(name) ?? grow();
      folder.folders.set(name, next);
      folder = next;
    }
    return folder;
  };
  for (const file of files) folderAt(file.path.split('/').slice(0, -1)).files.push(file);
  for (const path of emptyFolders) folderAt(path.split('/'));
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return branches(top, '', compare);
}

function branches(folder: Growing, prefix: string, compare: (a: string, b: string) => number): Branch[] {
  const byName = (a: Branch, b: Branch) => compare(a.name, b.name);
  const folders = [...folder.folders].map(
    ([name, inner]): Branch => ({
      kind: 'folder',
      id: prefix + name,
      path: prefix + name,
      name,
      children: branches(inner, `${prefix}${name}/`, compare),
    }),
  );
  const files = folder.files.map(
    ({ path, document }): Branch => ({ kind: 'file', id: path, path, name: path.slice(prefix.length), document }),
  );
  return [...folders.sort(byName), ...files.sort(byName)];
}

/** At which of the rows that are seen a path stands, from 0, where the folders of `shown` are open; null: at none. */
export function rowOf(tree: readonly Branch[], shown: ReadonlySet<string>, path: string): number | null {
  let row = 0;
  const find = (branches: readonly Branch[]): boolean => {
    for (const branch of branches) {
      if (branch.path === path) return true;
      row++;
      if (branch.kind === 'folder' && shown.has(branch.path) && find(branch.children)) return true;
    }
    return false;
  };
  return find(tree) ? row : null;
}

/** The files whose path holds every word of a filter, without regard to case and accents. */
export function filteredFiles(files: readonly FileEntry[], filter: string): readonly FileEntry[] {
  const wanted = folded(filter).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return files;
  return files.filter(({ path }) => {
    const name = folded(path);
    return wanted.every((word) => name.includes(word));
  });
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The folders that a path lies in, the outermost first. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** The folders of a tree, with those in them. */
export const allFolders = (tree: readonly Branch[]): string[] =>
  tree.flatMap((branch) => (branch.kind === 'folder' ? [branch.path, ...allFolders(branch.children)] : []));

/** The documents of a tree, in its order. */
export const allDocuments = (tree: readonly Branch[]): string[] =>
  tree.flatMap((branch) => (branch.kind === 'folder' ? allDocuments(branch.children) : branch.document ? [branch.path] : []));
