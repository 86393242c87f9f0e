import { type Acted, act, actedEarlier } from '#core/workspace/act';
import { readSection, sectionsIn } from '#core/workspace/section';
import { type Looking, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import type { EdgeRef } from '#kernel/body-field';
import { none } from '#kernel/key-table';
import { findListed } from '#kernel/projection';
import { trimWhite } from '#kernel/text';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';
import type { EdgeSections } from '#protocol/breakdown-calls';

/** The section that a person narrows an edge to, as a heading path of the source as it is pinned; an empty one takes the whole source again. */
export interface Narrowing {
  readonly edge: EdgeRef;
  readonly headings: readonly string[];
  readonly context?: string | undefined;
  readonly idem?: Uuid;
}

/**
 * `gone`: the row is not listed any more. The others: where the edge is pinned, the path does not lead to just one
 * section, or is none, or the text is in no snapshot. Nothing was recorded then.
 */
export type Narrowed = Acted | { readonly kind: 'gone' | 'not-found' | 'ambiguous' | 'invalid' | 'content-unavailable' };

/**
 * Narrows an edge to a section, or widens it again. The hash is that of the section as pinned, so that anchoring a row that
 * has changed cannot swallow its change (`spec/format.md` §7). The caller holds the lock.
 */
export async function narrow(workspace: Workspace, { edge, headings, context, idem }: Narrowing): Promise<Narrowed> {
  const earlier = await actedEarlier(workspace, idem);
  if (earlier !== null) return earlier;
  const { graph, select } = viewOf(workspace, { context });
  const number = findListed(graph, select, edge);
  if (number === none) return { kind: 'gone' };
  const path = headings.map((heading) => trimWhite(heading.toWellFormed()));
  if (path.length === 0)
    return act(workspace, { kind: 'edge-anchor', body: { edge, headings: [], anchored_hash: null }, subjects: [] }, idem);
  const section = readSection(workspace, path, graph.edgePinned.at(number));
  if (section.kind !== 'found') return { kind: section.kind };
  const body = { edge, headings: path, anchored_hash: section.hash };
  return act(workspace, { kind: 'edge-anchor', body, subjects: [] }, idem);
}

/** The sections of the source as an edge pins it, to choose from, and the one that it is narrowed to. A row that is gone is a Fault. */
export function edgeSections(workspace: Workspace, edge: EdgeRef, looking: Looking): EdgeSections {
  const { graph, select, anchors } = viewOf(workspace, looking);
  const number = findListed(graph, select, edge);
  if (number === none) throw new Fault('row-gone', {});
  const anchor = anchors.of(number);
  const headings = anchor === null ? null : anchor.kind === 'own' ? anchor.anchor.headings : anchor.headings;
  return { sections: sectionsIn(workspace, graph.edgePinned.at(number)), section: headings === null ? null : [...headings] };
}
