import { newReading } from '#core/storage/segment-reader';
import { edgeKinds } from '#kernel/body-transformation';
import { listedEdges, live, projectEdge, resolutionsOf } from '#kernel/projection';
import type { Reading } from '#kernel/reading';

/** Reads segments as a replica does: anew, as often as an entry turns out to be superseded. */
export function readSegments(segments: readonly Buffer[]): Reading {
  for (let reading = newReading(); ; reading = newReading(reading.winners)) {
    for (const [number, bytes] of segments.entries()) reading.read(bytes, number, 0);
    if (!reading.conflict) return reading;
  }
}

/** All that a reading says, by names and in one order, so that two readings can be compared whatever they were read from. */
export function dumpReading(reading: Reading) {
  const { graph, facts } = reading;
  const objects = [...Array(graph.objects.size).keys()].map((object) => ({
    id: graph.objectText(object),
    newest: graph.objectNewest.at(object),
    heads: graph.heads(object).map((head) => graph.revisionText(head)),
    revisions: [...graph.revisions(object)]
      .map((node) => ({
        revision: graph.revisionText(node),
        content: graph.contentText(node),
        label: graph.depth(node),
        author: graph.entryText(graph.nodeEntry.at(node)),
        parents: graph
          .parentsOf(node)
          .map((parent) => graph.revisionText(parent))
          .sort(),
        edges: [...graph.edgesInto(node)].map((edge) => describeEdge(reading, edge)).sort(byJson),
      }))
      .sort(byJson),
  }));
  return { objects: objects.sort(byJson), facts: facts.toJSON(), entries: graph.entryTime.length, mismatches: graph.mismatches.length };
}

function describeEdge({ graph }: Reading, edge: number) {
  return {
    txf: graph.entryText(graph.edgeEntry.at(edge)),
    input: graph.edgeInput.at(edge),
    source: graph.objectText(graph.edgeSource.at(edge)),
    pinned: graph.revisionText(graph.edgePinned.at(edge)),
    kind: edgeKinds[graph.edgeKind.at(edge)],
    resolutions: [...resolutionsOf(graph, edge)].map((one) => graph.entryText(graph.resolutionEntry.at(one))).sort(),
  };
}

/** The listed edges with their states, as the plain replay gives them. */
export function listRows(reading: Reading, now: string) {
  const { graph } = reading;
  const select = live(graph);
  return [...listedEdges(graph, select)]
    .map((edge) => {
      const { state, current } = projectEdge(graph, edge, select, Date.parse(now));
      const { txf, input, source, pinned, resolutions } = describeEdge(reading, edge);
      const artifact = graph.objectText(graph.nodeObject(graph.edgeArtifact.at(edge)));
      return {
        txf,
        input,
        source,
        artifact,
        pinned,
        state,
        current: current === 0xffffffff ? null : graph.revisionText(current),
        resolutions: resolutions.length,
      };
    })
    .sort(byJson);
}

const byJson = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
