import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { readIfThere } from '#core/storage/disk';
import { spelledOnDisk, staysInside } from '#core/workspace/place';
import { sectionOf } from '#core/workspace/section';
import { type Looking, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import type { EdgeRef } from '#kernel/body-field';
import { none } from '#kernel/key-table';
import { findListed } from '#kernel/projection';
import { Fault, faultFromSystem } from '#protocol';
import type { EdgeChange, VersionText } from '#protocol/breakdown-calls';

/** What changed behind a row. The texts of the source are those of the snapshots, the artifact's is the file's. */
export function edgeChange(workspace: Workspace, edge: EdgeRef, looking: Looking = {}): EdgeChange {
  const view = viewOf(workspace, looking);
  const { graph, select, pathOf } = view;
  const number = findListed(graph, select, edge);
  if (number === none) throw new Fault('row-gone', {});
  const selection = select(graph.edgeSource.at(number));
  const path = spelled(workspace, pathOf(graph.objectText(graph.nodeObject(graph.edgeArtifact.at(number)))));
  return {
    before: versionText(workspace, graph.edgePinned.at(number)),
    now: selection.kind === 'one' ? versionText(workspace, selection.node) : null,
    versions: selection.kind === 'several' ? graph.heads(graph.edgeSource.at(number)).map((head) => versionText(workspace, head)) : [],
    artifact: { path, text: path === null ? null : textOnDisk(workspace, path) },
    section: sectionOf(view, number, selection.kind === 'one' ? selection.node : none).section?.path ?? null,
  };
}

/** A revision with its text, and who made it when. */
function versionText(workspace: Workspace, node: number): VersionText {
  const { graph } = workspace.replica.reading;
  const revision = graph.revisionText(node);
  if (graph.nodeRecorded.at(node) !== 1) return { revision, label: null, time: null, agent: null, by: null, text: null };
  return { revision, label: `v${graph.depth(node)}`, ...authorOf(workspace, node), text: snapshotText(workspace, node) };
}

/** When a recorded revision was made, and by whom: by the entry that made it first. */
export function authorOf({ replica }: Pick<Workspace, 'replica'>, node: number): Pick<VersionText, 'time' | 'agent' | 'by'> {
  const { time, body } = JSON.parse(entryLine({ replica }, replica.reading.graph.nodeEntry.at(node))) as {
    time: string;
    body: { agent: { type: string; id?: string | null } };
  };
  return { time, agent: body.agent.type, by: body.agent.id ?? null };
}

/** The line of an entry by its row in the graph. */
export function entryLine({ replica }: Pick<Workspace, 'replica'>, row: number): string {
  const { graph } = replica.reading;
  return replica.lineAt({ segment: graph.entrySegment.at(row), offset: graph.entryOffset.at(row), length: graph.entryLength.at(row) });
}

function snapshotText({ snapshots, replica }: Workspace, node: number): string | null {
  const snapshot = snapshots.get(replica.reading.graph.contentText(node));
  return snapshot.kind === 'found' && isUtf8(snapshot.bytes) ? snapshot.bytes.toString('utf8') : null;
}

/** A registered path as it is on the disk: two systems may spell it differently. */
function spelled({ disk, root }: Workspace, path: string | null): string | null {
  return path === null || !staysInside(disk, root, path) ? path : spelledOnDisk(disk, root, path.split('/')).join('/');
}

/** A ledger that came with somebody's files may name any path: only what is inside is read. */
function textOnDisk({ disk, root }: Workspace, path: string): string | null {
  if (!staysInside(disk, root, path)) return null;
  try {
    const bytes = readIfThere(disk, join(root, path));
    return bytes !== null && isUtf8(bytes) ? bytes.toString('utf8') : null;
  } catch (error) {
    throw faultFromSystem(error, path);
  }
}
