import { contextProblems } from '#core/workspace/context-check';
import { eatenLines, eatenProblems } from '#core/workspace/eaten-lines';
import { readWholeLedger, type WholeLedger } from '#core/workspace/entries';
import { hasLedger } from '#core/workspace/place';
import { type Problem, problem } from '#core/workspace/problem';
import { referenceProblems } from '#core/workspace/reference-check';
import { checkSnapshots, indexProblems } from '#core/workspace/store-check';
import type { Workspace } from '#core/workspace/workspace';
import type { Entry } from '#kernel/entry';
import { Fault, type Outputs } from '#protocol';

/** Reads and computes everything again and says what is wrong (`stemma verify`); changes nothing. */
export async function verify(workspace: Workspace): Promise<Outputs['verify']> {
  const ledger = await readWholeLedger(workspace.disk, workspace.vmark);
  const { entries, future, bad } = ledger;
  const outputs = entries.flatMap((entry) => (entry.kind === 'transformation' ? entry.body.outputs : []));
  const anchored = entries.flatMap((entry) =>
    entry.kind === 'code-anchor' || entry.kind === 'code-anchor-confirmation' ? [entry.body.snapshot] : [],
  );
  const snapshots = checkSnapshots(workspace, new Set([...outputs.map((output) => output.content_hash), ...anchored]));
  const problems = [
    ...lineProblems(ledger),
    ...referenceProblems(entries),
    ...snapshots.problems,
    ...contextProblems(workspace, entries),
    ...eatenProblems(await eatenLines(workspace, entries)),
    ...(await indexProblems(workspace)),
  ];
  return {
    ok: problems.length === 0,
    entries: entries.length,
    by_kind: countKinds(entries),
    revisions: new Set(outputs.map(({ object, revision }) => `${object} ${revision}`)).size,
    snapshots: snapshots.counts,
    ...(snapshots.orphans.length === 0 ? {} : { orphans: [...snapshots.orphans] }),
    quarantined: bad.map(({ segment, line, reason }) => ({ segment, line, reason })),
    future: future.length,
    problems,
  };
}

function lineProblems({ torn, bad, future }: WholeLedger): Problem[] {
  return [
    ...torn.map((segment) => problem('line-torn', segment, { segment })),
    ...bad.map(({ segment, line, reason }) => problem('line-malformed', `${segment}:${line}`, { segment, line, reason })),
    ...future.slice(0, 1).map(({ segment, line }) => problem('future-format', `${segment}:${line}`, { count: future.length })),
  ];
}

function countKinds(entries: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of entries.map((entry) => String(entry.kind)).sort()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Appends lines that git ate to a new segment, ids and idems unchanged. The caller holds the lock. Answers how many. */
export async function restoreLines(workspace: Workspace): Promise<number> {
  if (!hasLedger(workspace.disk, workspace.root)) throw new Fault('no-workspace-record', {});
  const { entries } = await readWholeLedger(workspace.disk, workspace.vmark);
  const lines = await eatenLines(workspace, entries);
  if (lines.length > 0) await workspace.recorder.restore(lines.map(({ line }) => line));
  return lines.length;
}
