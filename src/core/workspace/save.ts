import { hash } from 'node:crypto';
import { join } from 'node:path';
import { isDocumentPath, readDocument } from '#core/document';
import { isLink, readIfThere } from '#core/storage/disk';
import { capture, type Identified, identify, type PinnedInput, type Recorded, replaceFile } from '#core/workspace/capture';
import { readInTurns } from '#core/workspace/document-turns';
import { confine, staysInside, vmarkName } from '#core/workspace/place';
import type { NewEntry } from '#core/workspace/recorder';
import { scan } from '#core/workspace/scan';
import { finishStaged } from '#core/workspace/staging';
import { entryWithIdem, versionsOf } from '#core/workspace/versions';
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
  /** Entries that the inputs need, recorded with the save or not at all. */
  readonly needs?: readonly NewEntry[];
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
export async function save(workspace: Workspace, asked: SaveRequest): Promise<SaveOutcome> {
  const request = { ...asked, path: confine(workspace.disk, workspace.root, asked.path) };
  const before = readBefore(workspace, request.path);
  if ((before === null ? null : bytesHash(before)) !== request.base) {
    return (await savedEarlier(workspace, request, before)) ?? { kind: 'conflict', bytes: before };
  }
  try {
    return await saveOver(workspace, request, before);
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'conflict-on-disk')) throw error;
    return { kind: 'conflict', bytes: readBefore(workspace, request.path) };
  }
}

async function saveOver(workspace: Workspace, request: SaveRequest, before: Buffer | null): Promise<SaveOutcome> {
  let identified: Identified | null = null;
  let recorded: SaveRecord = { kind: 'off' };
  try {
    identified = await identifyTracked(workspace, request);
    if (identified !== null) return await recordedSave(workspace, request, identified, before);
  } catch (error) {
    recorded = failureOf(error);
    const now = readBefore(workspace, request.path);
    if (identified !== null && now?.equals(identified.bytes)) return savedAs(identified.bytes, recorded);
  }
  const bytes = identified?.bytes ?? request.bytes;
  replaceFile(workspace, request.path, { bytes, before });
  return savedAs(bytes, recorded);
}

const savedAs = (bytes: Buffer, recorded: SaveRecord): SaveOutcome => ({ kind: 'saved', bytes, base: bytesHash(bytes), recorded });

/** The ledger could not take it, whoever is to blame: the text of the writer is saved all the same, and that is said. */
function failureOf(error: unknown): SaveRecord {
  const { code, message, detail } = faultFromSystem(error, vmarkName);
  return { kind: 'failed', code, message, detail };
}

/** Null for what is not tracked: without a ledger or its setting, through a link, or of a kind that nobody asked to track. */
async function identifyTracked(workspace: Workspace, { path, bytes }: SaveRequest): Promise<Identified | null> {
  const { disk, root, replica } = workspace;
  const policy = policyOf(workspace);
  if (policy === 'nothing' || isLink(disk, join(root, path))) return null;
  await replica.refresh();
  if (!isDocumentPath(path) && replica.reading.facts.objectAt(path) === null) return null;
  return identify(workspace, path, bytes, policy);
}

async function recordedSave(
  workspace: Workspace,
  request: SaveRequest,
  identified: Identified,
  before: Buffer | null,
): Promise<SaveOutcome> {
  refuseHeldNow(workspace, request.path, identified.object);
  if (before !== null) await readInTurns(before, request.path);
  await finishStaged(workspace);
  // What nobody has recorded yet is not the writer's: it is made a version of its own before it is written over.
  if (isUnseen(workspace, request.path, identified.object, before)) await scan(workspace, { mode: 'append' });
  const parents = parentsOfBase(workspace, request.path, identified.object, before);
  const writing = { ...request, identified, ...(parents === null ? {} : { parents }) };
  const recorded = await capture(workspace, writing, { bytes: identified.bytes, before });
  return savedAs(identified.bytes, { kind: 'recorded', ...recorded });
}

/** What the last scan found of an object, or the ledger says of its place, as far as it still stands in the files. */
function refuseHeldNow(workspace: Workspace, path: string, object: Uuid): void {
  const registered = workspace.replica.reading.facts.pathOf(object);
  const others = [...(workspace.last.held.get(object) ?? []), ...(registered === null ? [] : [registered])];
  const other = others.find((candidate) => candidate !== path && idAt(workspace, candidate) === object);
  if (other !== undefined) throw new Fault('held-duplicate', { path, other });
}

function idAt(workspace: Workspace, path: string): Uuid | null {
  if (!staysInside(workspace.disk, workspace.root, path) || isLink(workspace.disk, join(workspace.root, path))) return null;
  const bytes = readBefore(workspace, path);
  return bytes === null ? null : (readDocument(bytes, path).identity?.id ?? null);
}

function isUnseen({ replica }: Workspace, path: string, object: Uuid, before: Buffer | null): boolean {
  if (before === null) return false;
  const versions = versionsOf(replica.reading.graph, object, undefined);
  return versions.heads.length > 0 && versions.withContent(readDocument(before, path).contentHash) === null;
}

/**
 * A save whose reply was lost is asked for again: its entry is there under its idem, and the file has its text. Null
 * when that is not so.
 */
async function savedEarlier(workspace: Workspace, request: SaveRequest, before: Buffer | null): Promise<SaveOutcome | null> {
  if (before === null) return null;
  const { contentHash } = readDocument(before, request.path);
  if (contentHash !== readDocument(request.bytes, request.path).contentHash) return null;
  if (before.equals(request.bytes) && policyOf(workspace) === 'nothing') return savedAs(before, { kind: 'off' });
  if (request.idem === undefined) return null;
  await workspace.replica.refresh();
  await finishStaged(workspace);
  const entry = entryWithIdem(workspace.replica.reading.graph, request.idem);
  const object = readDocument(before, request.path).identity?.id ?? workspace.replica.reading.facts.objectAt(request.path);
  if (entry === null || object === null) return null;
  const revision = versionsOf(workspace.replica.reading.graph, object as Uuid, undefined).withContent(contentHash);
  return revision === null ? null : savedAs(before, { kind: 'recorded', object: object as Uuid, revision, entry });
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
