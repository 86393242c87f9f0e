import { folderOf } from '#kernel/address';
import type { FileEntry } from '#protocol/calls';
import { allDocuments, treeOf } from '#renderer/explorer/tree.ts';

/** Documents in the order of the tree. */
export const inTreeOrder = (files: readonly FileEntry[], locale: string): readonly string[] => allDocuments(treeOf(files, locale));

/** What is put together at first: what was chosen here last, as far as it is there; else the documents of the folder of the one in front. */
export function firstChapters(documents: readonly string[], front: string | null, last: readonly string[]): readonly string[] {
  const known = new Set(documents);
  const kept = last.filter((path) => known.has(path));
  if (kept.length > 1) return kept;
  return documents.filter((path) => front !== null && folderOf(path) === folderOf(front));
}

/** The documents that a writer means by a path: the one of that name, or all in a folder (`part one/`). Those that are chosen already are left out. */
export function documentsAt(documents: readonly string[], typed: string, chosen: readonly string[]): readonly string[] {
  const wanted = typed.trim().replace(/^\/+/u, '');
  if (wanted === '') return [];
  const folder = wanted.endsWith('/') ? wanted : `${wanted}/`;
  return documents.filter((path) => (path === wanted || path.startsWith(folder)) && !chosen.includes(path));
}

/** A list with one of its items a place further up (-1) or down (1); as it was at its ends. */
export function shifted<Item>(items: readonly Item[], at: number, by: -1 | 1): readonly Item[] {
  const item = items[at];
  const other = items[at + by];
  if (item === undefined || other === undefined) return items;
  return items.map((one, index) => (index === at ? other : index === at + by ? item : one));
}

const keyOf = (root: string) => `stemma.chapters ${root}`;

/** The documents that were put together last in a workspace; for this browser or program. */
export function lastChapters(root: string, storage: Pick<Storage, 'getItem'> = localStorage): readonly string[] {
  return (storage.getItem(keyOf(root)) ?? '').split('\n').filter(Boolean);
}

/** Keeps them. */
export function rememberChapters(root: string, paths: readonly string[], storage: Pick<Storage, 'setItem'> = localStorage): void {
  storage.setItem(keyOf(root), paths.join('\n'));
}
