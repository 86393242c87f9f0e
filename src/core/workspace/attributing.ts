import { readDocument } from '#core/document';
import type { Attributed } from '#core/git/evidence';
import type { Git } from '#core/git/git';
import type { GitPosition } from '#core/git/position';
import type { Position } from '#core/workspace/position';
import type { Sighting } from '#core/workspace/sighting';
import type { Versions } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';

/** A file whose text is not what the ledger has of its object. */
export interface Changed {
  readonly sighting: Sighting;
  readonly versions: Versions;
  readonly isNew: boolean;
}

/** Asks git about changed texts: null without it, `silent` where it does not answer. It is only asked where there is something to ask: a changed text, or a HEAD that is not where it was. */
export async function attribute({ git }: Workspace, before: Position, changes: readonly Changed[]): Promise<Attributed | null | 'silent'> {
  if (git === null) return null;
  if (changes.every((change) => change.isNew) && before.stamp === git.headMoved()) return null;
  const known = changes.filter((change) => !change.isNew);
  const late = Map.groupBy(known, ({ sighting }) => JSON.stringify(before.unsettled?.[sighting.file.path] ?? null));
  const attributed = await askGit(git, before.git, late.get('null') ?? []);
  if (attributed === null) return 'silent';
  const byPath = new Map(attributed.byPath);
  for (const [since, some] of late) {
    const then = since === 'null' ? null : await askGit(git, JSON.parse(since) as GitPosition, some);
    if (then === null && since !== 'null') return 'silent';
    for (const [path, attribution] of then?.byPath ?? []) byPath.set(path, attribution);
  }
  return { ...attributed, byPath };
}

function askGit(git: Git, since: GitPosition | null, changes: readonly Changed[]): Promise<Attributed | null> {
  const asked = changes.map(({ sighting: { file }, versions }) => ({
    path: file.path,
    contentHash: file.hash,
    known: versions.withContent(file.hash) !== null,
  }));
  return git.attribute({ since, changes: asked, hashOf: (bytes, path) => readDocument(bytes, path).contentHash });
}
