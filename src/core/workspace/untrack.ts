import { withoutIdentity } from '#core/acts/copy';
import { failedOutcome, type Saver, saveChange } from '#core/acts/text-change';
import { readDocument } from '#core/document';
import { readFile } from '#core/workspace/record';
import { bytesHash } from '#core/workspace/save';
import { objectAt } from '#core/workspace/spelling';
import { walkDocuments } from '#core/workspace/walk';
import type { Workspace } from '#core/workspace/workspace';
import { maskIdentity } from '#kernel/identity';
import { canonicalText } from '#kernel/text';
import type { StampedDocument } from '#protocol/app-data-calls';
import type { FileOutcome } from '#protocol/search-calls';

/**
 * The documents that carry an id, with the lines that taking it out would remove; and those that the ledger knows by their path, in which there
 * is nothing to take out. The replica must be fresh. Writes nothing.
 */
export function stampedDocuments(workspace: Workspace): StampedDocument[] {
  return walkDocuments(workspace.disk, workspace.root).paths.flatMap((path) => {
    const bytes = readQuietly(workspace, path);
    const { text, identity } = bytes === null ? { text: null, identity: null } : readDocument(bytes, path);
    if (bytes === null) return [];
    if (text === null || identity === null) return objectAt(workspace, path) === null ? [] : [{ path, base: bytesHash(bytes), lines: [] }];
    return [{ path, base: bytesHash(bytes), lines: linesTaken(canonicalText(text)) }];
  });
}

function readQuietly(workspace: Workspace, path: string): Buffer | null {
  try {
    return readFile(workspace, path);
  } catch {
    // What cannot be read cannot be changed either.
    return null;
  }
}

function linesTaken(text: string): string[] {
  const left = maskIdentity(text).split('\n');
  const lines = text.split('\n');
  const first = lines.findIndex((line, at) => line !== left[at]);
  return lines.slice(first, first + lines.length - left.length);
}

/** Takes the ids out of documents, each only where its bytes are those that were planned from. Everything else in them stays. */
export async function takeOutIds(
  workspace: Workspace,
  saver: Saver,
  documents: readonly { readonly path: string; readonly base: string }[],
): Promise<FileOutcome[]> {
  workspace.home.setOn(workspace.root, false);
  const outcomes: FileOutcome[] = [];
  for (const { path, base } of documents) {
    try {
      const before = readFile(workspace, path);
      const change = { path, before, base, bytes: withoutIdentity(before, path), count: 1 };
      outcomes.push((await saveChange(saver, change, { kind: 'stop-tracking', summary: 'id taken out' })).outcome);
    } catch (error) {
      outcomes.push(failedOutcome(path, error));
    }
  }
  return outcomes;
}
