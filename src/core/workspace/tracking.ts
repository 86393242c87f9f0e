import { join } from 'node:path';
import { readDocument } from '#core/document';
import { isLink } from '#core/storage/disk';
import { identify } from '#core/workspace/capture';
import { objectAt } from '#core/workspace/spelling';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import type { Tracking } from '#protocol/document-calls';

/** What is said of a file that is not tracked, or of which nothing can be said. */
export const untracked: Tracking = { by: null, reason: null };

/** Whether and how a file with these bytes is tracked; a link never is, and nothing is where provenance is off. */
export async function trackingOf(workspace: Workspace, path: string, bytes: Buffer): Promise<Tracking> {
  const policy = policyOf(workspace);
  if (policy === 'nothing' || isLink(workspace.disk, join(workspace.root, path))) return untracked;
  if (isKnown(workspace, path, bytes)) return { by: 'id', reason: null };
  if (objectAt(workspace, path) === null) return untracked;
  const identified = await identify(workspace, path, bytes, policy);
  return { by: 'path', reason: identified?.byPath ?? null };
}

const hyphen = 0x2d;

/** An id that nobody has recorded yet is tracked with the next save, but not before. A large text without frontmatter is not read for it. */
function isKnown({ replica }: Workspace, path: string, bytes: Buffer): boolean {
  const identity = bytes[0] === hyphen ? readDocument(bytes, path).identity : null;
  return identity !== null && replica.reading.facts.registrations.has(identity.id);
}
