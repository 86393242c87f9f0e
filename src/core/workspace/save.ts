import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readDocument } from '#core/document';
import { readIfThere } from '#core/storage/disk';
import { capture, type FileWrite, type Identified, identify, type PinnedInput, type Recorded, replaceFile } from '#core/workspace/capture';
import { versionsOf } from '#core/workspace/versions';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import type { Agent, Confidence, Intent } from '#kernel/body-transformation';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault, type FaultCode, type FaultDetail, faultFromSystem } from '#protocol';

/** SHA-256 in hex of a file's bytes: what an editor says it opened, and what a save is checked against. */
export const bytesHash = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

/** A save as an editor asks for it. `base` is the `bytesHash` of the file as it was opened, null for a new file. */
export interface SaveRequest {
  readonly path: string;
  /** The whole file as it shall be on disk: its own line endings, BOM and encoding are the caller's to keep. */
  readonly bytes: Buffer;
  readonly base: string | null;
  readonly inputs: readonly PinnedInput[];
  readonly agent: Agent;
  readonly intent: Intent;
  readonly confidence: Confidence;
  readonly idem?: Uuid;
}

/**
 * What became of a save. `conflict`: somebody else wrote the file since it was opened, and nothing was written. When
 * `saved`, the file holds `bytes` (with an identity block put in, where that is on), and `recorded` says whether the
 * ledger has it: an entry, nothing to record, or why not.
 */
export type SaveOutcome =
  | { readonly kind: 'conflict'; readonly bytes: Buffer | null }
  | { readonly kind: 'saved'; readonly bytes: Buffer; readonly base: string; readonly recorded: SaveRecord };

/** What the ledger has of a save. */
export type SaveRecord =
  | ({ readonly kind: 'recorded' } & Recorded)
  | { readonly kind: 'off' }
  | { readonly kind: 'failed'; readonly code: FaultCode; readonly message: string; readonly detail: FaultDetail };

/**
 * Saves a document: whole or not at all, byte for byte, with its mode and owner, and recorded where provenance is on
 * or the document is tracked (`spec/design.md` §3). The file is always written: a ledger that cannot be written makes
 * it *saved, not recorded*. The caller holds the lock where there is a ledger to write.
 */
export async function save(workspace: Workspace, request: SaveRequest): Promise<SaveOutcome> {
  const before = readBefore(workspace, request.path);
  const now = before === null ? null : bytesHash(before);
  if (now !== request.base) return { kind: 'conflict', bytes: before };
  const keep = before === null ? null : workspace.disk.statSync(join(workspace.root, request.path));
  const policy = policyOf(workspace);
  if (policy === 'nothing') return plainSave(workspace, request, request.bytes, keep, { kind: 'off' });
  let identified: Identified | null = null;
  try {
    await workspace.replica.refresh();
    identified = await identify(workspace, request.path, request.bytes, policy);
    if (identified === null) return plainSave(workspace, request, request.bytes, keep, { kind: 'off' });
    const held = workspace.last.held.get(identified.object);
    if (held !== undefined) throw new Fault('held-duplicate', { path: held[0]!, other: held[1]! });
    return await recordedSave(workspace, request, identified, before, keep);
  } catch (error) {
    return savedAnyway(workspace, request, identified?.bytes ?? request.bytes, keep, error);
  }
}

async function recordedSave(
  workspace: Workspace,
  request: SaveRequest,
  identified: Identified,
  before: Buffer | null,
  keep: FileWrite['keep'],
): Promise<SaveOutcome> {
  const parents = parentsOfBase(workspace, request.path, identified.object, before);
  const writing = { ...request, identified, ...(parents === null ? {} : { parents }) };
  const { bytes } = identified;
  const recorded = await capture(workspace, writing, { bytes, keep });
  return { kind: 'saved', bytes, base: bytesHash(bytes), recorded: { kind: 'recorded', ...recorded } };
}

/** The revision that the buffer descends from: that of the text it was opened with. Null where that text was never recorded. */
function parentsOfBase({ replica }: Workspace, path: string, object: Uuid, before: Buffer | null): readonly RevisionId[] | null {
  if (before === null) return null;
  const versions = versionsOf(replica.reading.graph, object, undefined);
  const opened = readDocument(before, path).contentHash;
  if (versions.working !== null && versions.contentOf(versions.working) === opened) return [versions.working];
  const known = versions.withContent(opened);
  return known === null ? null : [known];
}

function plainSave(workspace: Workspace, request: SaveRequest, bytes: Buffer, keep: FileWrite['keep'], recorded: SaveRecord): SaveOutcome {
  try {
    replaceFile(workspace, request.path, { bytes, keep });
  } catch (error) {
    throw faultFromSystem(error, request.path);
  }
  return { kind: 'saved', bytes, base: bytesHash(bytes), recorded };
}

/** The ledger could not take it. The file must hold the text all the same, unless that is what failed. */
function savedAnyway(workspace: Workspace, request: SaveRequest, bytes: Buffer, keep: FileWrite['keep'], error: unknown): SaveOutcome {
  const fault = faultFromSystem(error, '.vmark');
  if (fault.code === 'bug') throw error;
  const onDisk = readBefore(workspace, request.path);
  const failed: SaveRecord = { kind: 'failed', code: fault.code, message: fault.message, detail: fault.detail };
  if (onDisk?.equals(bytes)) return { kind: 'saved', bytes, base: bytesHash(bytes), recorded: failed };
  return plainSave(workspace, request, bytes, keep, failed);
}

function readBefore({ disk, root }: Workspace, path: string): Buffer | null {
  try {
    return readIfThere(disk, join(root, path));
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}

/** A save of nobody's but the writer's. */
export const byHand = {
  agent: { type: 'human', id: null },
  intent: { kind: 'editor-save', summary: 'saved', prompt_hash: null },
  confidence: 'exact',
  inputs: [],
} as const satisfies Pick<SaveRequest, 'agent' | 'intent' | 'confidence' | 'inputs'>;
