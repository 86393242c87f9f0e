import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bounds, centred, fitBounds, leastSize } from '#main/bounds';

const whole = fc.integer({ min: -5000, max: 5000 });
const size = fc.integer({ min: 1, max: 6000 });
const bounds: fc.Arbitrary<Bounds> = fc.record({ x: whole, y: whole, width: size, height: size });
const areas = fc.array(bounds, { minLength: 1, maxLength: 4 }).map((list) => list as [Bounds, ...Bounds[]]);
const lies = (inner: Bounds, outer: Bounds) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

describe('the place of a window', () => {
  it('lies wholly on one of the screens, wherever it was', () => {
    fc.assert(fc.property(bounds, areas, (wanted, screens) => screens.some((area) => lies(fitBounds(wanted, screens), area))));
  });

  it('is kept where it already lies on a screen and is large enough to write in', () => {
    fc.assert(
      fc.property(bounds, areas, (wanted, others) => {
        const large = { ...wanted, width: wanted.width + leastSize.width, height: wanted.height + leastSize.height };
        expect(fitBounds(large, [large, ...others])).toEqual(large);
      }),
    );
  });

  it('is found once: fitting it again changes nothing', () => {
    fc.assert(
      fc.property(bounds, areas, (wanted, screens) => {
        const once = fitBounds(wanted, screens);
        // A second fit starts from a place that may lie on two overlapping screens; one screen at a time leaves no such choice.
        const home = screens.find((area) => lies(once, area))!;
        expect(fitBounds(once, [home])).toEqual(once);
      }),
    );
  });

  it('is the screen that it covers most of', () => {
    const left = { x: 0, y: 0, width: 1000, height: 800 };
    const right = { x: 1000, y: 0, width: 1000, height: 800 };
    expect(fitBounds({ x: 900, y: 100, width: 600, height: 400 }, [left, right])).toEqual({ x: 1000, y: 100, width: 600, height: 400 });
    expect(fitBounds({ x: 300, y: 100, width: 900, height: 400 }, [left, right])).toEqual({ x: 100, y: 100, width: 900, height: 400 });
    expect(fitBounds({ x: 9000, y: 9000, width: 600, height: 400 }, [left, right])).toEqual({ x: 400, y: 400, width: 600, height: 400 });
  });

  it('FR-166: is on the screen that is left, where the one at its left is gone', () => {
    const left = { x: 0, y: 0, width: 1280, height: 800 };
    expect(fitBounds({ x: -1900, y: 60, width: 1100, height: 700 }, [left])).toEqual({ x: 0, y: 60, width: 1100, height: 700 });
  });

  it('is the middle of the screen the first time, and no larger than it', () => {
    expect(centred({ width: 1280, height: 840 }, { x: 0, y: 25, width: 1920, height: 1055 })).toEqual({
      x: 320,
      y: 133,
      width: 1280,
      height: 840,
    });
    fc.assert(fc.property(bounds, bounds, (wanted, area) => lies(centred(wanted, area), area)));
  });
});
