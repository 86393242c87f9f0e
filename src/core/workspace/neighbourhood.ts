import { bySource } from '#core/workspace/breakdown-part';
import { documentRows, edgeRow, type Row } from '#core/workspace/breakdown-row';
import { type Looking, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import type { EdgeRef } from '#kernel/body-field';
import { none } from '#kernel/key-table';
import { findListed, listedFrom, listedInto, projectEdge } from '#kernel/projection';
import type { DocumentCoherence, SilencedRow } from '#protocol/breakdown-calls';

/** The rows about one document: as the artifact, and as a source of others. Fresh ones too; those that ask nothing stand apart. */
export interface Neighbourhood {
  readonly restsOn: DocumentCoherence['restsOn'];
  readonly restedBy: DocumentCoherence['restedBy'];
  readonly silenced: readonly SilencedRow[];
}

/** What an object rests on and what rests on it. */
export function neighbourhood(workspace: Workspace, object: string, looking: Looking): Neighbourhood {
  const view = viewOf(workspace, looking);
  const { graph } = view;
  const number = graph.findObject(object);
  if (number === none) return { restsOn: [], restedBy: [], silenced: [] };
  const restsOn: Row[] = [...documentRows(view, number)];
  const restedBy: { object: string; path: string | null; row: Row }[] = [];
  const silenced: SilencedRow[] = [];
  const artifactOf = (edge: number) => graph.nodeObject(graph.edgeArtifact.at(edge));
  const edges = [...listedInto(graph, view.select, number), ...listedFrom(graph, view.select, number)];
  // An order that depends on the ledger only: the newest input of each artifact first.
  for (const edge of edges.sort((a, b) => artifactOf(a) - artifactOf(b) || b - a)) {
    const artifact = artifactOf(edge);
    const about = view.documentOf(artifact);
    const row = edgeRow(view, projectEdge(graph, edge, view.select, view.now));
    if (row.silenced !== null) silenced.push({ ...row, silenced: row.silenced, artifact: about });
    else if (artifact === number) restsOn.push({ ...row, silenced: null });
    else restedBy.push({ ...about, row: { ...row, silenced: null } });
  }
  return { restsOn: restsOn.sort(bySource), restedBy: restedBy.sort((a, b) => compare(a.path, b.path)), silenced };
}

const compare = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : 1);

/** One edge as the breakdown would show it now; null where it would not be listed, or asks nothing. */
export function rowNow(workspace: Workspace, edge: EdgeRef, looking: Looking = {}): Row | null {
  const view = viewOf(workspace, looking);
  const number = findListed(view.graph, view.select, edge);
  if (number === none) return null;
  const row = edgeRow(view, projectEdge(view.graph, number, view.select, view.now));
  return row.silenced === null && row.state !== 'fresh' ? { ...row, silenced: null } : null;
}
