import { join } from 'node:path';
import { readDocument } from '#core/document';
import { isLink, readIfThere } from '#core/storage/disk';
import type { Recorded } from '#core/workspace/capture';
import { staysInside, vmarkName } from '#core/workspace/place';
import { readPosition } from '#core/workspace/position';
import { isOther } from '#core/workspace/spelling';
import { notLooked, type Workspace } from '#core/workspace/workspace';
import { copyNameOf } from '#kernel/conflicted-copy';
import type { Uuid } from '#kernel/uuid';
import { Fault, type FaultCode, type FaultDetail, faultFromSystem } from '#protocol';

/** What the ledger has of a save. `due`: autosave wrote the file, and it is recorded later. */
export type SaveRecord =
  | ({ readonly kind: 'recorded' } & Recorded)
  | { readonly kind: 'off' | 'due' }
  | { readonly kind: 'failed'; readonly code: FaultCode; readonly message: string; readonly detail: FaultDetail };

/** The ledger could not take it, whoever is to blame: the text of the writer is saved all the same, and that is said. */
export function failureOf(error: unknown): SaveRecord {
  const { code, message, detail } = faultFromSystem(error, vmarkName);
  return { kind: 'failed', code, message, detail };
}

/**
 * Refuses an object whose id stands in another file too, as far as it still does: in one that the last scan found or,
 * before this process has looked, one that is known otherwise. Only those files are read.
 */
export function refuseHeldNow(workspace: Workspace, path: string, object: Uuid): void {
  const { disk, root, last } = workspace;
  const registered = workspace.replica.reading.facts.pathOf(object);
  const found = last.held === notLooked ? pathsKnown(workspace, object) : (last.held.get(object) ?? []);
  const others = [...found, ...(registered === null ? [] : [registered])];
  const other = others.find((one) => one !== path && idAt(workspace, one) === object && isOther(disk, root, one, path));
  if (other === undefined) return;
  if (copyNameOf(path) === 'client') throw new Fault('conflicted-copy', { path, other });
  if (copyNameOf(other) !== 'client') throw new Fault('held-duplicate', { path, other });
}

/** Where the id of a document may stand, too: where another program found it, a copy that a ledger notes, a path that it had. */
function pathsKnown(workspace: Workspace, object: Uuid): readonly string[] {
  const { facts } = workspace.replica.reading;
  const noted = [...facts.diagnostics.values()].flatMap(({ value }) => (value.code === 'duplicate-id' ? [value.path ?? ''] : []));
  return [...(readPosition(workspace).held?.[object] ?? []), ...noted, ...facts.pathsOwnedBy(object)];
}

function idAt(workspace: Workspace, path: string): Uuid | null {
  if (!staysInside(workspace.disk, workspace.root, path) || isLink(workspace.disk, join(workspace.root, path))) return null;
  const bytes = readBefore(workspace, path);
  return bytes === null ? null : (readDocument(bytes, path).identity?.id ?? null);
}

/** The bytes of a file before it is written, null where there is none. */
export function readBefore({ disk, root }: Workspace, path: string): Buffer | null {
  try {
    return readIfThere(disk, join(root, path));
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}
