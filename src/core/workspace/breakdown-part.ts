import { documentRows, edgeRow, type Row } from '#core/workspace/breakdown-row';
import type { NamedDocument, View } from '#core/workspace/view';
import type { Graph } from '#kernel/graph';
import { none } from '#kernel/key-table';
import { listedInto, projectEdge, resolutionsOf } from '#kernel/projection';
import type { Outputs } from '#protocol';

type Breakdown = Outputs['breakdown'];
type QuietRow = Breakdown['silenced'][number];

/** What a breakdown says of one document, and what that depends on. */
export interface Part {
  /** The document with the rows that stand under it; of many there are none. */
  readonly artifact: Breakdown['artifacts'][number];
  readonly silenced: Breakdown['silenced'];
  readonly sourceGone: Breakdown['sourceGone'];
  readonly isUnknown: boolean;
  /** Whether the document is finished, and no row names it: all that it rests on is as it was, or its present version rests on nothing. */
  readonly isFinishedBeside: boolean;
  /** What its listed edges rest on, fresh ones too. */
  readonly sources: readonly number[];
  /** Whether it may be another one although the ledger says the same: what it rests on are times, places and snapshots. */
  readonly isPassing: boolean;
}

/** How a part is seen: with fresh rows or without, and which files are gone. */
export interface Sight {
  readonly view: View;
  readonly all: boolean;
  readonly isAbsent: (object: number) => boolean;
}

/** The part of one object; null where nothing is said of it now and no other object can change that. */
export function partOf(sight: Sight, object: number): Part | null {
  const { view, all, isAbsent } = sight;
  const { graph } = view;
  if (isAbsent(object)) return null;
  const rows: Row[] = [];
  const silenced: QuietRow[] = [];
  const sourceGone: Breakdown['sourceGone'] = [];
  const sources = new Set<number>();
  let isPassing = false;
  for (const edge of listedInto(graph, view.select, object)) {
    const source = graph.edgeSource.at(edge);
    const projected = projectEdge(graph, edge, view.select, view.now);
    sources.add(source);
    isPassing ||= isTimed(graph, edge);
    if (projected.state === 'fresh' && !all) continue;
    const row = edgeRow(view, projected);
    isPassing ||= (row.check?.evidence.length ?? 0) > 0 || view.anchors.of(edge) !== null;
    if (isAbsent(source)) sourceGone.push({ ...row, silenced: null, artifact: view.documentOf(object) });
    else if (row.silenced !== null) silenced.push({ ...row, silenced: row.silenced, artifact: view.documentOf(object) });
    else rows.push(row as Row);
  }
  rows.push(...documentRows(view, object));
  const isUnknown = hasUnknownProvenance(view, object);
  const isOver = isFinished(view, object);
  if (sources.size === 0 && rows.length === 0 && !isUnknown && !isOver) return null;
  return {
    artifact: { ...view.documentOf(object), lifecycle: isOver ? 'finished' : 'live', rows: rows.sort(bySource) },
    silenced: silenced.sort(bySource),
    sourceGone: sourceGone.sort(bySource),
    isUnknown,
    isFinishedBeside: isOver && rows.length === 0 && silenced.length === 0,
    sources: [...sources],
    isPassing,
  };
}

/** Whether a waiver of an edge holds for a time only. */
function isTimed(graph: Graph, edge: number): boolean {
  for (const resolution of resolutionsOf(graph, edge)) if (graph.resolutionExpires.at(resolution) > 0) return true;
  return false;
}

function isFinished({ workspace, documentOf }: View, object: number): boolean {
  return workspace.replica.reading.facts.lifecycles.get(documentOf(object).object)?.value.state === 'frozen';
}

/**
 * Whether the present version of a document has no inputs although an earlier one had: an edit from outside took them away. Only
 * where the context shows that version; inputs are confirmed for no other.
 */
function hasUnknownProvenance(view: View, object: number): boolean {
  const { graph } = view;
  if (!graph.isArtifact(object) || graph.objectHeads.at(object) !== 1) return false;
  const head = graph.objectHeadMix.at(object);
  if (graph.nodeFirstEdge.at(head) !== none) return false;
  const selection = view.select(object);
  return selection.kind === 'one' && selection.node === head && !isFinished(view, object);
}

/** What rows are ordered by. */
export type Sourced = Pick<Row, 'source' | 'edge'>;

/** The order of rows under one artifact: by source path, then by edge. */
export function bySource(a: Sourced, b: Sourced): number {
  const bySourcePath = compare(a.source?.path ?? '', b.source?.path ?? '');
  return bySourcePath || compare(a.edge?.txf ?? '', b.edge?.txf ?? '') || (a.edge?.input ?? 0) - (b.edge?.input ?? 0);
}

/** The order of documents: by path, those without one last. */
export function byPath(a: NamedDocument, b: NamedDocument): number {
  return compare(a.path, b.path) || compare(a.object, b.object);
}

const compare = (a: string | null, b: string | null) => ((a ?? '\uffff') < (b ?? '\uffff') ? -1 : a === b ? 0 : 1);
