import type { CheckResult } from '#kernel/body-check';
import type { EdgeRef } from '#kernel/body-field';
import { type Dated, edgeKey, type Facts, isNewer } from '#kernel/facts';

/** What a check is live for: the same pin, the same current revision, the same context, the same claims. */
export interface CheckQuestion {
  readonly edge: EdgeRef;
  readonly pinned: string;
  readonly current: string;
  readonly context: string;
  readonly fingerprint: string;
}

/** The newest check of an edge that answers exactly this question, or null (`spec/format.md` §7). */
export function liveCheck(facts: Facts, question: CheckQuestion): CheckResult | null {
  let newest: Dated<CheckResult> | null = null;
  for (const check of facts.checks.get(edgeKey(question.edge)) ?? []) {
    const { pinned, checked_against, context, claims_fingerprint } = check.value;
    const isAsked = pinned === question.pinned && checked_against === question.current;
    if (!isAsked || context !== question.context || claims_fingerprint !== question.fingerprint) continue;
    if (newest === null || isNewer(check, newest)) newest = check;
  }
  return newest?.value ?? null;
}
