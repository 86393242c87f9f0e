import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedWords, compareTexts, compareVersions, sideOf } from '#renderer/breakdown/comparison.ts';
import { type Fold, foldUnchanged } from '#renderer/breakdown/fold.ts';

const word = fc.constantFrom('salt', 'ferry', 'Ines', 'left-handed', '¿quién?', '海', '🜂', 'a', '.', ',');
const blank = fc.constantFrom(' ', '  ', '\n', '\n\n', '\t', '\n# ');
const text = fc.array(fc.oneof(word, blank), { maxLength: 60 }).map((parts) => parts.join(''));

/** A text and one that was made of it by taking out, putting in and repeating stretches. */
const edited = fc.tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat(20), text), { maxLength: 4 })).map(([before, edits]): [string, string] => [
  before,
  edits.reduce((now, [at, length, put]) => {
    const start = now.length === 0 ? 0 : at % now.length;
    return now.slice(0, start) + put + now.slice(start + length);
  }, before),
]);

describe('a comparison', () => {
  it('joined gives back both texts', () => {
    fc.assert(
      fc.property(fc.oneof(edited, fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), ([before, now]) => {
        const pieces = compareTexts(before, now);
        expect(sideOf(pieces, 'before')).toBe(before);
        expect(sideOf(pieces, 'now')).toBe(now);
      }),
    );
  });

  it('has no empty piece, none beside its like, and nothing added before what it replaces', () => {
    fc.assert(
      fc.property(edited, ([before, now]) => {
        const pieces = compareTexts(before, now);
        expect(pieces.filter(({ text }) => text === '')).toEqual([]);
        const order = pieces.map(({ kind }) => kind).join(' ');
        expect(order).not.toMatch(/removed removed|added (added|removed)/);
      }),
    );
  });

  it('counts no word where nothing changed, and at most all words of both', () => {
    fc.assert(
      fc.property(edited, ([before, now]) => {
        expect(changedWords(compareTexts(before, before))).toBe(0);
        const everything = changedWords([
          { kind: 'removed', text: before },
          { kind: 'same', text: '' },
          { kind: 'added', text: now },
        ]);
        expect(changedWords(compareTexts(before, now))).toBeLessThanOrEqual(everything);
      }),
    );
  });

  it('FR-177: tells a change of emphasis marks, list signs and blank lines from one of words', () => {
    const before = '# A\n\n*One* and __two__.\n* three\n* four\n';
    const now = '# A\n\n\n_One_ and **two**.\n\n- three\n\n- four\n';
    expect(changedWords(compareTexts(before, now))).toBe(0);
    expect(changedWords(compareTexts(before, now.replace('three', 'thirty').replace('_One_', '_Once_')))).toBe(2);
  });

  it('keeps the order of blanks of several kinds at the end of a change', () => {
    const pieces = compareTexts('\t  海\t  ', 'salt\t  ');
    expect([sideOf(pieces, 'before'), sideOf(pieces, 'now')]).toEqual(['\t  海\t  ', 'salt\t  ']);
  });

  it('takes a compound for one word wherever it changed', () => {
    const pieces = compareTexts('left-handedleft-handed', 'ft-saltleft-handedhandedleft-handed');
    expect(pieces.map(({ kind }) => kind)).toEqual(['removed', 'added']);
    expect(changedWords(pieces)).toBe(1);
  });

  it('gives one change for neighbouring words, and counts a word in place of another once', () => {
    const pieces = compareTexts('She is tall and calm.', 'She is short but calm.');
    expect(pieces).toEqual([
      { kind: 'same', text: 'She is ' },
      { kind: 'removed', text: 'tall and' },
      { kind: 'added', text: 'short but' },
      { kind: 'same', text: ' calm.' },
    ]);
    expect(changedWords(pieces)).toBe(2);
  });

  it('marks a compound whole and counts it once, and leaves blanks at its ends alone', () => {
    const pieces = compareTexts('Ines is left-handed and hides it.', 'Ines is right-handed since then and hides it.');
    expect(pieces.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual(['left-handed', 'right-handed since then']);
    expect(changedWords(pieces)).toBe(3);
  });

  it('still gives both texts where they are too different to compare finely', () => {
    const lines = (seed: string) => Array.from({ length: 4000 }, (_, at) => `${seed} ${at}\n`).join('');
    const pieces = compareTexts(lines('a'), lines('b'));
    expect(sideOf(pieces, 'before')).toBe(lines('a'));
    expect(sideOf(pieces, 'now')).toBe(lines('b'));
  });
});

const joined = (folds: readonly Fold[], side: 'before' | 'now') =>
  folds.map((fold) => (fold.kind === 'folded' ? fold.text : sideOf(fold.pieces, side))).join('');

describe('folding', () => {
  it('keeps every change in sight, and both texts', () => {
    const measure = fc.record({ context: fc.integer({ min: 1, max: 30 }), least: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(edited, measure, ([before, now], size) => {
        const pieces = compareTexts(before, now);
        const folds = foldUnchanged(pieces, size);
        expect(joined(folds, 'before')).toBe(before);
        expect(joined(folds, 'now')).toBe(now);
        const shown = folds.flatMap((fold) => (fold.kind === 'shown' ? fold.pieces : []));
        expect(shown.filter(({ kind }) => kind !== 'same')).toEqual(pieces.filter(({ kind }) => kind !== 'same'));
      }),
    );
  });

  it('folds no less than is worth it, and parts no surrogate pair', () => {
    const measure = fc.record({ context: fc.integer({ min: 1, max: 30 }), least: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(edited, measure, ([before, now], size) => {
        for (const fold of foldUnchanged(compareTexts(before, now), size)) {
          if (fold.kind !== 'folded') continue;
          expect(fold.text.length).toBeGreaterThanOrEqual(size.least - 1);
          expect(fold.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('leaves some text before and after a change, cut at line ends', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `Line ${at} of the letter.\n`).join('');
    const folds = foldUnchanged(compareTexts(`A\n${lines}B\n`, `C\n${lines}D\n`));
    expect(folds.map(({ kind }) => kind)).toEqual(['shown', 'folded', 'shown']);
    expect(joined(folds.slice(0, 1), 'now')).toMatch(/^C\nLine 0 .*\n$/s);
    expect(joined(folds.slice(2), 'now')).toMatch(/^Line \d+ .*\nD\n$/s);
    expect(folds[1]).toMatchObject({ lines: joined(folds.slice(1, 2), 'now').split('\n').length - 1 });
  });
});

describe('two versions of a source', () => {
  const before = '# People\n\n## Ines\n\nShe is left.\n\n## Marcus\n\nHe is old.\n';
  const now = '# People\n\n## Ines\n\nShe is right.\n\n## Marcus\n\nHe is very old.\n';

  it('are compared by the section first, and count its words apart from the rest', () => {
    const { section, rest, words, elsewhere } = compareVersions(before, now, ['People', 'Ines']);
    expect(joined(section!, 'now')).toBe('## Ines\n\nShe is right.\n\n');
    expect(joined(rest, 'before')).toBe('# People\n\n## Marcus\n\nHe is old.\n');
    expect([words, elsewhere]).toEqual([1, 1]);
  });

  it('are compared whole where the heading is gone', () => {
    const { section, rest, words } = compareVersions(before, now, ['People', 'Ada']);
    expect(section).toBeNull();
    expect(joined(rest, 'now')).toBe(now);
    expect(words).toBe(2);
  });
});
