import type { CheckResult, Claim } from '#kernel/body-check';
import type { EdgeRef } from '#kernel/body-field';
import type { Digest } from '#kernel/digest';
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

/** A claim that a check is given: its stable id, and the entry that states it now. */
export interface FedClaim {
  readonly claim: string;
  readonly currentEntry: string;
}

/** Visible, current, established and not retired: the claims that a check is given, by their ids. */
export function fedClaims(facts: Facts, visible: readonly string[]): FedClaim[] {
  const superseded = new Set([...facts.claims.values()].map(({ value }) => value.supersedes));
  const current = new Map<string, Dated<Claim>>();
  for (const claim of facts.claims.values()) {
    const { value, id } = claim;
    if (superseded.has(id as never) || !visible.includes(value.claim)) continue;
    const other = current.get(value.claim);
    if (other === undefined || isNewer(claim, other)) current.set(value.claim, claim);
  }
  return [...current.values()]
    .filter(({ value }) => value.maturity === 'established' && value.invalid_at === null)
    .map(({ id, value }) => ({ claim: value.claim, currentEntry: id }))
    .sort((a, b) => (a.claim < b.claim ? -1 : 1));
}

/** What tells one set of fed claims from another; without any it is the hash of nothing. */
export function claimsFingerprint(digest: Digest, fed: readonly FedClaim[]): string {
  return `sha256:${digest.sha256(fed.map(({ claim, currentEntry }) => `${claim}=${currentEntry}\n`).join(''))}`;
}
