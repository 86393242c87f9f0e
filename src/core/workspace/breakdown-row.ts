import { digest } from '#core/digest';
import { visibleClaims } from '#core/workspace/context';
import { anchoredSection } from '#core/workspace/section';
import type { Workspace } from '#core/workspace/workspace';
import { confidences } from '#kernel/body-transformation';
import { claimsFingerprint, fedClaims, liveCheck } from '#kernel/check';
import { edgeKey } from '#kernel/facts';
import type { Graph } from '#kernel/graph';
import { none } from '#kernel/key-table';
import { isSameText, type ProjectedEdge, resolutionsOf, type Select } from '#kernel/projection';
import type { Uuid } from '#kernel/uuid';
import type { Outputs } from '#protocol';

type Breakdown = Outputs['breakdown'];
/** A row under its artifact. */
export type Row = Breakdown['artifacts'][number]['rows'][number];
type EdgeRow = Extract<Row, { edge: object }>;
type DocumentRow = Exclude<Row, EdgeRow>;
type Silence = Breakdown['silenced'][number]['silenced'];

/** The default context, which is always there and has no file until it is changed. */
export const defaultContext = { id: '00000000-0000-0000-0000-000000000000', name: 'default', enforcement: 'greenhouse' } as const;

/** A workspace as one answer sees it. */
export interface View {
  readonly workspace: Workspace;
  readonly graph: Graph;
  readonly select: Select;
  readonly now: number;
  /** Objects whose file is gone. */
  readonly absent: ReadonlySet<string>;
  /** Where a document is, or was last. */
  readonly pathOf: (object: string) => string | null;
  readonly fingerprint: string;
}

/** What stands for the claims that a check would be given now. */
export function currentFingerprint(workspace: Workspace): string {
  return claimsFingerprint(digest, fedClaims(workspace.replica.reading.facts, visibleClaims(workspace.disk, workspace.vmark)));
}

/** An edge as a row; `silenced` says why it asks nothing of the writer, if so. */
export function edgeRow(view: View, projected: ProjectedEdge): Omit<EdgeRow, 'silenced'> & { silenced: Silence | null } {
  const { graph } = view;
  const { facts } = view.workspace.replica.reading;
  const { edge, current } = projected;
  const ref = { txf: graph.entryText(graph.edgeEntry.at(edge)), input: graph.edgeInput.at(edge) };
  const key = edgeKey(ref);
  const section = projected.state === 'fresh' ? null : anchoredSection(view.workspace, facts.anchors.get(key)?.value ?? null, current);
  const state = stateOf(projected.state, section);
  const isDecidable = current !== none;
  return {
    edge: ref,
    source: documentOf(view, graph.edgeSource.at(edge)),
    pinned: revisionOf(graph, graph.edgePinned.at(edge)),
    current: current === none ? null : revisionOf(graph, current),
    state,
    silenced: state === 'fresh' ? null : silenceOf(view, edge, current, section),
    section,
    check: projected.state === 'version-stale' ? checkOf(view, ref, edge, current) : null,
    waiver: state === 'waived' ? waiverOf(view, projected.resolution) : null,
    provenance: confidences[graph.edgeConfidence.at(edge)]!,
    resolutions: [...resolutionsOf(graph, edge)].length,
    judgment: facts.judgments.get(key)?.value.judgment ?? null,
    actions: {
      accept: isDecidable,
      revise: documentOf(view, graph.nodeObject(graph.edgeArtifact.at(edge))).path !== null,
      waive: isDecidable,
    },
  };
}

/** An anchor whose heading is gone or no longer unique is never taken for the whole file. */
function stateOf(state: EdgeRow['state'], section: EdgeRow['section']): EdgeRow['state'] {
  return section?.status === 'lost' && (state === 'version-stale' || state === 'diverged') ? 'anchor-lost' : state;
}

