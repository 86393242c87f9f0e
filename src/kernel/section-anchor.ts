import type { EdgeAnchor } from '#kernel/body-edge';
import type { EdgeRef } from '#kernel/body-field';
import { type Dated, edgeKey, type Facts, isNewer } from '#kernel/facts';
import type { Graph } from '#kernel/graph';

/**
 * The section that an edge is narrowed to. `own`: an entry of this edge says so, with a hash; else it comes from `from`,
 * an edge of an earlier version to the same source, and its hash is that of the section where this edge is pinned.
 */
export type SectionAnchor = { readonly kind: 'own'; readonly anchor: EdgeAnchor } | CarriedAnchor;

/** A section that an earlier version rested on. */
export interface CarriedAnchor {
  readonly kind: 'carried';
  readonly headings: readonly string[];
  readonly from: EdgeRef;
}

/** Which section each edge is narrowed to, null where it rests on the whole source. */
export interface SectionAnchors {
  of(edge: number): SectionAnchor | null;
  /** What an edge to `source` would carry that makes a new version over `parents`. */
  carried(parents: readonly number[], source: number): CarriedAnchor | null;
}

/**
 * Reads the section anchors of a ledger. The newest entry of an edge counts, also where it clears; an edge without any
 * carries what the nearest earlier versions of its artifact say of the same source, the newest of those
 * (`spec/format.md` §7). Where a ledger has no anchors nothing is looked for.
 */
export function sectionAnchors(graph: Graph, facts: Facts): SectionAnchors {
  let found: ReadonlySet<number> | null = null;
  const hasAnchor = (artifact: number, source: number) => {
    if (facts.anchors.size === 0) return false;
    found ??= anchoredPairs(graph, facts);
    return found.has(pairKey(artifact, source));
  };
  const carried: SectionAnchors['carried'] = (parents, source) => {
    if (parents[0] === undefined || !hasAnchor(graph.nodeObject(parents[0]), source)) return null;
    const newest = nearestAnchor(graph, facts, parents, source);
    if (newest === null || newest.value.headings.length === 0) return null;
    return { kind: 'carried', headings: newest.value.headings, from: newest.value.edge };
  };
  return {
    carried,
    of(edge) {
      if (facts.anchors.size === 0) return null;
      const own = facts.anchors.get(edgeKey(refOf(graph, edge)))?.value;
      if (own !== undefined) return own.headings.length === 0 ? null : { kind: 'own', anchor: own };
      return carried(graph.parentsOf(graph.edgeArtifact.at(edge)), graph.edgeSource.at(edge));
    },
  };
}

/** The name of an edge. */
export function refOf(graph: Graph, edge: number): EdgeRef {
  return { txf: graph.entryText(graph.edgeEntry.at(edge)), input: graph.edgeInput.at(edge) };
}

/** Artifact and source as one number; both are counts far below 2^26. */
const pairKey = (artifact: number, source: number) => artifact * 0x4000000 + source;

/** The artifacts and sources of which some edge was ever anchored, so that no other edge is looked for in earlier versions. */
function anchoredPairs(graph: Graph, facts: Facts): Set<number> {
  const pairs = new Set<number>();
  for (const { value } of facts.anchors.values()) {
    for (const edge of graph.edgesNamed(value.edge)) {
      pairs.add(pairKey(graph.nodeObject(graph.edgeArtifact.at(edge)), graph.edgeSource.at(edge)));
    }
  }
  return pairs;
}

/** Of each line of ancestors the first version whose edges to the source have entries; of all those entries the newest. */
function nearestAnchor(graph: Graph, facts: Facts, parents: readonly number[], source: number): Dated<EdgeAnchor> | null {
  let newest: Dated<EdgeAnchor> | null = null;
  const seen = new Set(parents);
  const waiting = [...seen];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const here = anchorAt(graph, facts, node, source);
    if (here !== null) newest = newest === null || isNewer(here, newest) ? here : newest;
    else {
      for (const parent of graph.parentsOf(node)) {
        if (!seen.has(parent)) waiting.push(parent);
        seen.add(parent);
      }
    }
  }
  return newest;
}

function anchorAt(graph: Graph, facts: Facts, node: number, source: number): Dated<EdgeAnchor> | null {
  let newest: Dated<EdgeAnchor> | null = null;
  for (const edge of graph.edgesInto(node)) {
    if (graph.edgeSource.at(edge) !== source) continue;
    const dated = facts.anchors.get(edgeKey(refOf(graph, edge)));
    if (dated !== undefined && (newest === null || isNewer(dated, newest))) newest = dated;
  }
  return newest;
}
