import { isDocumentPath } from '#core/document';
import type { LinkEdit } from '#core/links/edit';
import { findLinks, type Link } from '#core/links/link-finder';
import { nameOf, resolveAddress, rewriteAddress, type WikiNames, wikiNames } from '#kernel/address';

/** The links of one document that must change; `path` is where the document is after the move. */
export interface DocumentEdits {
  readonly before: string;
  readonly path: string;
  readonly edits: readonly LinkEdit[];
}

/** Files that are to be moved or renamed, old path to new, and all files of the workspace as they are now. */
export interface Moving {
  readonly files: readonly string[];
  readonly moves: ReadonlyMap<string, string>;
  /** The text of a document; null for what cannot be read, which is left alone. */
  readonly read: (path: string) => string | null;
}

/**
 * The links that must be written anew so that each leads, after the moves, to the file it led to before. Links that
 * lead nowhere now, and those that lead right as they are, stay as they are.
 */
export function planMoves({ files, moves, read }: Moving): DocumentEdits[] {
  const plan = linkPlanner(files, moves);
  return files.flatMap((path) => {
    const text = isDocumentPath(path) ? read(path) : null;
    const planned = text === null ? null : plan(path, text);
    return planned === null ? [] : [planned];
  });
}

/** As `planMoves`, one document at a time: the answer takes a path and its text, and gives null where nothing must change. */
export function linkPlanner(files: readonly string[], moves: ReadonlyMap<string, string>) {
  const pathAfter = (path: string) => moves.get(path) ?? path;
  const known = new Set(files);
  const names = { before: wikiNames(files), after: wikiNames(files.map(pathAfter)) };
  const moved = [...moves.keys()].map((path) => wordOf(nameOf(path)));
  return (before: string, text: string): DocumentEdits | null => {
    if (!(moves.has(before) || mentionsAny(text, moved) || text.includes('[['))) return null;
    const path = pathAfter(before);
    const edits = findLinks(text).flatMap((link) => editOf(text, link, { before, path, known, pathAfter, names }));
    return edits.length > 0 ? { before, path, edits } : null;
  };
}

interface Surroundings {
  readonly before: string;
  readonly path: string;
  readonly known: ReadonlySet<string>;
  readonly pathAfter: (path: string) => string;
  readonly names: { readonly before: WikiNames; readonly after: WikiNames };
}

function editOf(text: string, link: Link, around: Surroundings): LinkEdit[] {
  if (link.whole !== null) return wikiEdit(text, link, link.whole, around);
  const insert = addressAfter(link.address, around);
  return insert === null || insert === link.address ? [] : [{ start: link.start, end: link.end, insert }];
}

function addressAfter(address: string, { before, path, known, pathAfter }: Surroundings): string | null {
  const target = resolveAddress(address, before);
  // A bare `#heading` goes with its document.
  if (target === null || !known.has(target.path) || (target.path === before && resolveAddress(address, path)?.path === path)) return null;
  const to = pathAfter(target.path);
  return resolveAddress(address, path)?.path === to ? null : rewriteAddress(address, path, to);
}

function wikiEdit(text: string, link: Link, whole: { start: number; end: number }, { before, path, pathAfter, names }: Surroundings) {
  const target = names.before.find(link.address, before);
  if (target === null) return [];
  const to = pathAfter(target);
  if (names.after.find(link.address, path) === to) return [];
  const name = names.after.rename(link.address, path, to);
  if (!/[#|[\]]/u.test(name)) return [{ start: link.start, end: link.end, insert: name }];
  // No wikilink can name it.
  const [heading = '', words = ''] = text.slice(link.end, whole.end - 2).split('|');
  const label = words || `${link.address}${heading}`.replace(/\\$/u, '');
  return [{ ...whole, insert: `[${label}](${rewriteAddress(`x${encodeURI(heading.replace(/\\$/u, ''))}`, path, to)})` }];
}

/** The longest stretch of a name that stands in a text as it is, however the name is encoded there. */
export function wordOf(name: string): string {
  const words = name.match(/[a-z0-9]+/giu) ?? [];
  return words.sort((a, b) => b.length - a.length)[0] ?? '';
}

/** Whether a text may lead to one of these; what is percent-encoded is not read for it. */
export const mentionsAny = (text: string, words: readonly string[]) => text.includes('%') || words.some((word) => text.includes(word));
