import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedSpan, mostDeaths, type Restart, restartAfter } from '#main/restart';

/** What followed each of the deaths at these moments, as the host asks: after every death, with all deaths so far. */
const story = (moments: readonly number[]): Restart[] => moments.map((_, index) => restartAfter(moments.slice(0, index + 1)));
const gaps = fc.array(fc.integer({ min: 0, max: 2 * countedSpan }), { minLength: 1, maxLength: 30 });
const moments = gaps.map((list) => {
  let now = 0;
  return list.map((gap) => {
    now += gap;
    return now;
  });
});

describe('a core that died', () => {
  it('is given up exactly when it died too often within the span', () => {
    fc.assert(
      fc.property(moments, (deaths) => {
        for (const [index, answer] of story(deaths).entries()) {
          const earlier = deaths[index - mostDeaths + 1];
          const tooOften = earlier !== undefined && deaths[index]! - earlier < countedSpan;
          expect(answer.kind === 'give-up').toBe(tooOften);
        }
      }),
    );
  });

  it('is started after pauses that grow while it keeps dying, and at once after a quiet minute', () => {
    expect(story([0, 10, 20, 30, 40])).toEqual([
      { kind: 'after', pause: 0 },
      { kind: 'after', pause: 250 },
      { kind: 'after', pause: 1000 },
      { kind: 'after', pause: 3000 },
      { kind: 'give-up' },
    ]);
    expect(restartAfter([0, 10, 20, 20 + countedSpan])).toEqual({ kind: 'after', pause: 0 });
  });
});
