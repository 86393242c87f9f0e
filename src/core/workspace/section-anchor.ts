import { digest } from '#core/digest';
import type { NewEntry } from '#core/workspace/recorder';
import { readSection } from '#core/workspace/section';
import type { View } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import type { EdgeRef } from '#kernel/body-field';
import { none } from '#kernel/key-table';
import { type CarriedAnchor, refOf, sectionAnchors } from '#kernel/section-anchor';
import type { Uuid } from '#kernel/uuid';
import { carriedIdem, renewedIdem } from '#kernel/writing';

/** Accepting an edge that is narrowed to a section, by itself or by an earlier version, pins the section as it is at `node`. `accepted`: the idem of the acceptance. */
export function renewedAnchor({ workspace, graph, anchors }: View, edge: number, node: number, accepted?: Uuid): NewEntry[] {
  const anchor = anchors.of(edge);
  if (anchor === null) return [];
  const headings = anchor.kind === 'own' ? anchor.anchor.headings : anchor.headings;
  // A path that does not lead to one section where the edge is pinned was not carried to it.
  const pinned = anchor.kind === 'own' ? null : readSection(workspace, headings, graph.edgePinned.at(edge)).kind;
  if (pinned !== null && pinned !== 'found' && pinned !== 'content-unavailable') return [];
  const section = readSection(workspace, headings, node);
  if (section.kind !== 'found') return [];
  const idem = accepted === undefined ? {} : { idem: renewedIdem(digest, accepted) };
  return [{ kind: 'edge-anchor', body: { edge: refOf(graph, edge), headings, anchored_hash: section.hash }, subjects: [], ...idem }];
}

/**
 * The section anchors that a new version carries from the ones before it (`spec/format.md` §7), so that VMark, which
 * knows anchors by their edges only, sees them too. `txf` is the id that the transformation `version` was given. One whose
 * section is not in the source as it was read is not carried; the breakdown says so.
 */
export function carriedAnchors(workspace: Workspace, txf: Uuid, version: NewEntry): NewEntry[] {
  if (version.kind !== 'transformation') return [];
  const { graph, facts } = workspace.replica.reading;
  const anchors = sectionAnchors(graph, facts);
  const parents = version.body.outputs.flatMap(({ object, parents: names }) =>
    names.map((name) => graph.findNode(graph.findObject(object), name)).filter((node) => node !== none),
  );
  return version.body.inputs.flatMap((input, index) => {
    const source = input.role === 'direct' ? graph.findObject(input.object) : none;
    const carried = source === none ? null : anchors.carried(parents, source);
    const pinned = graph.findNode(source, input.revision);
    return carried === null || pinned === none ? [] : carriedTo(workspace, { txf, input: index }, carried, pinned);
  });
}

function carriedTo(workspace: Workspace, edge: EdgeRef, { headings, from }: CarriedAnchor, pinned: number): NewEntry[] {
  const section = readSection(workspace, headings, pinned);
  if (section.kind !== 'found') return [];
  const body = { edge, headings, anchored_hash: section.hash, carried_from: from };
  return [{ kind: 'edge-anchor', body, subjects: [], idem: carriedIdem(digest, edge) }];
}
