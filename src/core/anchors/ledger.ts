import type { AnchorReason, AnchorState } from '#kernel/anchor';
import type { CodeAnchor, CodeAnchorObservation, CodePin } from '#kernel/body-anchor';
import { type Dated, type Facts, isNewer, observationKey } from '#kernel/facts';
import type { Uuid } from '#kernel/uuid';

/** A code anchor as the ledger has it. */
export interface KnownAnchor {
  readonly id: Uuid;
  readonly anchor: CodeAnchor;
  /** The newest baseline, and the entry that made it. */
  readonly pin: CodePin;
  readonly baseline: Uuid;
  readonly baselineTime: number;
  /** Who made it, by name. */
  readonly by: string;
  /** What the last check saw since that baseline, or null. */
  readonly last: Dated<CodeAnchorObservation> | null;
  readonly retired: { readonly reason: string; readonly by: string; readonly at: number } | null;
}

/** Every anchor that was not removed, by id; those said to describe code that is gone are among them. */
export function knownAnchors(facts: Facts): KnownAnchor[] {
  const ids = [...facts.codeAnchors.keys()].filter((id) => !facts.codeRemovals.has(id)).sort();
  return ids.map((id) => knownAnchor(facts, id as Uuid)!);
}

/** One anchor, or null where there is none, or it was removed. */
export function knownAnchor(facts: Facts, id: Uuid): KnownAnchor | null {
  const made = facts.codeAnchors.get(id);
  if (made === undefined || facts.codeRemovals.has(id)) return null;
  const confirmed = facts.codeConfirmations.get(id);
  const newest = confirmed !== undefined && isNewer(confirmed, made) ? confirmed : made;
  const baseline = newest.id as Uuid;
  const retirement = facts.codeRetirements.get(id);
  // Whoever binds or confirms an anchor that was given up takes it up again.
  const isRetired = retirement?.value.state === 'retired' && isNewer(retirement, newest);
  return {
    id,
    anchor: made.value,
    pin: newest.value,
    baseline,
    baselineTime: newest.time,
    by: newest.value.actor.id,
    last: facts.codeObservations.get(observationKey({ anchor: id, baseline })) ?? null,
    retired: isRetired ? { reason: retirement.value.reason, by: retirement.value.actor.id, at: retirement.time } : null,
  };
}

/** The state that an anchor was last seen in, as far as its newest baseline knows. */
export function lastState({ last }: KnownAnchor): { readonly state: AnchorState; readonly reason: AnchorReason } {
  return last === null ? { state: 'fresh', reason: 'identity_matched' } : { state: last.value.state, reason: last.value.reason };
}
