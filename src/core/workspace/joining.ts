import { readDocument } from '#core/document';
import { lineageOf, nearestCommon } from '#core/workspace/ancestry';
import { byHand } from '#core/workspace/authorship';
import { capture, identify, type Recorded } from '#core/workspace/capture';
import { copyRevision, recordCopy } from '#core/workspace/copies';
import { trackedDocument } from '#core/workspace/history';
import { type JoinPart, mergeTexts } from '#core/workspace/merging';
import { confine } from '#core/workspace/place';
import { readFile, refuseHeld, refuseLink, refuseUnscanned } from '#core/workspace/record';
import { asFile } from '#core/workspace/restoring';
import { bytesHash } from '#core/workspace/save';
import { readBefore } from '#core/workspace/save-record';
import { scan } from '#core/workspace/scan';
import { authorOf } from '#core/workspace/version';
import { entryWithIdem } from '#core/workspace/versions';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import type { ContentHash, RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';

/** One of the versions that are to be one again. `text` is null where it is no text. */
export interface JoinSide {
  /** Null for a conflicted copy whose text no entry records. */
  readonly revision: RevisionId | null;
  readonly label: string | null;
  /** The file of a conflicted copy; null for a version of the document. */
  readonly copy: string | null;
  readonly content: ContentHash;
  readonly text: string | null;
  /** When it was made and by whom; null for a copy that no entry records. */
  readonly time: string | null;
  readonly agent: string | null;
  readonly by: string | null;
}

/** What a join would be. `parts` is null where a side is no text: then one of them can be taken. */
export interface JoinProposal {
  readonly object: Uuid;
  readonly path: string;
  /** Names the file as it is, for `join`. */
  readonly base: string | null;
  readonly heads: readonly RevisionId[];
  readonly ancestor: { readonly revision: RevisionId; readonly label: string } | null;
  readonly sides: readonly JoinSide[];
  readonly parts: readonly JoinPart[] | null;
}

/** Which versions: the current ones of a document and, if named, a conflicted copy of it. */
export interface JoinQuestion {
  readonly path: string;
  readonly copy: string | null;
}

/** A join as the writer wants it: a text, or one of the sides as it is. The rest is as it was proposed. */
export interface JoinRequest extends JoinQuestion {
  readonly heads: readonly RevisionId[];
  readonly base: string | null;
  /** Content of the conflicted copy as it was proposed. */
  readonly content: ContentHash | null;
  readonly result: { readonly text: string } | { readonly take: ContentHash };
  readonly idem: Uuid;
}

/** What became of a join. `moved`: there are other current versions by now, or a file changed; nothing was written. */
export type Joined = ({ readonly kind: 'joined'; readonly bytes: Buffer; readonly base: string } & Recorded) | { readonly kind: 'moved' };

/** Proposes how the current versions of a document become one: a three-way merge over their nearest common ancestor. The caller holds the lock. */
export async function proposeJoin(workspace: Workspace, asked: JoinQuestion): Promise<JoinProposal> {
  const { path, copy, object, number } = await reconciled(workspace, asked);
  const { graph } = workspace.replica.reading;
  const heads = graph.heads(number);
  const own = heads.map((head) => sideOf(workspace, path, head));
  const copied = copy === null ? null : copySide(workspace, object, copy);
  const isOlder = copied?.revision != null && heads.some((head) => lineageOf(graph, head).has(graph.findNode(number, copied.revision!)));
  const sides = copied === null ? own : [...own, copied];
  if (sides.length < 2) throw new Fault('nothing-to-join', { path });
  const ancestor = ancestorOf(workspace, number, heads, copied);
  const texts = sides.map(({ text }) => text);
  const origin = ancestor === null ? null : textAt(workspace, ancestor);
  const isText = texts.every((text) => text !== null);
  const before = readBefore(workspace, path);
  return {
    object,
    path,
    base: before === null ? null : bytesHash(before),
    heads: heads.map((head) => graph.revisionText(head)),
    ancestor: ancestor === null ? null : { revision: graph.revisionText(ancestor), label: `v${graph.depth(ancestor)}` },
    sides,
    // A copy that is an earlier version has nothing to add.
    parts: isText ? mergeTexts(origin, isOlder && own.length === 1 ? [own[0]!.text!, own[0]!.text!] : texts) : null,
  };
}

/**
 * Records a join and writes it to its file, whole or not at all: all current versions are its parents. Nothing is done
 * if one of them moved since it was proposed. The caller holds the lock.
 */
export async function join(workspace: Workspace, asked: JoinRequest): Promise<Joined> {
  const { path, copy, object, number } = await reconciled(workspace, asked);
  const { graph } = workspace.replica.reading;
  const before = readBefore(workspace, path);
  const earlier = entryWithIdem(graph, asked.idem);
  if (earlier !== null && before !== null) return joinedEarlier(workspace, number, { object, path, before, entry: earlier });
  const heads = graph.heads(number).map((head) => graph.revisionText(head));
  const base = before === null ? null : bytesHash(before);
  if (base !== asked.base || !isSame(heads, asked.heads)) return { kind: 'moved' };
  if (copy !== null && readDocument(readFile(workspace, copy), copy).contentHash !== asked.content) return { kind: 'moved' };
  const masked = resultOf(workspace, asked, path, copy);
  const bytes = masked.isText ? await asFile(workspace, path, before, masked.bytes) : masked.bytes;
  const identified = await identify(workspace, path, bytes, policyOf(workspace));
  if (identified === null) throw new Fault('not-tracked', { path });
  if (identified.object !== object) return { kind: 'moved' };
  const copied = copy === null ? null : await recordCopy(workspace, object, copy);
  const parents = [...new Set([...heads, ...(copied === null || isBehind(workspace, number, copied, heads) ? [] : [copied])])];
  const intent = { kind: 'join', summary: `joined ${parents.length} versions`, prompt_hash: null };
  const writing = { ...byHand, intent, path, identified, parents, idem: asked.idem };
  const recorded = await capture(workspace, writing, { bytes: identified.bytes, before });
  return { kind: 'joined', bytes: identified.bytes, base: bytesHash(identified.bytes), ...recorded };
}

async function reconciled(workspace: Workspace, asked: JoinQuestion) {
  const [path, copy] = [asked.path, asked.copy].map((named) => (named === null ? null : confine(workspace.disk, workspace.root, named)));
  for (const named of [path!, ...(copy == null ? [] : [copy])]) refuseLink(workspace, named);
  const report = await scan(workspace, { mode: 'append' });
  refuseUnscanned(report);
  const { object, number } = trackedDocument(workspace, path!);
  refuseHeld(report, object);
  if (copy != null && report.copies.get(copy)?.object !== object) throw new Fault('not-a-copy', { path: copy, other: path! });
  return { path: path!, copy: copy ?? null, object, number };
}

function sideOf(workspace: Workspace, path: string, node: number): JoinSide {
  const { graph } = workspace.replica.reading;
  const revision = graph.revisionText(node);
  const bytes = bytesAt(workspace, path, node);
  const text = readDocument(bytes, path).binary ? null : bytes.toString('utf8');
  return { revision, label: `v${graph.depth(node)}`, copy: null, content: graph.contentText(node), text, ...authorOf(workspace, node) };
}

function copySide(workspace: Workspace, object: Uuid, copy: string): JoinSide {
  const { graph } = workspace.replica.reading;
  const document = readDocument(readFile(workspace, copy), copy);
  const revision = copyRevision(workspace, object, document.contentHash);
  const known = { copy, content: document.contentHash, text: document.masked };
  if (revision === null) return { revision, label: null, ...known, time: null, agent: null, by: null };
  const node = graph.findNode(graph.findObject(object), revision);
  return { revision, label: `v${graph.depth(node)}`, ...known, ...authorOf(workspace, node) };
}

function ancestorOf(workspace: Workspace, number: number, heads: readonly number[], copied: JoinSide | null): number | null {
  const { graph } = workspace.replica.reading;
  if (copied === null) return nearestCommon(graph, heads);
  const from = copied.revision ?? nearestVersion(workspace, number, copied);
  return from === null ? null : nearestCommon(graph, [...heads, graph.findNode(number, from)]);
}

/** How many of the newest versions a copy is compared with to find what it was made from. */
const mostCompared = 30;

/** The version whose lines a text differs from least: what it was most likely made from. */
function nearestVersion(workspace: Workspace, number: number, { text }: JoinSide): RevisionId | null {
  const { graph } = workspace.replica.reading;
  const newest = [...graph.revisions(number)].sort((a, b) => graph.depth(b) - graph.depth(a)).slice(0, mostCompared);
  let nearest: { readonly node: number; readonly distance: number } | null = null;
  for (const node of text === null ? [] : newest) {
    const known = textAt(workspace, node);
    const distance = known === null ? Number.POSITIVE_INFINITY : distanceOf(known, text!);
    if (distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { node, distance };
  }
  return nearest === null ? null : graph.revisionText(nearest.node);
}

function distanceOf(a: string, b: string): number {
  const counts = new Map<string, number>();
  for (const line of a.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of b.split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

/** The text of a version; null where its snapshot is missing or is no text: then the merge does without. */
function textAt({ snapshots, replica }: Workspace, node: number): string | null {
  const snapshot = snapshots.get(replica.reading.graph.contentText(node));
  return snapshot.kind === 'found' ? snapshot.bytes.toString('utf8') : null;
}

function bytesAt({ snapshots, replica }: Workspace, path: string, node: number): Buffer {
  const { graph } = replica.reading;
  const snapshot = snapshots.get(graph.contentText(node));
  if (snapshot.kind === 'found') return snapshot.bytes;
  const detail = { path, revision: graph.revisionText(node) };
  throw new Fault(snapshot.kind === 'missing' ? 'content-unavailable' : 'content-damaged', detail);
}

function resultOf(workspace: Workspace, { result }: JoinRequest, path: string, copy: string | null): { bytes: Buffer; isText: boolean } {
  if ('text' in result) return { bytes: Buffer.from(result.text, 'utf8'), isText: true };
  const { take } = result;
  const document = copy === null ? null : readDocument(readFile(workspace, copy), copy);
  if (copy !== null && document?.contentHash === take) {
    return { bytes: document.masked === null ? readFile(workspace, copy) : Buffer.from(document.masked, 'utf8'), isText: !document.binary };
  }
  const snapshot = workspace.snapshots.get(take);
  if (snapshot.kind !== 'found') throw new Fault('content-unavailable', { path, revision: take });
  return { bytes: snapshot.bytes, isText: !readDocument(snapshot.bytes, path).binary };
}

function isBehind(workspace: Workspace, number: number, revision: RevisionId, heads: readonly RevisionId[]): boolean {
  const { graph } = workspace.replica.reading;
  const node = graph.findNode(number, revision);
  return heads.some((head) => lineageOf(graph, graph.findNode(number, head)).has(node));
}

function isSame(now: readonly string[], then: readonly string[]): boolean {
  return now.length === then.length && now.every((head) => then.includes(head));
}

/** A join whose answer was lost is asked for again: its entry is there. */
function joinedEarlier(
  workspace: Workspace,
  number: number,
  { object, path, before, entry }: { object: Uuid; path: string; before: Buffer; entry: Uuid },
): Joined {
  const { graph } = workspace.replica.reading;
  const { contentHash } = readDocument(before, path);
  const node = [...graph.revisions(number)].find((candidate) => graph.entryText(graph.nodeEntry.at(candidate)) === entry);
  if (node === undefined || node === none || graph.contentText(node) !== contentHash) return { kind: 'moved' };
  return { kind: 'joined', bytes: before, base: bytesHash(before), object, revision: graph.revisionText(node), entry };
}
