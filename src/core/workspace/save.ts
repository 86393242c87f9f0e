import { hash } from 'node:crypto';
import { join } from 'node:path';
import { isDocumentPath, readDocument } from '#core/document';
import { isLink } from '#core/storage/disk';
import { type Acceptance, authorshipOf, standing } from '#core/workspace/authorship';
import { capture, type Identified, identify, type PinnedInput } from '#core/workspace/capture';
import { readInTurns } from '#core/workspace/document-turns';
import type { Due } from '#core/workspace/dues';
import { replaceFile } from '#core/workspace/file-write';
import { parentsOfSave } from '#core/workspace/parents';
import { confine } from '#core/workspace/place';
import type { NewEntry } from '#core/workspace/recorder';
import { failureOf, readBefore, refuseHeldNow, type SaveRecord } from '#core/workspace/save-record';
import { scan } from '#core/workspace/scan';
import { isSettled, isUnseen, settleDues, standingIdem } from '#core/workspace/settling';
import { objectAt } from '#core/workspace/spelling';
import { finishStaged } from '#core/workspace/staging';
import { entryWithIdem, versionsOf } from '#core/workspace/versions';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import type { Agent, Confidence, Intent } from '#kernel/body-transformation';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';

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
  /** Autosave: the file is written now, and recorded later (`settleDues`). */
  readonly auto?: boolean;
  /** The text that the buffer descends from, where the writer has settled what another program wrote over it. */
  readonly descends?: ContentHash | null;
  /** Text of models that was accepted since the last save and still stands; what was said of it before counts no more. */
  readonly accepted?: readonly Acceptance[];
  /** Acceptances of earlier saves that were taken back since. */
  readonly undone?: readonly Uuid[];
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

/**
 * Saves a document: whole or not at all, byte for byte, with its mode and owner, and recorded where provenance is on
 * or the document is tracked (`spec/design.md` §3). The file is always written: a ledger that cannot be written makes
 * it *saved, not recorded*. The caller holds the lock where there is a ledger to write.
 */
export async function save(workspace: Workspace, asked: SaveRequest): Promise<SaveOutcome> {
  const path = confine(workspace.disk, workspace.root, asked.path);
  const request = { ...asked, path, idem: asked.idem ?? workspace.chance.newId(workspace.chance.now()) };
  const before = readBefore(workspace, path);
  if ((before === null ? null : bytesHash(before)) !== request.base) {
    return (await savedEarlier(workspace, request, before)) ?? { kind: 'conflict', bytes: before };
  }
  try {
    return await saveOver(workspace, request, before);
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'conflict-on-disk')) throw error;
    return { kind: 'conflict', bytes: readBefore(workspace, path) };
  }
}

/** A request with its path confined and its idem minted. */
interface Asked extends SaveRequest {
  readonly idem: Uuid;
}

async function saveOver(workspace: Workspace, request: Asked, before: Buffer | null): Promise<SaveOutcome> {
  let identified: Identified | null = null;
  let recorded: SaveRecord = { kind: 'off' };
  try {
    identified = await identifyTracked(workspace, request);
    if (identified !== null) return await trackedSave(workspace, request, identified, before);
  } catch (error) {
    recorded = failureOf(error);
  }
  const bytes = identified?.bytes ?? request.bytes;
  const isWritten = recorded.kind === 'failed' && identified !== null && readBefore(workspace, request.path)?.equals(bytes) === true;
  if (!isWritten) replaceFile(workspace, request.path, { bytes, before });
  if (recorded.kind === 'failed' && identified !== null && isByWriter(request) && recorded.code !== 'conflicted-copy')
    keepDue(workspace, request, identified, before);
  return savedAs(bytes, recorded);
}

const savedAs = (bytes: Buffer, recorded: SaveRecord): SaveOutcome => ({ kind: 'saved', bytes, base: bytesHash(bytes), recorded });

/** Null for what is not tracked: without a ledger or its setting, through a link, or of a kind that nobody asked to track. */
async function identifyTracked(workspace: Workspace, { path, bytes }: SaveRequest): Promise<Identified | null> {
  const { disk, root } = workspace;
  const policy = policyOf(workspace);
  if (policy === 'nothing' || isLink(disk, join(root, path))) return null;
  await workspace.recorder.catchUp('glance');
  if (!isDocumentPath(path) && objectAt(workspace, path) === null) return null;
  return identify(workspace, path, bytes, policy);
}

