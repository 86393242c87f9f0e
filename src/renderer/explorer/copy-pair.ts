import { folderOf } from '#kernel/address';
import { originalOf } from '#kernel/conflicted-copy';

/** A conflicted copy of a sync client and the document that it is of, both there. */
export interface CopyPair {
  readonly copy: string;
  readonly of: string;
}

/** The pair that a document belongs to, as the copy or as what was copied; null: to none. */
export function copyPairOf(path: string, files: readonly { readonly path: string }[]): CopyPair | null {
  const of = originalOf(path);
  if (of !== null) return files.some((file) => file.path === of) ? { copy: path, of } : null;
  const folder = folderOf(path);
  const copy = files.find((file) => file.path.length > path.length && folderOf(file.path) === folder && originalOf(file.path) === path);
  return copy === undefined ? null : { copy: copy.path, of: path };
}
