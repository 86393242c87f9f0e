import { readDocument } from '#core/document';
import { versionAt } from '#core/workspace/history';
import { asFileOf } from '#core/workspace/manner';
import { confine } from '#core/workspace/place';
import { refuseLink } from '#core/workspace/record';
import { type SaveOutcome, save } from '#core/workspace/save';
import { readBefore } from '#core/workspace/save-record';
import { settleDues } from '#core/workspace/settling';
import { objectAt } from '#core/workspace/spelling';
import type { Workspace } from '#core/workspace/workspace';
import type { Identity } from '#kernel/identity';
import type { Uuid } from '#kernel/uuid';

/** Asks for an earlier version of a document. `revision` is what a person types or a whole name; `base` names the file as it was seen, null for one that is gone. */
export interface RestoreRequest {
  readonly path: string;
  readonly revision: string;
  readonly base: string | null;
  readonly idem?: Uuid;
}

/**
 * Puts an earlier version back into its file, as that is written: its own block, line endings and byte order mark
 * (`spec/format.md` §4). Refused where the snapshot is missing or damaged; a file that is not as it was seen is a
 * `conflict`. The caller holds the lock.
 */
export async function restore(workspace: Workspace, asked: RestoreRequest): Promise<SaveOutcome> {
  const path = confine(workspace.disk, workspace.root, asked.path);
  refuseLink(workspace, path);
  await workspace.recorder.catchUp('glance');
  const before = readBefore(workspace, path);
  const version = versionAt(workspace, path, asked.revision);
  // What autosave left due was on disk and is a version of its own; what is put back is not made from it.
  await settleDues(workspace, { path });
  const bytes = version.binary ? version.bytes : await asFile(workspace, path, before, version.bytes);
  const summary = `restored ${version.label ?? ''} ${version.revision ?? ''}`.replace(/\s+/gu, ' ').trim();
  const intent = { kind: 'restore', summary, prompt_hash: null };
  const request = { path, bytes, base: asked.base, inputs: [], agent: { type: 'human' as const, id: null }, intent };
  return save(workspace, { ...request, confidence: 'exact', ...(asked.idem === undefined ? {} : { idem: asked.idem }) });
}

/** The bytes of a stored text in the manner of the file that it is for. */
export async function asFile(workspace: Workspace, path: string, before: Buffer | null, masked: Buffer): Promise<Buffer> {
  const document = before === null ? null : readDocument(before, path);
  const identity = document === null ? registered(workspace, path) : document.identity;
  return Buffer.from(await asFileOf(document?.text ?? null, masked.toString('utf8'), identity), 'utf8');
}

/** The identity of a document whose file is gone; one that was tracked by its path had no block. */
function registered(workspace: Workspace, path: string): Identity | null {
  const { facts } = workspace.replica.reading;
  const id = objectAt(workspace, path);
  return id === null ? null : { id, schema: facts.registrations.get(id)?.value.schema ?? null };
}
