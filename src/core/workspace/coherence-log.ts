import { entriesWith } from '#core/workspace/ledger-search';
import { type View, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import { edgeKey } from '#kernel/facts';
import { none } from '#kernel/key-table';
import { type EdgeEntry, isEdgeEntry, type LogRow, logbook } from '#kernel/logbook';
import { refOf } from '#kernel/section-anchor';
import type { Outputs } from '#protocol';

type Log = Outputs['coherence-log'];
type Row = Log['rows'][number];
type LoggedAct = Row['acts'][number];

/** The rows from `offset`, at most `limit`; the counts are of all. */
export interface LogRequest {
  readonly offset: number;
  readonly limit: number;
}

/** Everything that was ever said of edges, read from the ledger anew (`spec/breakdown.md` §4). The replica must be fresh. */
export async function coherenceLog(workspace: Workspace, { offset, limit }: LogRequest): Promise<Log> {
  const { rows, resolvedAgain, tally } = logbook(await edgeEntries(workspace));
  const shown = rows.slice(offset, offset + limit);
  const view = viewOf(workspace);
  const edges = edgesOf(view, shown);
  return {
    format: 1,
    total: rows.length,
    resolvedAgain,
    tally,
    rows: shown.map((row) => rowOf(view, row, edges.get(edgeKey(row.edge)) ?? none)),
  };
}

/** The entries about edges. What every line of them has in it is the name of that field. */
const edgeEntries = (workspace: Workspace) => entriesWith(workspace, '"edge"', isEdgeEntry);

/** The edges of some rows, found in one look over all; of an entry with several outputs a listed one. */
function edgesOf({ graph, select }: View, rows: readonly LogRow[]): Map<string, number> {
  const isWanted = new Uint8Array(graph.ids.size);
  for (const { edge } of rows) {
    const ref = graph.findRef(edge.txf);
    if (ref !== none) isWanted[ref] = 1;
  }
  const found = new Map<string, number>();
  for (let edge = 0; edge < graph.edgeEntry.length; edge++) {
    if (isWanted[graph.entryRef.at(graph.edgeEntry.at(edge))] === 0) continue;
    const key = edgeKey(refOf(graph, edge));
    if (!found.has(key) || isListed({ graph, select }, edge)) found.set(key, edge);
  }
  return found;
}

function isListed({ graph, select }: Pick<View, 'graph' | 'select'>, edge: number): boolean {
  const artifact = graph.edgeArtifact.at(edge);
  const selection = select(graph.nodeObject(artifact));
  return selection.kind === 'one' && selection.node === artifact;
}

function rowOf(view: View, row: LogRow, edge: number): Row {
  const { graph } = view;
  const anchor = edge === none ? null : view.anchors.of(edge);
  const section = anchor === null ? null : [...(anchor.kind === 'own' ? anchor.anchor.headings : anchor.headings)];
  return {
    edge: row.edge,
    artifact: edge === none ? null : view.documentOf(graph.nodeObject(graph.edgeArtifact.at(edge))),
    source: edge === none ? null : view.documentOf(graph.edgeSource.at(edge)),
    section,
    listed: edge !== none && isListed(view, edge),
    resolutions: row.resolutions,
    lastResolution: row.lastResolution,
    judgment: row.judgment,
    acts: row.entries.map((entry) => actOf(view, entry)),
  };
}

function actOf(view: View, entry: EdgeEntry): LoggedAct {
  const { id, time } = entry;
  switch (entry.kind) {
    case 'check-result': {
      const { model, verdict, confidence, downgraded, evidence } = entry.body;
      const quotes = (all: typeof evidence) =>
        all.map(({ object, quote }) => ({ path: object === undefined ? null : view.pathOf(object), quote }));
      const own = downgraded && {
        verdict: downgraded.verdict,
        reason: downgraded.reason,
        tau: downgraded.tau,
        evidence: quotes(downgraded.evidence),
      };
      return { id, time, kind: 'check', model, verdict, confidence, downgraded: own, evidence: quotes(evidence) };
    }
    case 'flag-judgment':
      return { id, time, kind: 'judgment', judgment: entry.body.judgment, note: entry.body.note };
    case 'edge-anchor':
      return { id, time, kind: 'anchor', path: [...entry.body.headings], carried: entry.body.carried_from !== undefined };
    default: {
      const { actor, reason, expires, delegation, resolved_against: against } = entry.body;
      return { id, time, kind: entry.kind, by: actor, against, reason, expires, grant: delegation };
    }
  }
}
