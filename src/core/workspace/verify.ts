import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '#core/digest';
import { createAppender } from '#core/storage/appender';
import { readWholeLedger } from '#core/workspace/entries';
import { hasLedger, vmarkName } from '#core/workspace/place';
import { keptLinesFolder, keptName, segmentNames } from '#core/workspace/recorder';
import type { Workspace } from '#core/workspace/workspace';
import type { Output } from '#kernel/body-transformation';
import { type Entry, parseLine } from '#kernel/entry';
import { type ContentHash, revisionId } from '#kernel/revision';
import { Fault, type Outputs, wordsFor } from '#protocol';

type Verification = Outputs['verify'];
type Problem = Verification['problems'][number];

/** Reads and computes everything again and says what is wrong (`stemma verify`); changes nothing. */
export async function verify(workspace: Workspace): Promise<Verification> {
  const ledger = await readWholeLedger(workspace.disk, workspace.vmark);
  const outputs = ledger.entries.flatMap((entry) =>
    entry.kind === 'transformation' ? entry.body.outputs.map((output) => ({ entry, output })) : [],
  );
  const anchored = ledger.entries.flatMap((entry) =>
    entry.kind === 'code-anchor' || entry.kind === 'code-anchor-confirmation' ? [entry.body.snapshot] : [],
  );
  const snapshots = verifySnapshots(workspace, [...outputs.map(({ output }) => output.content_hash), ...anchored]);
  const problems = [
    ...ledger.torn.map((segment) => problem('line-torn', segment, { segment })),
    ...ledger.bad.map(({ segment, line, reason }) => problem('line-malformed', `${segment}:${line}`, { segment, line, reason })),
    ...(ledger.future === 0 ? [] : [problem('future-format', null, { count: ledger.future })]),
    ...outputs.flatMap(({ entry, output }) => revisionProblems(entry, output)),
    ...danglingProblems(ledger.entries),
    ...snapshots.problems,
    ...(await eatenProblems(workspace, ledger.entries)),
  ];
  const revisions = new Set(outputs.map(({ output }) => `${output.object} ${output.revision}`));
  return {
    ok: problems.length === 0,
    entries: ledger.entries.length,
    by_kind: countBy(ledger.entries.map((entry) => String(entry.kind))),
    revisions: revisions.size,
    snapshots: snapshots.counts,
    quarantined: ledger.bad.map(({ segment, line, reason }) => ({ segment, line, reason })),
    future: ledger.future,
    problems,
  };
}

/** A problem with its English sentence; other languages word `code` and `detail`. */
function problem(code: string, where: string | null, detail: Problem['detail']): Problem {
  return { code, message: wordsFor('en')(`problems.${code}`, detail), where, detail };
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of [...words].sort()) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function revisionProblems(entry: Entry, output: Output): Problem[] {
  if (revisionId(digest, output.content_hash, output.parents) === output.revision) return [];
  return [problem('revision-mismatch', entry.id, { revision: output.revision })];
}

/** Revisions and entries that are named and stand nowhere: lines were lost, or not merged yet. */
function danglingProblems(entries: readonly Entry[]): Problem[] {
  const revisions = new Set<string>();
  const ids = new Set<string>();
  for (const entry of entries) {
    ids.add(entry.id);
    if (entry.kind === 'transformation') for (const { object, revision } of entry.body.outputs) revisions.add(`${object} ${revision}`);
  }
  const isKnown = ({ object, revision }: Named) => revisions.has(`${object} ${revision}`);
  return entries.flatMap((entry) => {
    if (entry.kind === 'ratification' || entry.kind === 'waiver') {
      return ids.has(entry.body.edge.txf) ? [] : [problem('edge-missing', entry.id, { entry: entry.id })];
    }
    if (entry.kind !== 'transformation') return [];
    const { inputs, outputs } = entry.body;
    return [
      ...outputs.flatMap(({ object, revision, parents }) =>
        parents
          .filter((parent) => !isKnown({ object, revision: parent }))
          .map((parent) => problem('parent-missing', entry.id, { revision, parent })),
      ),
      ...inputs.filter((input) => !isKnown(input)).map(({ revision }) => problem('input-missing', entry.id, { entry: entry.id, revision })),
    ];
  });
}

type Named = { readonly object: string; readonly revision: string };

function verifySnapshots(
  { snapshots }: Workspace,
  hashes: readonly ContentHash[],
): { counts: Verification['snapshots']; problems: Problem[] } {
  const counts = { present: 0, missing: 0, damaged: 0 };
  const problems: Problem[] = [];
  for (const hash of [...new Set(hashes)].sort()) {
    const state = stateOf(snapshots.get(hash).kind);
    counts[state]++;
    if (state !== 'present') problems.push(problem(`snapshot-${state}`, hash, { hash }));
  }
  return { counts, problems };
}

const stateOf = (kind: 'found' | 'missing' | 'damaged') => (kind === 'found' ? 'present' : kind);

/**
 * Lines that this installation appended here, that stand in no segment any more, and whose segment is in no commit
 * and no stash: git took them away, and nothing holds them.
 */
export async function eatenLines({ home, root, git }: Workspace, entries: readonly Entry[]): Promise<string[]> {
  const folder = keptLinesFolder(home, root);
  if (!existsSync(folder)) return [];
  const known = new Set<string>(entries.map((entry) => entry.idem));
  const eaten = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const segment = keptName.exec(name)?.[1];
    const lines = segment === undefined ? [] : missingLines(readFileSync(join(folder, name), 'utf8'), known);
    if (lines.length === 0 || (await git?.isCommitted(`${vmarkName}/ledger/${segment}`))) continue;
    for (const { idem, line } of lines) eaten.set(idem, line);
  }
  return [...eaten.values()];
}

function missingLines(text: string, known: ReadonlySet<string>): { idem: string; line: string }[] {
  return text.split('\n').flatMap((line) => {
    const parsed = parseLine(line, digest);
    return parsed.kind === 'entry' && !known.has(parsed.entry.idem) ? [{ idem: parsed.entry.idem, line: `${line}\n` }] : [];
  });
}

async function eatenProblems(workspace: Workspace, entries: readonly Entry[]): Promise<Problem[]> {
  const { length } = await eatenLines(workspace, entries);
  return length === 0 ? [] : [problem('lines-lost', null, { count: length })];
}

/** Appends lines that git ate to a new segment, ids and idems unchanged. The caller holds the lock. Answers how many. */
export async function restoreLines(workspace: Workspace): Promise<number> {
  if (!hasLedger(workspace.disk, workspace.root)) throw new Fault('no-workspace-record', {});
  const { entries } = await readWholeLedger(workspace.disk, workspace.vmark);
  const lines = await eatenLines(workspace, entries);
  if (lines.length === 0) return 0;
  const { chance, disk, vmark, home } = workspace;
  createAppender(disk, vmark, home.writer(), segmentNames(chance)).append(lines.join(''), 'unknown');
  await workspace.replica.refresh();
  return lines.length;
}
