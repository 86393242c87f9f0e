import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Act,
  decided,
  flushed,
  graceTime,
  type Pending,
  type PendingStep,
  secondsLeft,
  takenBack,
  waited,
} from '#renderer/breakdown/pending.ts';

const act = (key: string): Act => ({
  key,
  row: {} as Act['row'],
  resolution: { edge: { txf: key, input: 0 }, against: 'rev1:x', decision: { kind: 'accept' }, idem: `idem-${key}` },
});

type Step =
  | { readonly kind: 'decide'; readonly keys: readonly string[] }
  | { readonly kind: 'take-back'; readonly key: string | null }
  | { readonly kind: 'wait'; readonly ms: number };
const key = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('decide' as const), keys: fc.uniqueArray(key, { minLength: 1 }) }),
  fc.record({ kind: fc.constant('take-back' as const), key: fc.option(key) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(graceTime * 1.5) }),
);

describe('a decision that waits', () => {
  it('is written exactly once, unless it was taken back, and never before its time without another act', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let now = 0;
        let pending: Pending | null = null;
        let decisions = 0;
        let takenBackCount = 0;
        const written: Act[] = [];
        for (const next of steps) {
          const held: Pending | null = pending;
          if (next.kind === 'wait') now += next.ms;
          if (next.kind === 'decide') decisions += next.keys.length;
          const made: PendingStep =
            next.kind === 'decide'
              ? decided(held, next.keys.map(act), now)
              : next.kind === 'take-back'
                ? takenBack(held, next.key)
                : waited(held, now);
          if (next.kind === 'take-back') takenBackCount += (held?.acts.length ?? 0) - (made.pending?.acts.length ?? 0);
          if (next.kind === 'wait' && made.write.length > 0) expect(now).toBeGreaterThanOrEqual(held!.due);
          written.push(...made.write);
          pending = made.pending;
        }
        const last = flushed(pending).write;
        expect(written.length + last.length + takenBackCount).toBe(decisions);
      }),
    );
  });

  it('waits ten seconds', () => {
    const { pending } = decided(null, [act('a')], 500);
    expect(waited(pending, 10_499)).toEqual({ pending, write: [] });
    expect(waited(pending, 10_500)).toEqual({ pending: null, write: [act('a')] });
  });

  it('is not taken back by another row', () => {
    const { pending } = decided(null, [act('a')], 0);
    expect(takenBack(pending, 'b')).toEqual({ pending, write: [] });
    expect(takenBack(pending, 'a')).toEqual({ pending: null, write: [] });
  });

  it('counts down from ten to nothing, whatever the clock does', () => {
    const pending = decided(null, [act('a')], 1000).pending!;
    expect([0, 1000, 2001, 10_999, 11_000, 99_000].map((now) => secondsLeft(pending, now))).toEqual([10, 10, 9, 1, 0, 0]);
  });
});
