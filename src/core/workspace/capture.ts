import { join } from 'node:path';
import { digest } from '#core/digest';
import { type Document, isDocumentPath } from '#core/document';
import { besideName, readIfThere, realTarget, replaceAtomic, writeAtomic, writeInPlace } from '#core/storage/disk';
import { readInTurns } from '#core/workspace/document-turns';
import { prepareLayout } from '#core/workspace/layout';
import { readPosition, writePosition } from '#core/workspace/position';
import type { NewEntry, ReadyEntry } from '#core/workspace/recorder';
import { navigationEntry } from '#core/workspace/scan';
import { stage } from '#core/workspace/staging';
import { headsOf, parentsOf, versionsOf } from '#core/workspace/versions';
import type { Policy, Workspace } from '#core/workspace/workspace';
import type { Agent, Confidence, Intent } from '#kernel/body-transformation';
import { type ByPathReason, insertIdentity } from '#kernel/identity';
import { none } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import { revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { registrationIdem } from '#kernel/writing';
import { Fault, faultFromSystem } from '#protocol';

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
  const registered = facts.objectAt(path) as Uuid | null;
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
  /** Entries that its inputs need, appended with it and before it, or not at all. */
  readonly needs?: readonly NewEntry[];
}

/** What became of it: the revision it is now, and the entry, or null where nothing had to be recorded. */
export interface Recorded {
  readonly object: Uuid;
  readonly revision: RevisionId;
  readonly entry: Uuid | null;
}

/** A write that is ready: its entries exist and its snapshot is stored, and nothing refers to it yet. */
interface Prepared {
  readonly entries: readonly ReadyEntry[];
  readonly recorded: Recorded;
}

/**
 * Stores the snapshot and makes the entries of a write. A text that is on disk already, or that was once written over
 * the same parents, makes none without inputs; with inputs it is a new event.
 */
function prepare(workspace: Workspace, writing: Writing): Prepared {
  const { path, identified, inputs } = writing;
  const { object, document, schema, bytes } = identified;
  const position = readPosition(workspace);
  const { graph } = workspace.replica.reading;
  const versions = versionsOf(graph, object, position.working[object]);
  const registration = newRegistration(workspace, object, path, schema);
  const ready = (own: readonly NewEntry[]) =>
    own.length === 0 ? [] : workspace.recorder.ready([...position.pending.map(navigationEntry), ...own]);
  const isSame = versions.working !== null && versions.contentOf(versions.working) === document.contentHash;
  if (isSame && inputs.length === 0 && versions.heads.length <= 1) {
    return { entries: ready(registration), recorded: { object, revision: versions.working, entry: null } };
  }
  const over = writing.parents ?? parentsOf(versions);
  const written = revisionId(digest, document.contentHash, over);
  const isRepeat = graph.findNode(graph.findObject(object), written) !== none;
  if (isRepeat && inputs.length === 0) return { entries: ready(registration), recorded: { object, revision: written, entry: null } };
  const parents = isRepeat ? [written] : over;
  const revision = isRepeat ? revisionId(digest, document.contentHash, parents) : written;
  prepareLayout(workspace.disk, workspace.vmark, () => workspace.chance.newId(workspace.chance.now()));
  workspace.snapshots.flush();
  workspace.snapshots.put(document.contentHash, document.masked === null ? bytes : Buffer.from(document.masked, 'utf8'));
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
  const entries = ready([...(writing.needs ?? []), ...registration, transformation]);
  return { entries, recorded: { object, revision, entry: entries.at(-1)!.id } };
}

function newRegistration(workspace: Workspace, object: Uuid, path: string, schema: string | null): NewEntry[] {
  const known = workspace.replica.reading.facts.registrations.get(object);
  if (known !== undefined && known.value.path === path && known.value.schema === schema) return [];
  const idem = registrationIdem(digest, object, path, (known?.id as Uuid | undefined) ?? null);
  return [{ kind: 'object-registered', body: { object, path, schema, derived_from: [] }, subjects: [object], idem }];
}

/**
 * Records a write, and writes its file where `file` says how: snapshot, staged line, file, ledger line, stage
 * removed (`spec/format.md` §9). A crash between any two of these is healed by the next scan. The caller holds the
 * lock. An error before the file is written leaves everything as it was.
 */
export async function capture(workspace: Workspace, writing: Writing, file: FileWrite | null): Promise<Recorded> {
  const { entries, recorded } = prepare(workspace, writing);
  if (entries.length === 0) {
    if (file !== null) replaceFile(workspace, writing.path, file);
    settle(workspace, recorded, false);
    return recorded;
  }
  const unstage = file === null ? () => {} : stage(workspace, writing.path, writing.identified.document.contentHash, entries);
  if (file !== null) {
    try {
      replaceFile(workspace, writing.path, file);
    } catch (error) {
      unstage();
      throw error;
    }
  }
  await workspace.recorder.append(entries);
  unstage();
  settle(workspace, recorded, true);
  return recorded;
}

/** After a recorded write its revision is what stands on disk, and the moves of HEAD that rode with it are written. */
function settle(workspace: Workspace, { object, revision }: Recorded, haveMovesRidden: boolean): void {
  const before = readPosition(workspace);
  const { graph } = workspace.replica.reading;
  const working = { ...before.working };
  const heads = headsOf(graph, object);
  if (heads.length === 1 && graph.revisionText(heads[0]!) === revision) delete working[object];
  else working[object] = revision;
  const pending = haveMovesRidden ? [] : before.pending;
  writePosition(workspace, { ...before, working, pending });
}

/** The bytes a file shall have, and those that they replace; null for a new file. */
export interface FileWrite {
  readonly bytes: Buffer;
  readonly before: Buffer | null;
}

/**
 * Replaces a file of the workspace whole or not at all; its mode and owner stay. A link keeps being one: what it
 * points to is replaced. A file that does not hold `before` any more is somebody's work: `conflict-on-disk`.
 * Without `isFlushed` a power cut may bring the old file back.
 */
export function replaceFile({ disk, root, chance }: Workspace, path: string, { bytes, before }: FileWrite, isFlushed = true): void {
  try {
    const target = realTarget(disk, join(root, path));
    const keep = before === null ? undefined : disk.statSync(target);
    const refuseConflict = () => {
      const now = readIfThere(disk, target);
      const isSame = now === null || before === null ? now === before : now.equals(before);
      if (!isSame) throw new Fault('conflict-on-disk', { path });
    };
    const replace = isFlushed ? writeAtomic : replaceAtomic;
    if (keep !== undefined && keep.nlink > 1) {
      refuseConflict();
      writeInPlace(disk, target, bytes);
    } else replace(disk, target, bytes, besideName(target, chance.newId(chance.now()).slice(-12)), keep, refuseConflict);
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}
