import { type Looking, type View, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import { listedEdges } from '#kernel/projection';
import type { TouchedDocument, TouchedDocuments } from '#protocol/breakdown-calls';

/** Whose blast radius is asked for, and which part of the answer. */
export interface Touching extends Looking {
  readonly object: string;
  readonly offset: number;
  readonly limit: number;
}

/**
 * What rests on a document, near ones first: what would be asked about if it changed (`distance` 1), and what would be once
 * that was revised. A document is there once, at its least distance.
 */
export function touched(workspace: Workspace, { object, offset, limit, ...looking }: Touching): TouchedDocuments {
  const view = viewOf(workspace, looking);
  const start = view.graph.findObject(object);
  if (start === none) return { total: 0, direct: 0, documents: [] };
  const reached = [...reach(view, start)].map((step) => documentAt(view, step)).sort(nearFirst);
  const direct = reached.filter(({ distance }) => distance === 1).length;
  return { total: reached.length, direct, documents: reached.slice(offset, offset + limit) };
}

interface Step {
  readonly object: number;
  readonly distance: number;
  readonly edge: number;
}

function* reach(view: View, start: number): Generator<Step> {
  const below = dependents(view);
  const seen = new Set([start]);
  let front = [start];
  for (let distance = 1; front.length > 0; distance++) {
    const next: number[] = [];
    for (const source of front)
      for (const edge of below.get(source) ?? []) {
        const object = view.graph.nodeObject(view.graph.edgeArtifact.at(edge));
        if (seen.has(object)) continue;
        seen.add(object);
        next.push(object);
        yield { object, distance, edge };
      }
    front = next;
  }
}

/** The listed edges by their sources, without those that pass no change on. */
function dependents({ graph, select, absent }: View): Map<number, number[]> {
  const below = new Map<number, number[]>();
  for (const edge of listedEdges(graph, select)) {
    const kind = graph.edgeKindText(edge);
    if (kind === 'part-of' || kind === 'mention') continue;
    if (absent.has(graph.objectText(graph.nodeObject(graph.edgeArtifact.at(edge))))) continue;
    const source = graph.edgeSource.at(edge);
    const known = below.get(source);
    if (known === undefined) below.set(source, [edge]);
    else known.push(edge);
  }
  return below;
}

function documentAt(view: View, { object, distance, edge }: Step): TouchedDocument {
  const document = view.documentOf(object);
  const anchor = view.anchors.of(edge);
  const headings = anchor === null ? null : anchor.kind === 'own' ? anchor.anchor.headings : anchor.headings;
  const isFinished = view.workspace.replica.reading.facts.lifecycles.get(document.object)?.value.state === 'frozen';
  return {
    ...document,
    distance,
    through: distance === 1 ? null : view.documentOf(view.graph.edgeSource.at(edge)),
    section: headings === null ? null : [...headings],
    lifecycle: isFinished ? 'finished' : 'live',
  };
}

function nearFirst(a: TouchedDocument, b: TouchedDocument): number {
  const [one, other] = [a, b].map(({ path, object }) => `${path ?? '\uffff'} ${object}`) as [string, string];
  return a.distance - b.distance || (one < other ? -1 : 1);
}
