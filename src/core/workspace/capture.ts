import { digest } from '#core/digest';
import { type Document, isDocumentPath } from '#core/document';
import { type Begun, flushTogether, syncFolders } from '#core/storage/replacing';
import type { Snapshots } from '#core/storage/snapshots';
import { readInTurns } from '#core/workspace/document-turns';
import { beginFileWrite, type FileWrite, replaceFile } from '#core/workspace/file-write';
import { ensureLayout } from '#core/workspace/layout';
import { navigationEntry } from '#core/workspace/observation';
import { type Position, readPosition, writePosition } from '#core/workspace/position';
import type { NewEntry, ReadyEntry } from '#core/workspace/recorder';
import { carriedAnchors } from '#core/workspace/section-anchor';
import { isSpelled, objectAt } from '#core/workspace/spelling';
import { beginStage } from '#core/workspace/staging';
import { headsOf, parentsOf, versionsOf } from '#core/workspace/versions';
import type { Policy, Workspace } from '#core/workspace/workspace';
import type { Agent, Confidence, Intent } from '#kernel/body-transformation';
import { type ByPathReason, insertIdentity } from '#kernel/identity';
import { none } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import { revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { registrationIdem } from '#kernel/writing';

/** Which object a text is, and the text as it goes to disk: with its identity block where one may and can be written. */
export interface Identified {
  readonly object: Uuid;
  readonly schema: string | null;
  readonly bytes: Buffer;
  readonly document: Document;
  /** The text as it was given, without a block that was put in. */
  readonly given: Buffer;
  /** Why the document is tracked by its path instead of a block, where it is. */
  readonly byPath: ByPathReason | 'not-utf8' | 'not-a-document' | 'setting-off' | null;
  readonly isStamped: boolean;
}

/**
 * Finds or makes the identity of a text about to be recorded at `path` (`spec/format.md` §2; the truth table of the
 * setting). Null when the policy does not let it be tracked. With `adopt` a readable id is kept, a missing one is
 * put in, the registered one if there is one.
 */
export async function identify(workspace: Workspace, path: string, bytes: Buffer, policy: Policy): Promise<Identified | null> {
  const document = await readInTurns(bytes, path);
  const { facts } = workspace.replica.reading;
  const registered = objectAt(workspace, path);
  const written = document.identity;
  const known = { isStamped: false, byPath: null, bytes, document, given: bytes };
  if (written !== null) return { ...known, object: written.id, schema: written.schema };
  if (policy !== 'adopt' && registered === null) return null;
  const object = registered ?? workspace.chance.newId(workspace.chance.now());
  const schema = registered === null ? null : (facts.registrations.get(registered)?.value.schema ?? null);
  if (policy !== 'adopt') return { ...known, object, schema, byPath: 'setting-off' };
  if (document.text === null) return { ...known, object, schema, byPath: 'not-utf8' };
  if (!isDocumentPath(path)) return { ...known, object, schema, byPath: 'not-a-document' };
  const { yamlMapping } = await import('#core/yaml');
  const stamp = insertIdentity(document.text, { id: object, schema }, yamlMapping);
  if (stamp.kind === 'by-path') return { ...known, object, schema, byPath: stamp.reason };
  const stamped = Buffer.from(stamp.text, 'utf8');
  const read = await readInTurns(stamped, path);
  return { ...known, object, schema: read.identity?.schema ?? schema, bytes: stamped, document: read, isStamped: true };
}

/** An input of a recorded write, pinned. */
export interface PinnedInput {
  readonly object: Uuid;
  readonly path: string;
  readonly revision: RevisionId;
  readonly role: 'direct' | 'contextual';
}

/** A write to be recorded. */
export interface Writing {
  readonly path: string;
  readonly identified: Identified;
  readonly inputs: readonly PinnedInput[];
  readonly agent: Agent;
  readonly intent: Intent;
  readonly confidence: Confidence;
  /** Minted once per logical operation and used again by a retry. */
  readonly idem?: Uuid;
  /** Revisions that it was written over; without it, what was last seen on disk. */
  readonly parents?: readonly RevisionId[];
  /** Objects that a new one was copied from. */
  readonly derivedFrom?: readonly Uuid[];
  /** Entries that its inputs need, appended with it and before it, or not at all. */
  readonly needs?: readonly NewEntry[];
}

/** What became of it: the revision it is now, and the entry, or null where nothing had to be recorded. */
export interface Recorded {
  readonly object: Uuid;
  readonly revision: RevisionId;
  readonly entry: Uuid | null;
}

/** A write whose entries exist; nothing is stored yet. */
interface Prepared {
  readonly entries: readonly ReadyEntry[];
  readonly recorded: Recorded;
  /** The text that is still to be stored, where there is a new version. */
  readonly isNew: boolean;
}

/** What a write says, before anything is stored: the entries about it, and the revision that it makes or is already. */
interface Statement {
  readonly own: readonly NewEntry[];
  readonly object: Uuid;
  readonly revision: RevisionId;
  /** Whether there is a new version, the last of `own`. */
  readonly isNew: boolean;
}

/**
 * A text that is on disk already, or that was once written over the same parents, makes no entry without inputs; with
 * inputs it is a new event.
 */
function state(workspace: Workspace, writing: Writing): Statement {
  const { identified, inputs } = writing;
  const { object, document } = identified;
  const { graph } = workspace.replica.reading;
  const versions = versionsOf(graph, object, readPosition(workspace).working[object]);
  const registration = newRegistration(workspace, writing);
  const over = writing.parents ?? parentsOf(versions);
  const isSame = versions.working !== null && versions.contentOf(versions.working) === document.contentHash;
  if (isSame && inputs.length === 0 && over.length === 1 && over[0] === versions.working) {
    return { own: registration, object, revision: versions.working, isNew: false };
  }
  const written = revisionId(digest, document.contentHash, over);
  const isRepeat = graph.findNode(graph.findObject(object), written) !== none;
  if (isRepeat && inputs.length === 0) return { own: registration, object, revision: written, isNew: false };
  const parents = isRepeat ? [written] : over;
  const revision = isRepeat ? revisionId(digest, document.contentHash, parents) : written;
  const transformation: NewEntry = {
    kind: 'transformation',
    body: {
      inputs: inputs.map((input) => ({ object: input.object, revision: input.revision, role: input.role, kind: 'dependency' as const })),
      outputs: [{ object, revision, content_hash: document.contentHash, parents }],
      agent: writing.agent,
      intent: writing.intent,
      confidence: writing.confidence,
    },
    subjects: [object],
    ...(writing.idem === undefined ? {} : { idem: writing.idem }),
  };
  return { own: [...registration, transformation], object, revision, isNew: true };
}

/** The entries that a write would make; nothing is stored. */
export const imagine = (workspace: Workspace, writing: Writing): readonly NewEntry[] => state(workspace, writing).own;

/** Makes the entries of a write, with the moves of HEAD that waited for it. */
function prepare(workspace: Workspace, writing: Writing): Prepared {
  const { own, object, revision, isNew } = state(workspace, writing);
  const moves = own.length === 0 ? [] : readPosition(workspace).pending.map(navigationEntry);
  const entries = own.length === 0 ? [] : workspace.recorder.ready([...moves, ...(isNew ? (writing.needs ?? []) : []), ...own]);
  const entry = isNew ? entries.at(-1)!.id : null;
  const carried = entry === null ? [] : workspace.recorder.ready(carriedAnchors(workspace, entry, own.at(-1)!));
  return { entries: [...entries.slice(0, -1), ...carried, ...entries.slice(-1)], recorded: { object, revision, entry }, isNew };
}

function newRegistration(workspace: Workspace, { path, identified: { object, schema }, derivedFrom = [] }: Writing): NewEntry[] {
  const known = workspace.replica.reading.facts.registrations.get(object);
  if (known !== undefined && known.value.schema === schema && isSpelled(workspace, known.value.path, path)) return [];
  const idem = registrationIdem(digest, object, path, (known?.id as Uuid | undefined) ?? null);
  return [{ kind: 'object-registered', body: { object, path, schema, derived_from: derivedFrom }, subjects: [object], idem }];
}

/**
 * Records a write, and writes its file where `file` says how: snapshot, staged line, file, ledger line, stage
 * removed (`spec/format.md` §9). What may be flushed at once is: first the bytes of all three, then the names of snapshot and
 * file, then the line. A crash between any two of these is healed by the next scan. The caller holds the
 * lock. An error before the file is written leaves everything as it was.
 */
export async function capture(workspace: Workspace, writing: Writing, file: FileWrite | null): Promise<Recorded> {
  const { entries, recorded, isNew } = prepare(workspace, writing);
  if (entries.length === 0) {
    if (file !== null) replaceFile(workspace, writing.path, file);
    await settle(workspace, recorded, false);
    return recorded;
  }
  const unstage = await putDown(workspace, writing, file, { entries, isNew });
  await workspace.recorder.append(entries);
  unstage();
  await settle(workspace, recorded, true);
  return recorded;
}

/** Puts snapshot, staged line and file down, durably, so that only the ledger line is missing; answers how the stage is taken away again. */
async function putDown(
  workspace: Workspace,
  { path, identified }: Writing,
  file: FileWrite | null,
  { entries, isNew }: Pick<Prepared, 'entries' | 'isNew'>,
): Promise<() => void> {
  const { disk } = workspace;
  const begun: Begun[] = [];
  const folders: string[] = [];
  let unstage = () => {};
  try {
    const snapshot = isNew ? beginSnapshot(workspace, identified) : null;
    if (snapshot !== null) {
      begun.push(snapshot.begun);
      folders.push(snapshot.folder);
    }
    if (file !== null) {
      const staged = beginStage(workspace, path, identified.document, entries);
      begun.push(staged.begun);
      unstage = staged.unstage;
      const written = beginFileWrite(workspace, path, file);
      begun.push(written.begun);
      folders.push(written.folder);
    }
    await flushTogether(disk, begun);
    for (const one of begun) one.finish();
  } catch (error) {
    for (const one of begun) one.abandon();
    throw error;
  }
  await syncFolders(disk, folders);
  return unstage;
}

/** Only now: what the ledger refuses leaves no text behind that nothing names. */
function beginSnapshot(workspace: Workspace, { document, bytes }: Identified): ReturnType<Snapshots['begin']> {
  ensureLayout(workspace);
  workspace.snapshots.flush();
  return workspace.snapshots.begin(document.contentHash, document.masked === null ? bytes : Buffer.from(document.masked, 'utf8'));
}

/** After a recorded write its revision is what stands on disk, and the moves of HEAD that rode with it are written. */
async function settle(workspace: Workspace, { object, revision }: Recorded, haveMovesRidden: boolean): Promise<void> {
  const before = await positioned(workspace);
  const { graph } = workspace.replica.reading;
  const working = { ...before.working };
  const heads = headsOf(graph, object);
  if (heads.length === 1 && graph.revisionText(heads[0]!) === revision) delete working[object];
  else working[object] = revision;
  const pending = haveMovesRidden ? [] : before.pending;
  writePosition(workspace, { ...before, working, pending });
}

/** The position; where none is known yet, HEAD as it stands now: a checkout before the first scan is then told from an edit. */
async function positioned(workspace: Workspace): Promise<Position> {
  const position = readPosition(workspace);
  if (workspace.git === null || position.git !== null) return position;
  const stamp = workspace.git.headMoved();
  return { ...position, stamp, git: await workspace.git.position() };
}
