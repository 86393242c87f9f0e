import { digest } from '#core/digest';
import type { Workspace } from '#core/workspace/workspace';
import type { EdgeAnchor } from '#kernel/body-edge';
import { none } from '#kernel/key-table';
import { contentHash } from '#kernel/revision';
import { resolveSection, type SectionReading, sectionStatus } from '#kernel/section';

/** The section that an edge is narrowed to, and how it stands against what was anchored. */
export interface AnchoredSection {
  path: string[];
  readonly status: 'changed' | 'unchanged' | 'lost' | 'unavailable';
}

const statuses = {
  'anchor-changed': 'changed',
  'anchor-unchanged': 'unchanged',
  'anchor-lost': 'lost',
  'content-unavailable': 'unavailable',
} as const;

/** Compares the anchored section with the current revision `current` of the source; null without an anchor or a current revision. */
export function anchoredSection(workspace: Workspace, anchor: EdgeAnchor | null, current: number): AnchoredSection | null {
  if (anchor === null || anchor.headings.length === 0 || current === none) return null;
  const status = sectionStatus(anchor.anchored_hash, readSection(workspace, anchor.headings, current));
  return status === null ? null : { path: [...anchor.headings], status: statuses[status] };
}

/** The section at `headings` in a recorded revision: its hash, or why there is none. */
export function readSection(workspace: Workspace, headings: readonly string[], node: number): SectionReading {
  const snapshot = workspace.snapshots.get(workspace.replica.reading.graph.contentText(node));
  if (snapshot.kind !== 'found') return { kind: 'content-unavailable' };
  const text = snapshot.bytes.toString('utf8');
  const section = resolveSection(text, headings, digest.utf8Length);
  return section.kind === 'found' ? { kind: 'found', hash: contentHash(digest, text.slice(section.start, section.end)) } : section;
}
