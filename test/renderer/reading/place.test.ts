import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characterAt, type Placed, topOf } from '#renderer/reading/place.ts';

const size = fc.integer({ min: 1, max: 500 });
const blocks = fc.array(fc.record({ gap: fc.nat(5), length: size, space: fc.nat(30), height: size }), { minLength: 1 }).map((parts) => {
  let [from, top] = [0, 0];
  return parts.map(({ gap, length, space, height }): Placed => {
    const block = { from: from + gap, to: from + gap + length, top: top + space, height };
    from = block.to;
    top = block.top + height;
    return block;
  });
});

describe('a place in a text and its height', () => {
  it('lead to each other', () => {
    fc.assert(
      fc.property(blocks, fc.double({ min: 0, max: 1, noNaN: true }), (placed, share) => {
        const [first, last] = [placed[0]!, placed.at(-1)!];
        const at = first.from + (last.to - first.from) * share;
        expect(characterAt(placed, topOf(placed, at))).toBeCloseTo(at, 4);
      }),
    );
  });

  it('grow together', () => {
    fc.assert(
      fc.property(blocks, fc.nat(5000), fc.nat(5000), (placed, a, b) => {
        expect(topOf(placed, Math.min(a, b))).toBeLessThanOrEqual(topOf(placed, Math.max(a, b)));
      }),
    );
  });

  it('are 0 where there is nothing', () => {
    expect([topOf([], 5), characterAt([], 5)]).toEqual([0, 0]);
  });
});
