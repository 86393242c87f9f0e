import { sectionOf } from '#core/workspace/section';
import { entryLine } from '#core/workspace/version';
import type { View } from '#core/workspace/view';
import { looseId } from '#kernel/body-field';
import { confidences } from '#kernel/body-transformation';
import { liveCheck } from '#kernel/check';
import { edgeKey } from '#kernel/facts';
import type { Graph } from '#kernel/graph';
import { none } from '#kernel/key-table';
import { currentSince, isSameText, newestResolution, type ProjectedEdge, resolutionsOf } from '#kernel/projection';
import { refOf } from '#kernel/section-anchor';
import type { Uuid } from '#kernel/uuid';
import type { Outputs } from '#protocol';

type Breakdown = Outputs['breakdown'];
/** A row under its artifact. */
export type Row = Breakdown['artifacts'][number]['rows'][number];
type EdgeRow = Extract<Row, { edge: object }>;
type DocumentRow = Exclude<Row, EdgeRow>;
type Silence = Breakdown['silenced'][number]['silenced'];

/** An edge as a row; `silenced` says why it asks nothing of the writer, if so. */
export function edgeRow(view: View, projected: ProjectedEdge): Omit<EdgeRow, 'silenced'> & { silenced: Silence | null } {
  const { graph } = view;
  const { facts } = view.workspace.replica.reading;
  const { edge, current } = projected;
  const ref = refOf(graph, edge);
  const key = edgeKey(ref);
  const { section, ...anchoring } = projected.state === 'fresh' ? { section: null } : sectionOf(view, edge, current);
  const state = stateOf(projected.state, section);
  const isDecidable = current !== none;
  return {
    edge: ref,
    source: view.documentOf(graph.edgeSource.at(edge)),
    pinned: revisionOf(graph, graph.edgePinned.at(edge)),
    current: current === none ? null : revisionOf(graph, current),
    state,
    silenced: state === 'fresh' ? null : silenceOf(view, edge, current, section),
    section,
    check: projected.state === 'version-stale' ? checkOf(view, ref, edge, current) : null,
    waiver: state === 'waived' ? waiverOf(view, projected.resolution) : null,
    provenance: confidences[graph.edgeConfidence.at(edge)]!,
    resolutions: [...resolutionsOf(graph, edge)].length,
    ...delegatedOf(view, edge),
    judgment: facts.judgments.get(key)?.value.judgment ?? null,
    ...anchoring,
    actions: {
      accept: isDecidable,
      revise: view.documentOf(graph.nodeObject(graph.edgeArtifact.at(edge))).path !== null,
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
  const artifact = view.documentOf(graph.nodeObject(graph.edgeArtifact.at(edge))).object;
  if (view.workspace.replica.reading.facts.lifecycles.get(artifact)?.value.state === 'frozen') return 'document-finished';
  if (current !== none && isSameText(graph, graph.edgePinned.at(edge), current)) return 'same-text';
  return section?.status === 'unchanged' ? 'section-unchanged' : null;
}

/** What the line of a ratification or a waiver says of who decided, and for how long. */
interface ResolutionLine {
  readonly time: string;
  readonly body: {
    readonly reason?: string | null;
    readonly expires?: string | null;
    readonly actor: { readonly id: string };
    readonly delegation?: string | null;
  };
}

function resolutionLine({ workspace, graph }: View, resolution: number): ResolutionLine {
  return JSON.parse(entryLine(workspace, graph.resolutionEntry.at(resolution))) as ResolutionLine;
}

function waiverOf(view: View, resolution: number): EdgeRow['waiver'] {
  const { time, body } = resolutionLine(view, resolution);
  return { reason: body.reason ?? null, by: body.actor.id, at: time, expires: body.expires ?? null };
}

/** Which agent decided about the edge last, and under which grant, where one did. */
function delegatedOf(view: View, edge: number): Pick<EdgeRow, 'delegated'> {
  const { graph } = view;
  const newest = newestResolution(graph, edge);
  if (newest === none || graph.resolutionDelegated.at(newest) === 0) return {};
  const { time, body } = resolutionLine(view, newest);
  return { delegated: { by: body.actor.id, grant: body.delegation == null ? null : looseId(body.delegation), at: time } };
}

function checkOf(view: View, edge: { txf: Uuid; input: number }, number: number, current: number): EdgeRow['check'] {
  const { graph, workspace, fingerprint } = view;
  const pinned = graph.revisionText(graph.edgePinned.at(number));
  const question = { edge, pinned, current: graph.revisionText(current), context: view.context.id, fingerprint };
  const check = liveCheck(workspace.replica.reading.facts, question);
  if (check === null) return null;
  const verdicts = { 'no-contradiction': 'verified-valid', contradiction: 'contradicted', unknown: 'unchecked' } as const;
  const evidence = check.evidence.map(({ object, quote }) => ({ path: object === undefined ? null : view.pathOf(object), quote }));
  return { verdict: verdicts[check.verdict], confidence: check.confidence, evidence, ...(check.partial ? { partial: true as const } : {}) };
}

/** The rows about a document itself: parallel versions of an artifact, and a finished document that was edited. */
export function* documentRows(view: View, object: number): Generator<DocumentRow> {
  const { graph } = view;
  if (graph.isArtifact(object) && view.select(object).kind === 'several') yield parallelRow(view, object);
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

/** A finished document whose current version was made after it was finished is itself shown. */
function finishedRow(view: View, object: number): DocumentRow | null {
  const { graph } = view;
  const lifecycle = view.workspace.replica.reading.facts.lifecycles.get(view.documentOf(object).object);
  if (lifecycle?.value.state !== 'frozen') return null;
  const newer = currentSince(graph, object, view.select, lifecycle);
  if (newer[0] === undefined) return null;
  const before = [...graph.revisions(object)].filter((node) => graph.entryTime.at(graph.nodeFirst.at(node)) <= lifecycle.time);
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
