import { digest } from '#core/digest';
import type { View } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import { contentHash } from '#kernel/revision';
import { resolveSection, type SectionInText, sectionPaths, sectionStatus } from '#kernel/section';
import type { Outputs } from '#protocol';

type EdgeRow = Extract<Outputs['breakdown']['artifacts'][number]['rows'][number], { edge: object }>;

const statuses = {
  'anchor-changed': 'changed',
  'anchor-unchanged': 'unchanged',
  'anchor-lost': 'lost',
  'content-unavailable': 'unavailable',
} as const;

/** What a row says of the section that its edge is narrowed to; `notCarried` where an earlier version was narrowed to one that is not there. */
export type RowSection = Pick<EdgeRow, 'section' | 'notCarried'>;

/** Compares the section that an edge is narrowed to with the current revision `current` of its source, of which there may be none. */
export function sectionOf({ workspace, graph, anchors }: View, edge: number, current: number): RowSection {
  const anchor = current === none ? null : anchors.of(edge);
  if (anchor === null) return { section: null };
  if (anchor.kind === 'own') {
    const { headings, anchored_hash, carried_from } = anchor.anchor;
    const status = sectionStatus(anchored_hash, readSection(workspace, headings, current));
    return { section: status === null ? null : narrowed(headings, statuses[status], carried_from !== undefined) };
  }
  const { headings } = anchor;
  const pinned = readSection(workspace, headings, graph.edgePinned.at(edge));
  if (pinned.kind === 'content-unavailable') return { section: narrowed(headings, 'unavailable', true) };
  if (pinned.kind !== 'found') return { section: null, notCarried: { path: [...headings], reason: reasonOf(pinned.kind) } };
  const status = sectionStatus(pinned.hash, readSection(workspace, headings, current));
  return { section: status === null ? null : narrowed(headings, statuses[status], true) };
}

function narrowed(headings: readonly string[], status: NonNullable<EdgeRow['section']>['status'], carried: boolean): EdgeRow['section'] {
  return { path: [...headings], status, ...(carried ? { carried: true as const } : {}) };
}

const reasonOf = (kind: SectionInText['kind']) => (kind === 'ambiguous' ? 'ambiguous' : 'not-found');

/** The section at `headings` in a revision: its hash, or why there is none. */
export function readSection(workspace: Workspace, headings: readonly string[], node: number): SectionInText {
  const text = storedText(workspace, node);
  if (text === null) return { kind: 'content-unavailable' };
  const section = resolveSection(text, headings, digest.utf8Length);
  return section.kind === 'found' ? { kind: 'found', hash: contentHash(digest, text.slice(section.start, section.end)) } : section;
}

/** The heading paths that a person may choose from in a revision; null where its text is not available. */
export function sectionsIn(workspace: Workspace, node: number): string[][] | null {
  const text = storedText(workspace, node);
  return text === null ? null : sectionPaths(text, digest.utf8Length);
}

function storedText({ replica, snapshots }: Workspace, node: number): string | null {
  const { graph } = replica.reading;
  if (graph.nodeRecorded.at(node) !== 1) return null;
  const snapshot = snapshots.get(graph.contentText(node));
  return snapshot.kind === 'found' ? snapshot.bytes.toString('utf8') : null;
}
