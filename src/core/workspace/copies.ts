import { digest } from '#core/digest';
import { readDocument } from '#core/document';
import { observed } from '#core/workspace/observation';
import { readFile } from '#core/workspace/record';
import { versionsOf } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import { type ContentHash, type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { scanIdem } from '#kernel/writing';

/** The recorded revision that has the text of a conflicted copy; null where there is none. */
export function copyRevision({ replica }: Workspace, object: Uuid, content: ContentHash): RevisionId | null {
  return versionsOf(replica.reading.graph, object, undefined).withContent(content);
}

/**
 * Makes the text of a conflicted copy a version of its document, so that nothing of it is lost when the copy goes:
 * by nobody that is known, and following nothing, for what it was made from is not known. The caller holds the lock.
 */
export async function recordCopy(workspace: Workspace, object: Uuid, copy: string): Promise<RevisionId> {
  const bytes = readFile(workspace, copy);
  const document = readDocument(bytes, copy);
  const known = copyRevision(workspace, object, document.contentHash);
  if (known !== null) return known;
  const revision = revisionId(digest, document.contentHash, []);
  const { intent, ...by } = observed(null);
  const body = {
    inputs: [],
    outputs: [{ object, revision, content_hash: document.contentHash, parents: [] }],
    ...by,
    intent: { ...intent, summary: `conflicted copy ${copy}`.slice(0, 1000) },
  };
  const idem = scanIdem(digest, 'transformation', object, revision);
  const ready = workspace.recorder.ready([{ kind: 'transformation', body, subjects: [object], idem }]);
  workspace.snapshots.put(document.contentHash, document.masked === null ? bytes : Buffer.from(document.masked, 'utf8'));
  await workspace.recorder.append(ready);
  return revision;
}
