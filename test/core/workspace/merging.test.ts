import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JoinPart, mergeTexts } from '#core/workspace/merging';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', '<<<<<<<\n', '=======\n', 'é\n');
const text = fc.array(line, { maxLength: 12 }).chain((lines) => fc.constantFrom(lines.join(''), `${lines.join('')}end`));
const conflictsIn = (parts: readonly JoinPart[]) => parts.filter((part) => part.kind === 'conflict');
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
/** Texts that hold what other programs mark conflicts with. */
const known: [string, string[]][] = [
  ['<<<<<<<\na\na\nb\n<<<<<<<\n', ['a\n<<<<<<<\n', 'b\n<<<<<<<\n', 'c\n<<<<<<<\n']],
  ['a\n<<<<<<<\n=======\n', ['<<<<<<<\na\n=======\n', 'a\n=======\n<<<<<<<\n', 'a\n<<<<<<<\n']],
  ['=======\n', ['<<<<<<<\n=======\n>>>>>>>\n', '<<<<<<<\n', '=======\n>>>>>>>\n']],
];
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

  it('has every side in each conflict, and two that changed the base, each in its own way', () => {
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 2, maxLength: 4 }), (base, sides) => {
        for (const { sides: own, base: from } of conflictsIn(mergeTexts(base, sides)).map(
          (part) => part as JoinPart & { kind: 'conflict' },
        )) {
          expect(own).toHaveLength(sides.length);
          expect(new Set(own.filter((one) => one !== from)).size).toBeGreaterThan(1);
        }
      }),
      { examples: known },
    );
  });

  it('holds each side whole: with its conflicts decided for a side and its changes taken, nothing else is new', () => {
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 2, maxLength: 4 }), (base, sides) => {
        const parts = mergeTexts(base, sides);
        const lines = new Set([base, ...sides].flatMap(linesOf));
        for (const [at] of sides.entries()) expect(linesOf(decided(parts, at)).filter((one) => !lines.has(one))).toEqual([]);
        expect(parts.filter((part, at) => part.kind === 'same' && (part.text === '' || parts[at - 1]?.kind === 'same'))).toEqual([]);
      }),
      { examples: known },
    );
  });

  it('does not depend on the order of its sides', () => {
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 2, maxLength: 4 }), (base, sides) => {
        const turned = mergeTexts(base, sides.toReversed()).map((part) =>
          part.kind === 'same' ? part : { ...part, sides: part.sides.toReversed() },
        );
        expect(turned).toEqual(mergeTexts(base, sides));
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
