import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thinned } from '#core/history/thinning';

const now = 1_800_000_000_000;
const ages = fc.array(fc.oneof(fc.nat(7_200_000), fc.nat(40 * 86_400_000), fc.nat(500 * 86_400_000)), { minLength: 1, maxLength: 200 });
const versionsOf = (list: number[]) => list.sort((a, b) => b - a).map((age) => ({ at: now - age }));

describe('the versions that are kept', () => {
  it('are some of those that there were, with the first and the newest, and nothing goes the second time', () => {
    fc.assert(
      fc.property(ages, (list) => {
        const versions = versionsOf(list);
        const kept = thinned(versions, now);
        expect(kept.every((version) => versions.includes(version))).toBe(true);
        expect(kept[0]).toBe(versions[0]);
        expect(kept.at(-1)).toBe(versions.at(-1));
        expect(thinned(kept, now)).toEqual(kept);
      }),
    );
  });

  it('are all of them in the first hour, also two of one moment', () => {
    const versions = [3_599_000, 5_000, 3_500, 3_500, 2_000].map((age) => ({ at: now - age }));
    expect(thinned(versions, now)).toEqual(versions);
  });

  it('are what an earlier version was put in the place of, for a month', () => {
    const day = 86_400_000;
    const made = (age: number) => [{ at: now - age - 1000 }, { at: now - age - 2, isReplaced: true as const }, { at: now - age - 1 }];
    const young = [{ at: now - 400 * day }, ...made(20 * day)];
    expect(thinned(young, now)).toEqual([young[0], young[2], young[3]]);
    const old = [{ at: now - 400 * day }, ...made(31 * day), { at: now }];
    expect(thinned(old, now)).toEqual([old[0], old[3], old[4]]);
  });

  it('have a neighbour near to each that went, the nearer the younger it was', () => {
    fc.assert(
      fc.property(ages, (list) => {
        const versions = versionsOf(list);
        const kept = thinned(versions, now);
        for (const { at } of versions) {
          const age = now - at;
          const apart = age <= 3_600_000 ? 1 : age <= 86_400_000 ? 300_000 : age <= 30 * 86_400_000 ? 3_600_000 : 7 * 86_400_000;
          expect(kept.some((other) => other.at >= at && other.at - at < apart)).toBe(true);
        }
      }),
    );
  });

  it('of a day of autosaves every ten seconds are some six hundred', () => {
    const versions = Array.from({ length: 8640 }, (_, at) => ({ at: now - (8640 - at) * 10_000 }));
    expect(thinned(versions, now).length).toBeLessThan(640);
  });
});
