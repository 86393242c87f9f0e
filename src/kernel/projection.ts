import type { EdgeRef } from '#kernel/body-field';
import type { Graph } from '#kernel/graph';
import { none } from '#kernel/key-table';

/** The states of an edge seen through a context; computed, never stored (`spec/format.md` §7). */
const edgeStates = ['fresh', 'version-stale', 'diverged', 'diverged-multi-head', 'waived', 'unpinnable'] as const;
/** One of `edgeStates`. */
export type EdgeState = (typeof edgeStates)[number];

/** What a context takes for current: one revision, none, or several heads. */
export type Selection = { readonly kind: 'one'; readonly node: number } | { readonly kind: 'none' } | { readonly kind: 'several' };

/** What is current of each object; the default context answers `live`. */
export type Select = (object: number) => Selection;

const nothing: Selection = { kind: 'none' };
const several: Selection = { kind: 'several' };

/** The default context: the single head, whatever it is. */
export function live(graph: Graph): Select {
  return (object) => {
    const heads = graph.objectHeads.at(object);
    if (heads === 1) return { kind: 'one', node: graph.objectHeadMix.at(object) };
    return heads === 0 ? nothing : several;
  };
}

/** An edge with its state, what was current, and the resolution that decided, if one did (its number, else `none`). */
export interface ProjectedEdge {
  readonly edge: number;
  readonly state: EdgeState;
  readonly current: number;
  readonly resolution: number;
}

/** The edges that are listed: those that made the revision which is current of their artifact. */
export function* listedEdges(graph: Graph, select: Select): Generator<number> {
  for (let object = 0; object < graph.objects.size; object++) yield* listedInto(graph, select, object);
}

/** The listed edges of one artifact. */
export function* listedInto(graph: Graph, select: Select, object: number): Generator<number> {
  if (!graph.isArtifact(object)) return;
  const selection = select(object);
  if (selection.kind === 'one') yield* graph.edgesInto(selection.node);
}

/** The listed edges that rest on one source. */
export function* listedFrom(graph: Graph, select: Select, source: number): Generator<number> {
  for (const edge of graph.edgesFrom(source)) if (isListed(graph, select, edge)) yield edge;
}

function isListed(graph: Graph, select: Select, edge: number): boolean {
  const artifact = graph.edgeArtifact.at(edge);
  const selection = select(graph.nodeObject(artifact));
  return selection.kind === 'one' && selection.node === artifact;
}

/** The number of an edge of this name, listed or not, or `none`. */
export function findEdge(graph: Graph, name: EdgeRef): number {
  for (const edge of graph.edgesNamed(name)) return edge;
  return none;
}

/** The number of the edge of this name that is listed, or `none`; of an entry with several outputs any one, since what is said of one is said of all. */
export function findListed(graph: Graph, select: Select, name: EdgeRef): number {
  for (const edge of graph.edgesNamed(name)) if (isListed(graph, select, edge)) return edge;
  return none;
}

/** The state of one edge at instant `now`. */
export function projectEdge(graph: Graph, edge: number, select: Select, now: number): ProjectedEdge {
  const selection = select(graph.edgeSource.at(edge));
  const kind = graph.edgeKindText(edge);
  const passesNoChange = kind === 'part-of' || kind === 'mention';
  if (passesNoChange) return { edge, state: 'fresh', current: selection.kind === 'one' ? selection.node : none, resolution: none };
  if (selection.kind !== 'one') {
    return { edge, state: selection.kind === 'several' ? 'diverged-multi-head' : 'unpinnable', current: none, resolution: none };
  }
  const current = selection.node;
  const resolution = newestResolution(graph, edge, current);
  if (resolution !== none) {
    if (graph.resolutionWaives.at(resolution) === 0) return { edge, state: 'fresh', current, resolution };
    if (isActive(graph.resolutionExpires.at(resolution), now)) return { edge, state: 'waived', current, resolution };
  }
  return { edge, state: relation(graph, graph.edgePinned.at(edge), current), current, resolution: none };
}

function relation(graph: Graph, pinned: number, current: number): EdgeState {
  if (pinned === current) return 'fresh';
  if (graph.isAncestor(pinned, current)) return 'version-stale';
  return graph.isAncestor(current, pinned) ? 'fresh' : 'diverged';
}

/** A waiver without an expiry always holds; one whose expiry cannot be read (-1) never does. */
function isActive(expires: number, now: number): boolean {
  return Number.isNaN(expires) || expires > now;
}

/** The newest ratification or waiver of an edge, of those against the revision `current` where one is given; else `none`. */
export function newestResolution(graph: Graph, edge: number, current: number | null = null): number {
  let newest = none;
  // Nothing was said of most edges, and this is asked of half a million: no generator is made for them.
  if (graph.refFirstResolution.at(graph.entryRef.at(graph.edgeEntry.at(edge))) === none) return none;
  for (const resolution of resolutionsOf(graph, edge)) {
    if (current !== null && graph.resolutionAgainst.at(resolution) !== current) continue;
    if (newest === none || comesAfter(graph, graph.resolutionEntry.at(resolution), graph.resolutionEntry.at(newest))) newest = resolution;
  }
  return newest;
}

/** Every ratification and waiver of an edge, in no order. */
export function* resolutionsOf(graph: Graph, edge: number): Generator<number> {
  const input = graph.edgeInput.at(edge);
  const first = graph.refFirstResolution.at(graph.entryRef.at(graph.edgeEntry.at(edge)));
  for (let resolution = first; resolution !== none; resolution = graph.resolutionNext.at(resolution)) {
    if (graph.resolutionInput.at(resolution) === input) yield resolution;
  }
}

function comesAfter(graph: Graph, a: number, b: number): boolean {
  const difference = graph.entryTime.at(a) - graph.entryTime.at(b);
  return difference !== 0 ? difference > 0 : graph.entryText(a) > graph.entryText(b);
}

/** The revisions of an object that are current: the one that is selected, or all its heads where there are several. */
function currentNodes(graph: Graph, object: number, select: Select): number[] {
  const selection = select(object);
  if (selection.kind === 'one') return [selection.node];
  return selection.kind === 'several' ? graph.heads(object) : [];
}

/** Those of the current revisions of an object that were first recorded after the entry with this (time, id). */
export function currentSince(graph: Graph, object: number, select: Select, since: { time: number; id: string }): number[] {
  return currentNodes(graph, object, select).filter((node) => {
    const first = graph.nodeFirst.at(node);
    const difference = graph.entryTime.at(first) - since.time;
    return difference !== 0 ? difference > 0 : graph.entryText(first) > since.id;
  });
}

/** Whether two revisions hold the same text, which is so when their content hashes are equal. */
export function isSameText(graph: Graph, a: number, b: number): boolean {
  const content = graph.nodeContent.at(a);
  return content !== none && content === graph.nodeContent.at(b);
}
