import { join } from 'node:path';
import { readDocument } from '#core/document';
import { isLink, readIfThere } from '#core/storage/disk';
import { authorshipOf } from '#core/workspace/authorship';
import { capture, type Identified, identify, imagine, type Writing } from '#core/workspace/capture';
import type { Due } from '#core/workspace/dues';
import { staysInside } from '#core/workspace/place';
import { readPosition } from '#core/workspace/position';
import { failureOf, refuseHeldNow, type SaveRecord } from '#core/workspace/save-record';
import { finishStaged } from '#core/workspace/staging';
import { entryWithIdem, versionsOf } from '#core/workspace/versions';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** A due text that was recorded now, or why it still is not. */
export interface SettledDue {
  readonly path: string;
  readonly recorded: SaveRecord;
}

/** Which dues: all, those over whose text another program has written, or that of one document. */
export type WhichDues = 'all' | 'overwritten' | { readonly path: string };

/** The text of a due, as it stands in its file or was written there, and the idem of the save that it is of. */
interface DueText {
  readonly bytes: Buffer;
  readonly idem: Uuid;
}

/** How a summary tells a save by itself from one by hand. */
const byItself = 'saved by itself';

/**
 * Records what autosave left due (`spec/format.md` §6): each text as a save of the writer's, onto what the first of its
 * saves was written over, also where another program has written over it since. What cannot be recorded stays due. The
 * caller holds the lock.
 */
export async function settleDues(workspace: Workspace, which: WhichDues): Promise<SettledDue[]> {
  const dues = typeof which === 'object' ? [workspace.dues.at(which.path) ?? []].flat() : workspace.dues.all();
  const chosen = which === 'overwritten' ? dues.filter((due) => !isStanding(workspace, due)) : dues;
  if (chosen.length === 0) return [];
  await workspace.recorder.catchUp('glance');
  await finishStaged(workspace);
  const settled: SettledDue[] = [];
  for (const due of chosen) {
    const recorded = await settleDue(workspace, due).catch(failureOf);
    if (recorded !== null) settled.push({ path: due.path, recorded });
  }
  for (const one of settled) for (const listener of workspace.settled) listener(one);
  return settled;
}

/** Null where there was nothing to record after all. */
async function settleDue(workspace: Workspace, due: Due): Promise<SaveRecord | null> {
  const writing = isSettled(workspace, due) ? null : await writingOf(workspace, due);
  if (writing === null) {
    workspace.dues.remove(due);
    return null;
  }
  refuseHeldNow(workspace, writing.path, writing.identified.object);
  const recorded = await capture(workspace, writing, null);
  workspace.dues.remove(due);
  return { kind: 'recorded', ...recorded };
}

/** A crash may have come between the entry and the end of its due. */
export function isSettled({ replica }: Workspace, due: Due): boolean {
  return due.idems.some((idem) => entryWithIdem(replica.reading.graph, idem) !== null);
}

/** The write that a due stands for; null where its file was never written, or nothing may be recorded here any more. */
async function writingOf(workspace: Workspace, due: Due): Promise<Writing | null> {
  const text = textOf(workspace, due);
  const identified = text === null ? null : await identifyAsWritten(workspace, due.path, text.bytes);
  if (text === null || identified === null) return null;
  const { parents } = due;
  // Where its file holds something else by now, the path is not its own to take.
  const path = isStanding(workspace, due) ? due.path : (workspace.replica.reading.facts.pathOf(identified.object) ?? due.path);
  const writing = { path, identified, ...authorshipOf(workspace, due.accepted, byItself), idem: text.idem };
  return parents === null ? writing : { ...writing, parents };
}

/** Whether a file holds the text of its due, so that nobody has written over it. */
export function isStanding(workspace: Workspace, due: Due, bytes: Buffer | null = bytesAt(workspace, due.path)): boolean {
  return standingIdem(workspace, due, bytes) !== null;
}

/** The idem of the save whose text a file holds: the last one's, or that of the one before where the last never came to the file. */
export function standingIdem({ dues }: Workspace, due: Due, bytes: Buffer | null): Uuid | null {
  const content = bytes === null ? null : readDocument(bytes, due.path).contentHash;
  if (content === due.hash) return due.idems[0]!;
  return content !== null && content === due.previous?.hash && dues.text(due, due.hash) === null ? due.previous.idem : null;
}

function textOf(workspace: Workspace, due: Due): DueText | null {
  const onDisk = bytesAt(workspace, due.path);
  const idem = standingIdem(workspace, due, onDisk);
  if (onDisk !== null && idem !== null) return { bytes: onDisk, idem };
  for (const save of [{ hash: due.hash, idem: due.idems[0]! }, due.previous]) {
    const bytes = save === null ? null : textKept(workspace, due, save.hash);
    if (save !== null && bytes !== null) return { bytes, idem: save.idem };
  }
  return null;
}

function textKept({ dues }: Workspace, due: Due, content: ContentHash): Buffer | null {
  const bytes = dues.text(due, content);
  return bytes !== null && readDocument(bytes, due.path).contentHash === content ? bytes : null;
}

/** Autosave has stamped what could be stamped; nothing is written now. */
async function identifyAsWritten(workspace: Workspace, path: string, bytes: Buffer): Promise<Identified | null> {
  const policy = policyOf(workspace);
  if (policy === 'nothing') return null;
  const identified = await identify(workspace, path, bytes, policy);
  return identified?.isStamped ? { ...identified, bytes, document: readDocument(bytes, path), isStamped: false } : identified;
}

function bytesAt({ disk, root }: Workspace, path: string): Buffer | null {
  if (!staysInside(disk, root, path) || isLink(disk, join(root, path))) return null;
  try {
    return readIfThere(disk, join(root, path));
  } catch {
    return null;
  }
}

/** Whether the text of a file is known to nobody: neither a recorded version nor one that is due. */
export function isUnseen(workspace: Workspace, path: string, object: Uuid, before: Buffer | null): boolean {
  if (before === null) return false;
  const versions = versionsOf(workspace.replica.reading.graph, object, undefined);
  return versions.heads.length > 0 && versions.withContent(readDocument(before, path).contentHash) === null;
}

/**
 * Autosaved texts are recorded before a scan that the writer asked for. Nobody asked for a `notice`, which comes after
 * each of them: it leaves those alone that stand in their files (their paths are answered), and after a move of HEAD
 * all.
 */
export async function takeDues(
  workspace: Workspace,
  mode: 'append' | 'notice' | 'foresee',
  dues: readonly Due[],
): Promise<ReadonlySet<string>> {
  if (dues.length === 0) return new Set();
  if (mode === 'foresee') await foreseeDues(workspace, dues);
  if (mode === 'append') await settleDues(workspace, 'all');
  const position = readPosition(workspace);
  const isMoved = workspace.git !== null && position.git !== null && position.stamp !== workspace.git.headMoved();
  if (mode === 'notice' && !isMoved) await settleDues(workspace, 'overwritten');
  return new Set(mode === 'foresee' ? [] : workspace.dues.all().map(({ path }) => path));
}

async function foreseeDues(workspace: Workspace, dues: readonly Due[]): Promise<void> {
  for (const due of dues) {
    const writing = isSettled(workspace, due) ? null : await writingOf(workspace, due);
    if (writing !== null && !workspace.last.held.has(writing.identified.object)) workspace.recorder.foresee(imagine(workspace, writing));
  }
}
