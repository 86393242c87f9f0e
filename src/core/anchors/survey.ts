import type { Budget } from '#core/anchors/budget';
import { checkAnchors } from '#core/anchors/check';
import { answerOf, type Finding, observationOf } from '#core/anchors/finding';
import { type KnownAnchor, knownAnchor } from '#core/anchors/ledger';
import type { Answered } from '#core/anchors/report';
import type { AnchorWork } from '#core/anchors/work';
import { digest } from '#core/digest';
import { hasLedger } from '#core/workspace/place';
import type { NewEntry } from '#core/workspace/recorder';
import type { RepositoryProblem } from '#kernel/anchor';
import { observationIdem } from '#kernel/writing';
import { Fault, type FaultCode } from '#protocol';

/** Anchors looked at against the code as it is. */
export interface Survey {
  readonly answered: readonly Answered[];
  readonly budget: Budget;
  /** By repository, the commit that its code is at. */
  readonly commits: ReadonlyMap<string | null, string | null>;
}

/** Checks anchors, each in its repository, within one budget. Those said to describe code that is gone are left out. */
export async function surveyAnchors(work: AnchorWork, anchors: readonly KnownAnchor[]): Promise<Survey> {
  const budget = work.newBudget();
  const commits = new Map<string | null, string | null>();
  const live = anchors.filter(({ retired }) => retired === null);
  const findings = new Map<string, Finding>();
  for (const [repository, own] of Map.groupBy(live, ({ anchor }) => anchor.repository)) {
    // A repository that is not there, or may not be read, is no reason to say that its code is gone.
    const reader = await work.startReader(repository, budget).catch(unread);
    commits.set(repository, 'source' in reader ? await reader.source.commit() : null);
    if (!('source' in reader)) for (const { id } of own) findings.set(id, reader);
    else for (const [id, finding] of await checkAnchors(own, { reader, budget, textOf: work.textOf })) findings.set(id, finding);
  }
  if (live.length > 0) await work.settle();
  return { answered: live.map((known) => ({ known, answer: answerOf(known, findings.get(known.id)!) })), budget, commits };
}

const problems: Partial<Record<FaultCode, RepositoryProblem>> = {
  'repository-unknown': 'unlinked',
  'folder-missing': 'folder-missing',
  'not-a-folder': 'folder-missing',
  'ref-unknown': 'ref-missing',
  'repository-unconfirmed': 'unconfirmed',
  'repository-unconfirmed-origin': 'unconfirmed',
  'repository-unconfirmed-token': 'unconfirmed',
  'repository-unfetched': 'unfetched',
};

/** What every anchor of a repository that could not be read is. */
function unread(error: unknown): Extract<Finding, { kind: 'unchecked' }> {
  const problem = error instanceof Fault ? problems[error.code as FaultCode] : undefined;
  return { kind: 'unchecked', reason: 'unreadable', ...(problem === undefined ? {} : { problem }) };
}

/** What a check finds about one anchor. */
export async function surveyOne(work: AnchorWork, known: KnownAnchor): Promise<Finding> {
  const budget = work.newBudget();
  const reader = await work.startReader(known.anchor.repository, budget);
  const findings = await checkAnchors([known], { reader, budget, textOf: work.textOf });
  await work.settle();
  return findings.get(known.id)!;
}

/**
 * Writes down which anchors are in another state than was seen before. What is in between two states while git works is
 * not worth a line; an anchor that somebody confirmed or checked in the meantime is left to the next check.
 */
export async function writeDown(work: AnchorWork, survey: Survey): Promise<void> {
  try {
    await appendSeen(work, survey);
  } catch (error) {
    // What was seen is as true where the ledger cannot be written; the next check writes it down.
    if (!(error instanceof Fault)) throw error;
  }
}

async function appendSeen(work: AnchorWork, { answered, commits }: Survey): Promise<void> {
  const { workspace } = work;
  const seen = answered.flatMap(({ known, answer }) => {
    const body = observationOf(known, answer, commits.get(known.anchor.repository) ?? null);
    return body === null ? [] : [{ known, body }];
  });
  if (seen.length === 0 || !hasLedger(workspace.disk, workspace.root) || (await workspace.git?.busy())) return;
  await work.change(async () => {
    await workspace.replica.refresh();
    const { facts } = workspace.replica.reading;
    const entries = seen.flatMap(({ known, body }): NewEntry[] => {
      const now = knownAnchor(facts, known.id);
      if (now === null || now.baseline !== known.baseline || now.last?.id !== known.last?.id) return [];
      const idem = observationIdem(digest, body, known.last?.id ?? null);
      return [{ kind: 'code-anchor-observation', body, subjects: [known.anchor.document, known.id], idem }];
    });
    if (entries.length > 0) await work.append(entries);
  });
}
