import type { BreakdownRow } from '#protocol/breakdown-calls';
import type { CallInput } from '#protocol/calls';

/** A decision about a row as it will be written; its `idem` is minted once, so that a repeat records nothing twice. */
export interface Act {
  readonly key: string;
  /** The row as it was shown. */
  readonly row: BreakdownRow;
  readonly resolution: CallInput<'edge/resolve'>;
}

/** Decisions that wait together; `due` is when they are written, in the unit of the clock that is passed in (ms). */
export interface Pending {
  readonly acts: readonly Act[];
  readonly due: number;
}

/** What waits after a step, and what is to be written now. */
export interface PendingStep {
  readonly pending: Pending | null;
  readonly write: readonly Act[];
}

/** How long a decision can be taken back, in ms (breakdown.md §2). */
export const graceTime = 10_000;

/** New decisions wait; those before them are written. */
export function decided(pending: Pending | null, acts: readonly Act[], now: number): PendingStep {
  return { pending: { acts, due: now + graceTime }, write: pending?.acts ?? [] };
}

/** The clock moved on. */
export function waited(pending: Pending | null, now: number): PendingStep {
  return pending !== null && now >= pending.due ? flushed(pending) : { pending, write: [] };
}

/** Close, quit, refresh or the next act: what waits is written. */
export function flushed(pending: Pending | null): PendingStep {
  return { pending: null, write: pending?.acts ?? [] };
}

/** Taken back: nothing is written for that row, or (null) for any. Decisions about other rows stay. */
export function takenBack(pending: Pending | null, key: string | null): PendingStep {
  const left = key === null ? [] : (pending?.acts.filter((act) => act.key !== key) ?? []);
  return { pending: pending === null || left.length === 0 ? null : { ...pending, acts: left }, write: [] };
}

/** Whether a decision about this row waits. */
export const waitsFor = (pending: Pending | null, key: string): boolean => pending?.acts.some((act) => act.key === key) === true;

/** Whole seconds left, rounded up, never below 0 nor above the grace time. */
export function secondsLeft({ due }: Pending, now: number): number {
  return Math.ceil(Math.min(graceTime, Math.max(0, due - now)) / 1000);
}
