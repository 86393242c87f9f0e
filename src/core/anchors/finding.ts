import type { KnownAnchor } from '#core/anchors/ledger';
import { lastState } from '#core/anchors/ledger';
import type { AnchorReason, AnchorState, Candidate, RepositoryProblem, UncheckedReason, Verdict } from '#kernel/anchor';
import type { LineRange } from '#kernel/anchor-range';
import type { CodeAnchorObservation } from '#kernel/body-anchor';

/** What a check found out about one anchor, before what was seen earlier is taken into account. */
export type Finding =
  | { readonly kind: 'unchecked'; readonly reason: UncheckedReason; readonly problem?: RepositoryProblem }
  | { readonly kind: 'lost'; readonly reason: AnchorReason; readonly candidates: readonly Candidate[] }
  | {
      readonly kind: 'found';
      readonly state: 'fresh' | 'stale' | 'moved-renamed';
      readonly reason: AnchorReason;
      readonly file: string;
      /** What it is called now, if not as before. */
      readonly renamedTo: string | null;
      readonly movedTo: string | null;
      readonly lines: LineRange;
      readonly expectedHash: string;
      readonly actualHash: string;
      readonly bodyChanged: boolean;
      readonly signatureChanged: boolean;
    };

/** What a check says of one anchor: its state, and why (code-anchors §5). */
export interface AnchorAnswer {
  readonly state: AnchorState;
  readonly isUnchecked: boolean;
  readonly detail: AnchorDetail;
}

/** Why an anchor is in its state, and what is there now. */
export interface AnchorDetail {
  reason: AnchorReason;
  /** What is wrong with its repository, where that is known. */
  repository_problem?: RepositoryProblem;
  file: string;
  line_start?: number;
  line_end?: number;
  moved_to?: string;
  renamed_to?: string;
  body_changed?: boolean;
  signature_changed?: boolean;
  expected_hash?: string;
  actual_hash?: string;
  candidates?: Candidate[];
  suggestions?: Candidate[];
}

/** The finding of a verdict about a declaration. */
export function findingOf(known: KnownAnchor, verdict: Verdict): Finding {
  if (verdict.state === 'unchecked') return { kind: 'unchecked', reason: verdict.reason };
  if (verdict.state === 'lost') return { kind: 'lost', reason: verdict.reason, candidates: verdict.candidates };
  const { state, reason, target, expected, bodyChanged, signatureChanged } = verdict;
  const { qualifiedName, plainName, lineStart, lineEnd, tokenHash } = target.declaration;
  const isElsewhere = reason === 'moved' || reason === 'moved_and_renamed';
  return {
    kind: 'found',
    state,
    reason,
    file: target.file,
    renamedTo: plainName === known.pin.plain_name ? null : qualifiedName,
    movedTo: isElsewhere ? target.file : null,
    lines: { start: lineStart, end: lineEnd },
    expectedHash: expected.token,
    actualHash: tokenHash,
    bodyChanged,
    signatureChanged,
  };
}

/** A warning stays until somebody confirms, also where the code is again as it was; what was not checked keeps its state. */
export function answerOf(known: KnownAnchor, finding: Finding): AnchorAnswer {
  const before = lastState(known);
  const { file_hint: file } = known.pin;
  if (finding.kind === 'unchecked') {
    const problem = finding.problem === undefined ? {} : { repository_problem: finding.problem };
    return { state: before.state, isUnchecked: true, detail: { reason: finding.reason, file, ...problem } };
  }
  if (finding.kind === 'lost') return { state: 'lost', isUnchecked: false, detail: lostDetail(finding, known) };
  const isReverted = finding.state === 'fresh' && before.state !== 'fresh';
  const state = isReverted ? before.state : finding.state;
  return { state, isUnchecked: false, detail: foundDetail(finding, isReverted ? 'reverted' : finding.reason) };
}

function lostDetail({ reason, candidates }: Extract<Finding, { kind: 'lost' }>, { pin }: KnownAnchor): AnchorDetail {
  const about = { reason, file: pin.file_hint, expected_hash: pin.hashes.token };
  if (candidates.length === 0) return about;
  return reason === 'ambiguous' ? { ...about, candidates: [...candidates] } : { ...about, suggestions: [...candidates] };
}

function foundDetail(finding: Extract<Finding, { kind: 'found' }>, reason: AnchorReason): AnchorDetail {
  const { file, lines, movedTo, renamedTo, expectedHash, actualHash, bodyChanged, signatureChanged } = finding;
  return {
    reason,
    file,
    line_start: lines.start,
    line_end: lines.end,
    ...(movedTo === null ? {} : { moved_to: movedTo }),
    ...(renamedTo === null ? {} : { renamed_to: renamedTo }),
    ...(finding.state === 'fresh' ? {} : { body_changed: bodyChanged, signature_changed: signatureChanged }),
    expected_hash: expectedHash,
    actual_hash: actualHash,
  };
}

/** What is to be written down of an answer, or null where it says nothing new. */
export function observationOf(
  known: KnownAnchor,
  { state, isUnchecked, detail }: AnchorAnswer,
  commit: string | null,
): CodeAnchorObservation | null {
  if (isUnchecked) return null;
  const { last, id, baseline } = known;
  if (last === null && state === 'fresh') return null;
  const seen: CodeAnchorObservation = {
    anchor: id,
    baseline,
    state,
    reason: detail.reason,
    file: detail.file,
    moved_to: detail.moved_to ?? null,
    renamed_to: detail.renamed_to ?? null,
    actual_hash: detail.actual_hash ?? null,
    body_changed: detail.body_changed ?? false,
    signature_changed: detail.signature_changed ?? false,
    commit,
  };
  const isSame = last !== null && saidBy(last.value) === saidBy(seen);
  return isSame ? null : seen;
}

const saidBy = ({ state, reason, file, moved_to, renamed_to, actual_hash }: CodeAnchorObservation) =>
  JSON.stringify([state, reason, file, moved_to, renamed_to, actual_hash]);
