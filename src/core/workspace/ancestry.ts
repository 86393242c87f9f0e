import type { Graph } from '#kernel/graph';

/** The recorded revisions that a revision descends from, itself among them. */
export function lineageOf(graph: Graph, node: number): Set<number> {
  const seen = new Set([node]);
  const queue = [node];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const parent of graph.nodeRecorded.at(next) === 1 ? graph.parentsOf(next) : []) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(parent);
    }
  }
  return seen;
}

/** The nearest recorded revision that all of these descend from or are; of several the newest. Null where there is none. */
export function nearestCommon(graph: Graph, nodes: readonly number[]): number | null {
  const [first, ...others] = nodes.map((node) => lineageOf(graph, node));
  if (first === undefined) return null;
  const common = [...first].filter((node) => graph.nodeRecorded.at(node) === 1 && others.every((lineage) => lineage.has(node)));
  const timeOf = (node: number) => graph.entryTime.at(graph.nodeEntry.at(node));
  const nearer = (a: number, b: number) => graph.depth(b) - graph.depth(a) || timeOf(b) - timeOf(a);
  return common.sort((a, b) => nearer(a, b) || (graph.revisionText(a) < graph.revisionText(b) ? -1 : 1))[0] ?? null;
}
