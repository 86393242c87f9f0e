import { join } from 'node:path';
import { realChance } from '#core/core';
import { openHome } from '#core/home';
import { realDisk } from '#core/storage/disk';
import { edgeRow } from '#core/workspace/breakdown-row';
import { viewOf } from '#core/workspace/view';
import { assembleWorkspace, type Workspace } from '#core/workspace/workspace';
import { listedEdges, type ProjectedEdge, projectEdge } from '#kernel/projection';

/** A workspace as core has it, without git, and with its app data in a folder of its own. */
export function openWorkspace(root: string, home: string): Workspace {
  const { newId, now } = realChance;
  return assembleWorkspace({
    root,
    disk: realDisk,
    home: openHome(realDisk, join(home, 'home'), () => newId(now())),
    git: () => null,
    chance: realChance,
  });
}

/**
 * Counts by state and the first rows by the artifact's path. Core computes a breakdown whole and cuts pages from it, so
 * this is put together from its parts. What is silenced is not counted apart.
 */
export function firstPage(workspace: Workspace, size: number) {
  const view = viewOf(workspace);
  const { graph, select, pathOf } = view;
  const counts: Record<string, number> = {};
  const artifacts = new Map<number, ProjectedEdge[]>();
  for (const edge of listedEdges(graph, select)) {
    const projected = projectEdge(graph, edge, select, view.now);
    counts[projected.state] = (counts[projected.state] ?? 0) + 1;
    if (projected.state === 'fresh') continue;
    const object = graph.nodeObject(graph.edgeArtifact.at(edge));
    const edges = artifacts.get(object);
    if (edges === undefined) artifacts.set(object, [projected]);
    else edges.push(projected);
  }
  const byPath = [...artifacts].map(([object, edges]) => ({ path: pathOf(graph.objectText(object)) ?? '', edges }));
  byPath.sort((a, b) => (a.path < b.path ? -1 : 1));
  const rows = [];
  for (const { edges } of byPath) {
    if (rows.length >= size) break;
    for (const edge of edges) rows.push(edgeRow(view, edge));
  }
  return { counts, rows: rows.slice(0, size) };
}
