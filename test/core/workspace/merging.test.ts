import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JoinPart, mergeTexts } from '#core/workspace/merging';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', '<<<<<<<\n', '=======\n', 'é\n');
const text = fc.array(line, { maxLength: 12 }).chain((lines) => fc.constantFrom(lines.join(''), `${lines.join('')}end`));
const conflictsIn = (parts: readonly JoinPart[]) => parts.filter((part) => part.kind === 'conflict');
/** What a side would be if every conflict were decided for it. */
const decided = (parts: readonly JoinPart[], side: number) =>
  parts.map((part) => (part.kind === 'same' ? part.text : part.sides[side])).join('');

describe('a merge', () => {
  it('of a text with what it was made from is that text, and of equal texts is either', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        for (const sides of [
          [base, changed],
          [changed, base],
          [changed, changed],
          [base, changed, base],
          [changed, base, changed],
        ]) {
          const parts = mergeTexts(base, sides);
          expect([conflictsIn(parts), decided(parts, 0)]).toEqual([[], changed]);
        }
        expect(decided(mergeTexts(null, [changed, changed]), 0)).toBe(changed);
      }),
    );
  });

  it('has every side in each conflict, and no side of it has all that the base had', () => {
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 2, maxLength: 4 }), (base, sides) => {
        for (const { sides: own, base: from } of conflictsIn(mergeTexts(base, sides)).map(
          (part) => part as JoinPart & { kind: 'conflict' },
        )) {
          expect(own).toHaveLength(sides.length);
          expect(new Set(own).size).toBeGreaterThan(1);
          expect(own.filter((one) => one !== from).length).toBeGreaterThan(1);
        }
      }),
    );
  });

  it('without anything in common keeps every line of the side that its conflicts are decided for', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const parts = mergeTexts(null, [left, right]);
        for (const [at, side] of [left, right].entries()) {
          const kept: readonly string[] = decided(parts, at).match(/[^\n]*\n|[^\n]+$/gu) ?? [];
          let from = 0;
          for (const wanted of side.match(/[^\n]*\n|[^\n]+$/gu) ?? []) {
            const found = kept.indexOf(wanted, from);
            expect(found).toBeGreaterThanOrEqual(from);
            from = found + 1;
          }
        }
      }),
    );
  });

  it('joins what was changed in different places, and says what was changed in the same', () => {
    const base = 'one\n\ntwo\n\nthree\n\nfour\n';
    expect(mergeTexts(base, [base.replace('one', '1'), base.replace('three', '3'), base.replace('four', '4')])).toEqual([
      { kind: 'same', text: '1\n\ntwo\n\n3\n\n4\n' },
    ]);
    const sides = [base.replace('two', 'zwei').replace('one', '1'), base.replace('two', 'dos'), base.replace('four', '4')];
    expect(mergeTexts(base, sides)).toEqual([
      { kind: 'same', text: '1\n\n' },
      { kind: 'conflict', base: 'two\n', sides: ['zwei\n', 'dos\n', 'two\n'] },
      { kind: 'same', text: '\nthree\n\n4\n' },
    ]);
    expect(mergeTexts(base, [...sides, base.replace('two', 'due')])[1]).toEqual({
      kind: 'conflict',
      base: 'two\n',
      sides: ['zwei\n', 'dos\n', 'two\n', 'due\n'],
    });
  });
});
