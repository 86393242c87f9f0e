import { join } from 'node:path';
import { readDocument } from '#core/document';
import { isLink, readIfThere } from '#core/storage/disk';
import { revisionWith } from '#core/workspace/agent-read';
import { capture, type Identified, identify, type PinnedInput } from '#core/workspace/capture';
import { prepareLayout } from '#core/workspace/layout';
import { observed } from '#core/workspace/observation';
import { staysInside } from '#core/workspace/place';
import { register, stampedFile } from '#core/workspace/record';
import type { ScanReport } from '#core/workspace/scan';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import type { DropReason } from '#protocol';
import type { AgentRead } from '#protocol/agent-calls';

/** The reads of a write as its inputs, and those that could not be pinned. */
export interface PinnedReads {
  readonly inputs: readonly PinnedInput[];
  readonly leftOut: readonly { readonly path: string; readonly reason: DropReason }[];
}

/**
 * Pins what an agent read at the revisions that it was served (`spec/format.md` §6). What was not tracked is registered with the served text as
 * its root; a tracked document of which no revision has that text is left out, as nobody could say what was read. The written document
 * itself is no input. The caller holds the lock and has reconciled the files.
 */
export async function pinReads(
  workspace: Workspace,
  reads: readonly AgentRead[],
  target: { readonly path: string; readonly object: string | null },
  report: ScanReport | null,
): Promise<PinnedReads> {
  const inputs: PinnedInput[] = [];
  const leftOut: { path: string; reason: DropReason }[] = [];
  for (const read of reads) {
    if (read.path === target.path || (target.object !== null && read.object === target.object)) continue;
    const pinned = await pin(workspace, read, report);
    if (typeof pinned === 'string') leftOut.push({ path: read.path, reason: pinned });
    else if (pinned.object === target.object) continue;
    else if (inputs.some((other) => other.object === pinned.object)) leftOut.push({ path: read.path, reason: 'repeated' });
    else inputs.push(pinned);
  }
  return { inputs, leftOut };
}

/** A bad input is left out: it never costs the record of the write. */
async function pin(workspace: Workspace, read: AgentRead, report: ScanReport | null): Promise<PinnedInput | DropReason> {
  try {
    return read.object === null ? await pinUntracked(workspace, read, report) : pinKnown(workspace, read, read.object as Uuid, report);
  } catch {
    return 'unreadable';
  }
}

function pinKnown(workspace: Workspace, read: AgentRead, object: Uuid, report: ScanReport | null): PinnedInput | DropReason {
  if (report?.held.has(object) === true) return 'held';
  const { graph, facts } = workspace.replica.reading;
  const isThere = read.revision !== null && graph.findNode(graph.findObject(object), read.revision) !== none;
  // What no revision had when it was read may have been recorded since.
  const revision = isThere ? (read.revision as RevisionId) : revisionWith(workspace, object, read.hash);
  if (revision === null) return 'not-as-read';
  return { object, path: facts.pathOf(object) ?? read.path, revision, role: read.role };
}

async function pinUntracked(workspace: Workspace, read: AgentRead, report: ScanReport | null): Promise<PinnedInput | DropReason> {
  const { disk, root } = workspace;
  if (!staysInside(disk, root, read.path)) return 'outside-workspace';
  if (isLink(disk, join(root, read.path))) return 'not-a-document';
  const bytes = readIfThere(disk, join(root, read.path));
  if (bytes === null) return 'missing';
  const identified = await identify(workspace, read.path, bytes, policyOf(workspace));
  if (identified === null) return 'not-tracked';
  const { object } = identified;
  if (workspace.replica.reading.facts.registrations.has(object)) return pinKnown(workspace, read, object, report);
  const revision = await registerServed(workspace, read, identified);
  return revision === null ? 'not-as-read' : { object, path: read.path, revision, role: read.role };
}

/** The served text becomes the root; what the file has become since follows it as an edit by another program. */
async function registerServed(workspace: Workspace, read: AgentRead, identified: Identified): Promise<RevisionId | null> {
  const { path } = read;
  if (identified.document.contentHash === read.hash) return (await register(workspace, path, identified)).revision;
  const document = documentOf(read);
  if (document === null) return null;
  prepareLayout(workspace.disk, workspace.vmark, () => workspace.chance.newId(workspace.chance.now()));
  const root = { ...identified, document, isStamped: false };
  const { revision } = await capture(workspace, { path, identified: root, inputs: [], ...observed(null) }, null);
  await capture(workspace, { path, identified, inputs: [], ...observed(null) }, stampedFile(identified));
  return revision;
}

/** The served text as a document, with or without the BOM that does not cross; null where it is not the one that was served. */
function documentOf({ path, text, hash }: AgentRead) {
  const texts = text === null ? [] : [text, `\uFEFF${text}`];
  const documents = texts.map((one) => readDocument(Buffer.from(one, 'utf8'), path));
  return documents.find(({ contentHash }) => contentHash === hash) ?? null;
}