async function trackedSave(workspace: Workspace, request: Asked, identified: Identified, before: Buffer | null): Promise<SaveOutcome> {
  refuseHeldNow(workspace, request.path, identified.object);
  if (before !== null) await readInTurns(before, request.path);
  await finishStaged(workspace);
  const due = await dueUnder(workspace, request, before);
  // What nobody has recorded yet is not the writer's: it is made a version of its own before it is written over.
  if (due === null && isUnseen(workspace, request.path, identified.object, before)) await scan(workspace, { mode: 'append' });
  const over = { path: request.path, object: identified.object, before, due, descends: request.descends ?? null };
  const parents = parentsOfSave(workspace, over);
  const accepted = standing(due?.accepted ?? [], request.accepted ?? [], request.undone ?? []);
  const next = { path: request.path, hash: identified.document.contentHash, idems: [request.idem], parents, accepted };
  if (request.auto === true && writeDue(workspace, { ...next, previous: previousOf(workspace, due, before) }, due, identified, before)) {
    return savedAs(identified.bytes, { kind: 'due' });
  }
  // An entry of this idem ends the due, also where a crash keeps it from being removed.
  if (due !== null) workspace.dues.put({ ...due, idems: [...due.idems, request.idem] });
  const author = accepted.length === 0 ? request : authorshipOf(workspace, accepted, request.intent.summary);
  const writing = { ...request, ...partsOf(author), identified, parents };
  const recorded = await capture(workspace, writing, { bytes: identified.bytes, before });
  if (due !== null) workspace.dues.remove(due);
  return savedAs(identified.bytes, { kind: 'recorded', ...recorded });
}

const partsOf = ({ agent, intent, confidence, inputs }: Pick<SaveRequest, 'agent' | 'intent' | 'confidence' | 'inputs'>) => ({
  agent,
  intent,
  confidence,
  inputs,
});

/**
 * The due text that this save is written over and takes along. Any other due of this document is recorded by itself
 * first: one that somebody has written over, that is not of the same hand as this save, or that holds text of a model of
 * which this save tells nothing: it is another window's, or one's that died, and who saves now cannot know what of it was taken back.
 */
async function dueUnder(workspace: Workspace, request: Asked, before: Buffer | null): Promise<Due | null> {
  const due = workspace.dues.at(request.path);
  if (due === null) return null;
  if (isByWriter(request) && isToldOf(due, request) && !isSettled(workspace, due) && standingIdem(workspace, due, before) !== null)
    return due;
  const [settled] = await settleDues(workspace, { path: request.path });
  if (settled?.recorded.kind === 'failed') throw new Fault(settled.recorded.code, settled.recorded.detail as never);
  return null;
}

function isToldOf(due: Due, { accepted = [], undone = [] }: Asked): boolean {
  const told = new Set<string>([...accepted.map(({ id }) => id), ...undone]);
  return due.accepted.every(({ id }) => told.has(id));
}

const isByWriter = ({ agent, inputs }: SaveRequest) => agent.type === 'human' && inputs.length === 0;

function previousOf(workspace: Workspace, due: Due | null, before: Buffer | null): Due['previous'] {
  const idem = due === null ? null : standingIdem(workspace, due, before);
  return due === null || idem === null ? null : { hash: idem === due.previous?.idem ? due.previous.hash : due.hash, idem };
}

/** Writes the file of an autosave, and keeps in mind that it is ours; false where that cannot be kept, so that it is recorded at once. */
function writeDue(workspace: Workspace, next: Due, due: Due | null, identified: Identified, before: Buffer | null): boolean {
  const { dues } = workspace;
  try {
    dues.put(next);
  } catch {
    return false;
  }
  try {
    replaceFile(workspace, next.path, { bytes: identified.bytes, before });
  } catch (error) {
    if (due === null) dues.remove(next);
    else dues.put(due);
    throw error;
  }
  keepText(workspace, next, identified.bytes);
  return true;
}

/** What the ledger did not take is due: no scan shall call it somebody else's. */
function keepDue(workspace: Workspace, { path, idem, accepted = [] }: Asked, { bytes, document }: Identified, before: Buffer | null): void {
  const due = workspace.dues.at(path);
  if (due !== null && standingIdem(workspace, due, before) === null && due.hash !== document.contentHash) return;
  const kept: Due = { path, hash: document.contentHash, previous: null, idems: [idem], parents: due?.parents ?? null, accepted };
  try {
    workspace.dues.put(kept);
    keepText(workspace, kept, bytes);
  } catch {
    // Neither can be written: the next scan finds the text.
  }
}

function keepText({ dues }: Workspace, due: Due, bytes: Buffer): void {
  try {
    dues.written(due, bytes);
  } catch {
    // The file has the text; the copy only helps where another program writes over it.
  }
}

/**
 * A save whose reply was lost is asked for again: its entry is there under its idem, or is due, and the file has its
 * text. Null when that is not so.
 */
async function savedEarlier(workspace: Workspace, request: Asked, before: Buffer | null): Promise<SaveOutcome | null> {
  if (before === null) return null;
  const { contentHash } = readDocument(before, request.path);
  if (contentHash !== readDocument(request.bytes, request.path).contentHash) return null;
  if (before.equals(request.bytes) && policyOf(workspace) === 'nothing') return savedAs(before, { kind: 'off' });
  await workspace.replica.refresh();
  await finishStaged(workspace);
  const entry = entryWithIdem(workspace.replica.reading.graph, request.idem);
  if (entry === null && workspace.dues.at(request.path)?.idems.includes(request.idem) === true) return savedAs(before, { kind: 'due' });
  const object = readDocument(before, request.path).identity?.id ?? objectAt(workspace, request.path);
  if (entry === null || object === null) return null;
  const revision = versionsOf(workspace.replica.reading.graph, object as Uuid, undefined).withContent(contentHash);
  return revision === null ? null : savedAs(before, { kind: 'recorded', object: object as Uuid, revision, entry });
}
