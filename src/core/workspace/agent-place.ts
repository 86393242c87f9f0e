import { isUtf8 } from 'node:buffer';
import { join, posix, win32 } from 'node:path';
import { isDocumentPath } from '#core/document';
import { isLink } from '#core/storage/disk';
import { confine, staysInside } from '#core/workspace/place';
import type { Workspace } from '#core/workspace/workspace';
import { Fault, faultFromSystem } from '#protocol';
import { agentDocumentLimit } from '#protocol/agent-limit';

/**
 * A document that an agent names, as a path from the top of the workspace. Refused: absolute names, names with control characters or `\`,
 * what is outside (also by a link on the way), `.git/`, `.vmark/`, other workspaces, links, and what is no document.
 */
export function documentPlace(workspace: Workspace, named: string): string {
  const path = placeIn(workspace, named);
  if (!isDocumentPath(path)) throw new Fault('not-a-document', { path });
  return withoutLink(workspace, path);
}

/** A file of code that an agent names: any file, under the same rules otherwise. */
export function filePlace(workspace: Workspace, named: string): string {
  return withoutLink(workspace, placeIn(workspace, named));
}

function placeIn(workspace: Workspace, named: string): string {
  refuseName(named);
  const path = inside(workspace, named);
  if (!staysInside(workspace.disk, workspace.root, path)) throw new Fault('outside-workspace', { path: named });
  return path;
}

function withoutLink({ disk, root }: Workspace, path: string): string {
  if (isLink(disk, join(root, path))) throw new Fault('is-a-link', { path });
  return path;
}

/** A folder (or a document) that an agent names, ended with `/`; empty for the whole workspace. It need not be there. */
export function folderPlace(workspace: Workspace, named: string | null): string {
  if (named === null || /^\.?\/*$/u.test(named)) return '';
  refuseName(named);
  return `${inside(workspace, named.replace(/\/+$/u, ''))}/`;
}

function refuseName(named: string): void {
  if (posix.isAbsolute(named) || win32.isAbsolute(named)) throw new Fault('path-absolute', { path: shown(named) });
  // Systems drop dots and blanks at the end of a name, or what is not seen in it, or have short names: each would take one of these for `.git`.
  const isReserved = named.split('/').some((part) => /^(\.(git|vmark)[. ]*|(git|vmark)~\d+)$/iu.test(part.replaceAll(/\p{Cf}/gu, '')));
  // A direction that is forced lets a name look like another one.
  if (/[\p{Cc}\\\u202a-\u202e\u2066-\u2069]/u.test(named) || !named.isWellFormed() || isReserved)
    throw new Fault('path-invalid', { path: shown(named) });
}

const shown = (named: string) => JSON.stringify(named).slice(1, -1);

function inside({ disk, root }: Workspace, named: string): string {
  try {
    return confine(disk, root, named);
  } catch (error) {
    throw faultFromSystem(error, named);
  }
}

/** The bytes of a document for an agent: a regular file of UTF-8 within the limit; each else is a fault. */
export function readForAgent({ disk, root }: Workspace, path: string): Buffer {
  try {
    const stat = disk.lstatSync(join(root, path));
    if (stat.isDirectory()) throw new Fault('is-a-folder', { path });
    if (!stat.isFile()) throw new Fault('file-unreadable', { path });
    refuseLarge(path, stat.size);
    const bytes = disk.readFileSync(join(root, path)) as Buffer;
    refuseLarge(path, bytes.length);
    if (!isUtf8(bytes)) throw new Fault('not-text', { path });
    return bytes;
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}

/** What is larger than an agent may read or write is refused whole. */
export function refuseLarge(path: string, bytes: number): void {
  if (bytes > agentDocumentLimit) throw new Fault('file-too-large', { path, bytes, limit: agentDocumentLimit });
}
