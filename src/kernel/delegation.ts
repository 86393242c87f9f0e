import type { Delegation } from '#kernel/body-act';
import { standing } from '#kernel/claim';
import type { Dated, Facts } from '#kernel/facts';
import { parseInstant } from '#kernel/instant';
import { parseUuid } from '#kernel/uuid';

/** What an agent may be allowed to decide. */
export type GrantScope = 'resolve.accept-newer' | 'resolve.waive';

/** Whether a grant allows anything: it was revoked, it has run out (an expiry that is no time has), or no person gave it, or it has no id to act under. */
export type GrantState = 'live' | 'expired' | 'revoked' | 'not-given';

/** A grant as it stands: its stable id, the entry that says so, and what that says. */
export interface Grant {
  readonly grant: string;
  readonly entry: string;
  /** When that entry was written, in ms. */
  readonly given: number;
  readonly value: Delegation;
  readonly state: GrantState;
}

/**
 * Every grant as it stands at instant `now`, the newest first. The entry that no other supersedes counts; where two
 * clones went different ways the latest does, but a revocation always (vmark.md §8.7).
 */
export function grants(facts: Facts, now: number): Grant[] {
  return standing(facts.delegations, ({ delegation }) => delegation)
    .map(({ key, all }) => grantOf(key, all.find(({ value }) => value.scope.length === 0) ?? all[0]!, now))
    .sort((a, b) => b.given - a.given || (a.grant < b.grant ? -1 : 1));
}

function grantOf(grant: string, { id, time, value }: Dated<Delegation>, now: number): Grant {
  return { grant, entry: id, given: time, value, state: stateOf(value, now) };
}

function stateOf({ delegation, scope, expires, actor }: Delegation, now: number): GrantState {
  if (scope.length === 0) return 'revoked';
  if (parseUuid(delegation) === null || (actor !== null && actor.type !== 'human')) return 'not-given';
  const end = parseInstant(expires);
  return end !== null && end > now ? 'live' : 'expired';
}

/** What an agent asks to do. `principal` is who its token says it is, never a name that it states. */
export interface GateQuestion {
  readonly principal: string;
  readonly scope: GrantScope;
  readonly now: number;
}

/** The gate: the live grant that allows just this, the one that lasts longest if several do; null refuses. */
export function grantFor(facts: Facts, { principal, scope, now }: GateQuestion): Grant | null {
  const allowing = grants(facts, now).filter(
    ({ state, value }) => state === 'live' && value.delegate.id === principal && value.scope.includes(scope),
  );
  return allowing.sort((a, b) => parseInstant(b.value.expires)! - parseInstant(a.value.expires)!)[0] ?? null;
}
