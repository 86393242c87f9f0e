import { join } from 'node:path';
import { digest } from '#core/digest';
import { type Document, readDocument } from '#core/document';
import { isLink, readIfThere } from '#core/storage/disk';
import { revisionWith } from '#core/workspace/agent-read';
import { type Identified, identify, type PinnedInput } from '#core/workspace/capture';
import { replaceFile } from '#core/workspace/file-write';
import { ensureLayout } from '#core/workspace/layout';
import { observed } from '#core/workspace/observation';
import { staysInside } from '#core/workspace/place';
import { stampedFile } from '#core/workspace/record';
import { type NewEntry, refuseTheFuture } from '#core/workspace/recorder';
import type { ScanReport } from '#core/workspace/scan';
import { type Turns, takeTurns } from '#core/workspace/turns';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import { type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { registrationIdem } from '#kernel/writing';
import type { DropReason } from '#protocol';
import type { AgentRead } from '#protocol/agent-calls';

/** The reads of a write as its inputs, and those that could not be pinned. */
export interface PinnedReads {
  readonly inputs: readonly PinnedInput[];
  readonly leftOut: readonly { readonly path: string; readonly reason: DropReason }[];
  /** The entries that take in what was not tracked: they go with the write, so that one append and one flush record them all. */
  readonly needs: readonly NewEntry[];
  /** The documents that those entries take in, and what each is, to be stamped when they are recorded. */
  readonly taken: ReadonlyMap<Uuid, string>;
}

/** What a write that rests on nothing has. */
export const noReads: PinnedReads = { inputs: [], leftOut: [], needs: [], taken: new Map() };

interface Pinning {
  readonly workspace: Workspace;
  readonly report: ScanReport | null;
  readonly needs: NewEntry[];
  readonly taken: Map<Uuid, string>;
  readonly turns: Turns;
}

/**
 * Pins what an agent read at the revisions that it was served (`spec/format.md` §6). What was not tracked is to be registered with the served
 * text as its root: its snapshots are stored, its entries answered, and nothing is appended or stamped here. A tracked document of which no
 * revision has that text is left out, as nobody could say what was read. The written document itself is no input. The caller holds the lock
 * and has reconciled the files.
 */
export async function pinReads(
  workspace: Workspace,
  reads: readonly AgentRead[],
  target: { readonly path: string; readonly object: string | null },
  report: ScanReport | null,
): Promise<PinnedReads> {
  refuseTheFuture(workspace.replica);
  const inputs = new Map<Uuid, PinnedInput>();
  const leftOut: { path: string; reason: DropReason }[] = [];
  const pinning: Pinning = { workspace, report, needs: [], taken: new Map(), turns: takeTurns() };
  for (const read of reads) {
    await pinning.turns.rest();
    if (read.path === target.path || (target.object !== null && read.object === target.object)) continue;
    const pinned = await pin(pinning, read);
    if (typeof pinned === 'string') leftOut.push({ path: read.path, reason: pinned });
    else if (pinned.object === target.object) continue;
    else if (inputs.has(pinned.object)) leftOut.push({ path: read.path, reason: 'repeated' });
    else inputs.set(pinned.object, pinned);
  }
  return { inputs: [...inputs.values()], leftOut, needs: pinning.needs, taken: pinning.taken };
}

/** A bad input is left out: it never costs the record of the write. */
async function pin(pinning: Pinning, read: AgentRead): Promise<PinnedInput | DropReason> {
  try {
    return read.object === null ? await pinUntracked(pinning, read) : pinKnown(pinning, read, read.object as Uuid);
  } catch {
    return 'unreadable';
  }
}

function pinKnown({ workspace, report }: Pinning, read: AgentRead, object: Uuid): PinnedInput | DropReason {
  if (report?.held.has(object) === true) return 'held';
  const { graph, facts } = workspace.replica.reading;
  const isThere = read.revision !== null && graph.findNode(graph.findObject(object), read.revision) !== none;
  // What no revision had when it was read may have been recorded since.
  const revision = isThere ? (read.revision as RevisionId) : revisionWith(workspace, object, read.hash);
  if (revision === null) return 'not-as-read';
  return { object, path: facts.pathOf(object) ?? read.path, revision, role: read.role };
}

async function pinUntracked(pinning: Pinning, read: AgentRead): Promise<PinnedInput | DropReason> {
  const { workspace, report, taken } = pinning;
  const { disk, root } = workspace;
  if (!staysInside(disk, root, read.path)) return 'outside-workspace';
  if (isLink(disk, join(root, read.path))) return 'not-a-document';
  const bytes = readIfThere(disk, join(root, read.path));
  if (bytes === null) return 'missing';
  const identified = await identify(workspace, read.path, bytes, policyOf(workspace));
  if (identified === null) return 'not-tracked';
  const { object } = identified;
  if (workspace.replica.reading.facts.registrations.has(object)) return pinKnown(pinning, read, object);
  // An id that stands in two files is nobody's until one of them remains.
  if (report?.held.has(object) === true || taken.has(object)) return 'held';
  await pinning.turns.rest();
  const revision = takeIn(pinning, read, identified);
  return revision === null ? 'not-as-read' : { object, path: read.path, revision, role: read.role };
}

/** The served text becomes the root; what the file has become since follows it as an edit by another program. */
function takeIn({ workspace, needs, taken }: Pinning, read: AgentRead, identified: Identified): RevisionId | null {
  const { object, schema } = identified;
  const isAsServed = identified.document.contentHash === read.hash;
  const root = isAsServed ? identified.document : documentOf(read);
  if (root === null) return null;
  const { path } = read;
  ensureLayout(workspace);
  const first = observation(workspace, identified, root, []);
  const later = isAsServed ? [] : [observation(workspace, identified, identified.document, [first.revision]).entry];
  const idem = registrationIdem(digest, object, path, null);
  const registration: NewEntry = { kind: 'object-registered', body: { object, path, schema, derived_from: [] }, subjects: [object], idem };
  needs.push(registration, first.entry, ...later);
  taken.set(object, path);
  return first.revision;
}

/** A version that nobody is named for; its snapshot is stored before an entry names it. */
function observation({ snapshots }: Workspace, { object, given }: Identified, document: Document, parents: readonly RevisionId[]) {
  const { contentHash, masked } = document;
  snapshots.putUnflushed(contentHash, masked === null ? given : Buffer.from(masked, 'utf8'));
  const revision = revisionId(digest, contentHash, parents);
  const outputs = [{ object, revision, content_hash: contentHash, parents }];
  const entry: NewEntry = { kind: 'transformation', body: { inputs: [], outputs, ...observed(null) }, subjects: [object] };
  return { revision, entry };
}

/** The served text as a document, with or without the BOM that does not cross; null where it is not the one that was served. */
function documentOf({ path, text, hash }: AgentRead) {
  const texts = text === null ? [] : [text, `\uFEFF${text}`];
  const documents = texts.map((one) => readDocument(Buffer.from(one, 'utf8'), path));
  return documents.find(({ contentHash }) => contentHash === hash) ?? null;
}

/** Puts the ids into the documents that a write has taken in. One that cannot be written is tracked by its path, as it is recorded. */
export async function stampTaken(workspace: Workspace, taken: PinnedReads['taken']): Promise<void> {
  const turns = takeTurns();
  for (const [object, path] of taken) {
    await turns.rest();
    try {
      if (!staysInside(workspace.disk, workspace.root, path) || isLink(workspace.disk, join(workspace.root, path))) continue;
      const bytes = readIfThere(workspace.disk, join(workspace.root, path));
      const identified = bytes === null ? null : await identify(workspace, path, bytes, policyOf(workspace));
      const file = identified?.object === object ? stampedFile(identified) : null;
      if (file !== null) replaceFile(workspace, path, file, false);
    } catch {
      // The write is recorded, and rests on what was read, whether or not the id stands in the file.
    }
  }
}
