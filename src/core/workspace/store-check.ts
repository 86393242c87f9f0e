import { readingDigest } from '#core/storage/reading-digest';
import { Replica } from '#core/storage/replica';
import { keptIndex } from '#core/workspace/memory';
import { type Problem, problem } from '#core/workspace/problem';
import type { Workspace } from '#core/workspace/workspace';
import type { ContentHash } from '#kernel/revision';
import type { Outputs } from '#protocol';

/** The snapshots by distinct hash, what is wrong with them, and those that no entry names: a save that was not finished leaves one. */
export interface SnapshotCheck {
  readonly counts: Outputs['verify']['snapshots'];
  readonly problems: readonly Problem[];
  readonly orphans: readonly ContentHash[];
}

/** Reads every snapshot that an entry names, and looks which others there are. */
export function checkSnapshots({ snapshots }: Workspace, named: ReadonlySet<ContentHash>): SnapshotCheck {
  const counts = { present: 0, missing: 0, damaged: 0 };
  const problems: Problem[] = [];
  for (const hash of [...named].sort()) {
    const { kind } = snapshots.get(hash);
    const state = kind === 'found' ? 'present' : kind;
    counts[state]++;
    if (state !== 'present') problems.push(problem(`snapshot-${state}`, hash, { hash }));
  }
  return { counts, problems, orphans: [...snapshots.names()].filter((hash) => !named.has(hash)).sort() };
}

/** Whether the index says what the ledger says; one that is not there, of another version or out of date says nothing. */
export async function indexProblems(workspace: Workspace): Promise<Problem[]> {
  const { disk, vmark } = workspace;
  const kept = await keptIndex(workspace);
  if (kept === null) return [];
  const [ours, anew] = [new Replica(disk, vmark), new Replica(disk, vmark)];
  ours.recall(kept.content.reading, kept.content.segments);
  const { rebuilt } = await ours.refresh();
  await anew.refresh();
  if (rebuilt || (await readingDigest(ours.reading)) === (await readingDigest(anew.reading))) return [];
  return [problem('index-differs', kept.file, { file: kept.file })];
}
