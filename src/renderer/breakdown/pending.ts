import type { BreakdownRow, CallInput } from '#protocol/calls';

/** A decision about a row as it will be written; its `idem` is minted once, so that a repeat records nothing twice. */
export interface Act {
  readonly key: string;
  /** The row as it was shown. */
  readonly row: BreakdownRow;
  readonly resolution: CallInput<'edge/resolve'>;
}

/** A decision that waits; `due` is when it is written, in the unit of the clock that is passed in (ms). */
export interface Pending {
  readonly act: Act;
  readonly due: number;
}

/** What waits after a step, and what is to be written now. */
export interface PendingStep {
  readonly pending: Pending | null;
  readonly write: Act | null;
}

/** How long a decision can be taken back, in ms (breakdown.md §2). */
export const graceTime = 10_000;

/** A new decision waits; the one before it is written. */
export function decided(pending: Pending | null, act: Act, now: number): PendingStep {
  return { pending: { act, due: now + graceTime }, write: pending?.act ?? null };
}

/** The clock moved on. */
export function waited(pending: Pending | null, now: number): PendingStep {
  return pending !== null && now >= pending.due ? flushed(pending) : { pending, write: null };
}

/** Close, quit, refresh or the next act: what waits is written. */
export function flushed(pending: Pending | null): PendingStep {
  return { pending: null, write: pending?.act ?? null };
}

/** Taken back: nothing is written. A decision about another row stays. */
export function takenBack(pending: Pending | null, key: string): PendingStep {
  return { pending: pending?.act.key === key ? null : pending, write: null };
}

/** Whole seconds left, rounded up, never below 0 nor above the grace time. */
export function secondsLeft({ due }: Pending, now: number): number {
  return Math.ceil(Math.min(graceTime, Math.max(0, due - now)) / 1000);
}