function silenceOf(view: View, edge: number, current: number, section: EdgeRow['section']): Silence | null {
  const { graph } = view;
  const artifact = graph.objectText(graph.nodeObject(graph.edgeArtifact.at(edge)));
  if (view.workspace.replica.reading.facts.lifecycles.get(artifact)?.value.state === 'frozen') return 'document-finished';
  if (current !== none && isSameText(graph, graph.edgePinned.at(edge), current)) return 'same-text';
  return section?.status === 'unchanged' ? 'section-unchanged' : null;
}

function waiverOf({ workspace, graph }: View, resolution: number): EdgeRow['waiver'] {
  const row = graph.resolutionEntry.at(resolution);
  const place = { segment: graph.entrySegment.at(row), offset: graph.entryOffset.at(row), length: graph.entryLength.at(row) };
  const { time, body } = JSON.parse(workspace.replica.lineAt(place)) as {
    time: string;
    body: { reason?: string | null; expires?: string | null; actor: { id: string } };
  };
  return { reason: body.reason ?? null, by: body.actor.id, at: time, expires: body.expires ?? null };
}

function checkOf(view: View, edge: { txf: Uuid; input: number }, number: number, current: number): EdgeRow['check'] {
  const { graph, workspace, fingerprint } = view;
  const pinned = graph.revisionText(graph.edgePinned.at(number));
  const question = { edge, pinned, current: graph.revisionText(current), context: defaultContext.id, fingerprint };
  const check = liveCheck(workspace.replica.reading.facts, question);
  if (check === null) return null;
  const verdicts = { 'no-contradiction': 'verified-valid', contradiction: 'contradicted', unknown: 'unchecked' } as const;
  const evidence = check.evidence.map(({ object, quote }) => ({ path: object === undefined ? null : view.pathOf(object), quote }));
  return { verdict: verdicts[check.verdict], confidence: check.confidence, evidence };
}

/** The rows about a document itself: parallel versions of an artifact, and a finished document that was edited. */
export function* documentRows(view: View, object: number): Generator<DocumentRow> {
  const { graph } = view;
  if (graph.isArtifact(object) && graph.objectHeads.at(object) > 1) yield parallelRow(view, object);
  const finished = finishedRow(view, object);
  if (finished !== null) yield finished;
}

const noEdge = {
  edge: null,
  source: null,
  silenced: null,
  section: null,
  check: null,
  waiver: null,
  provenance: null,
  judgment: null,
} as const;

function parallelRow({ graph }: View, object: number): DocumentRow {
  return {
    ...noEdge,
    pinned: null,
    current: null,
    state: 'parallel-versions',
    resolutions: 0,
    actions: { accept: false, revise: true, waive: false },
    heads: graph.heads(object).map((head) => revisionOf(graph, head) as { revision: string; label: string }),
  };
}

/** A finished document that has a newer version than when it was finished is itself shown. */
function finishedRow(view: View, object: number): DocumentRow | null {
  const { graph } = view;
  const lifecycle = view.workspace.replica.reading.facts.lifecycles.get(graph.objectText(object));
  if (lifecycle?.value.state !== 'frozen') return null;
  const newer = graph.heads(object).filter((head) => graph.entryTime.at(graph.nodeEntry.at(head)) > lifecycle.time);
  if (newer[0] === undefined) return null;
  const before = [...graph.revisions(object)].filter((node) => graph.entryTime.at(graph.nodeEntry.at(node)) <= lifecycle.time);
  const finished = before.sort((a, b) => graph.depth(b) - graph.depth(a))[0];
  return {
    ...noEdge,
    pinned: finished === undefined ? null : revisionOf(graph, finished),
    current: revisionOf(graph, newer[0]),
    state: 'finished-changed',
    resolutions: 0,
    actions: { accept: false, revise: true, waive: false },
  };
}

function revisionOf(graph: Graph, node: number): { revision: string; label: string | null } {
  const isKnown = graph.nodeRecorded.at(node) === 1;
  return { revision: graph.revisionText(node), label: isKnown ? `v${graph.depth(node)}` : null };
}

/** A document by its id and where it is. */
export function documentOf({ graph, pathOf }: View, object: number): { object: string; path: string | null } {
  const id = graph.objectText(object);
  return { object: id, path: pathOf(id) };
}
