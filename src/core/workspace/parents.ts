import { readDocument } from '#core/document';
import type { Due } from '#core/workspace/dues';
import { readPosition } from '#core/workspace/position';
import { parentsOf, versionsOf } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import type { ContentHash, RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** What a save is written over. */
export interface WrittenOver {
  readonly path: string;
  readonly object: Uuid;
  /** The file as it was opened; null for a new one. */
  readonly before: Buffer | null;
  /** The due text that the file holds, if it does. */
  readonly due: Due | null;
  /** The text that the buffer descends from, where the writer has settled another one on disk. */
  readonly descends: ContentHash | null;
}

/**
 * The parents of a save: the revision that the buffer descends from, and the one on disk that the writer settled
 * (`spec/format.md` §6). Heads that the writer did not see are never joined.
 */
export function parentsOfSave(workspace: Workspace, { path, object, before, due, descends }: WrittenOver): readonly RevisionId[] {
  const versions = versionsOf(workspace.replica.reading.graph, object, readPosition(workspace).working[object]);
  const settled = due === null ? revisionOnDisk(workspace, path, object, before) : due.parents;
  const own = descends === null || descends === due?.hash ? null : versions.withContent(descends);
  const parents = [...new Set([...(settled ?? []), ...(own === null ? [] : [own])])];
  if (parents.length > 0 || due?.parents?.length === 0) return parents;
  const guessed = parentsOf(versions);
  return guessed.length > 1 ? [newestOf(workspace, object, guessed)] : guessed;
}

/** The revision of the text that was opened; null where that text was never recorded. */
function revisionOnDisk(workspace: Workspace, path: string, object: Uuid, before: Buffer | null): readonly RevisionId[] | null {
  if (before === null) return null;
  const versions = versionsOf(workspace.replica.reading.graph, object, readPosition(workspace).working[object]);
  const opened = readDocument(before, path).contentHash;
  if (versions.working !== null && versions.contentOf(versions.working) === opened) return [versions.working];
  const known = versions.withContent(opened);
  return known === null ? null : [known];
}

function newestOf({ replica }: Workspace, object: Uuid, revisions: readonly RevisionId[]): RevisionId {
  const { graph } = replica.reading;
  const number = graph.findObject(object);
  const timeOf = (revision: RevisionId) => graph.entryTime.at(graph.nodeEntry.at(graph.findNode(number, revision)));
  return revisions.reduce((newest, revision) => (timeOf(revision) > timeOf(newest) ? revision : newest));
}
