import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brief, safeJson, visible, visibleText, widthOf } from '#cli/text';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const hostile = fc
  .array(
    fc.oneof(anyText, fc.constantFrom('\u001b[2J', '\u009b31m', '\u001b]0;title\u0007', '\r', '\n', '\t', '\u202e', '\u0000', '\u007f')),
  )
  .map((pieces) => pieces.join(''));
const acting = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

describe('text for a terminal', () => {
  it('carries no character that acts on it', () => {
    fc.assert(fc.property(hostile, (text) => !acting.test(visible(text))));
  });

  it('keeps newlines and tabs where a whole text is shown, and nothing else', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = visibleText(text);
        expect(shown.replaceAll(/[\n\t]/gu, '')).not.toMatch(acting);
        expect(shown.split('\n')).toHaveLength(text.split('\n').length);
      }),
    );
  });

  it('is as it was when nothing in it acts', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N}\p{P}\p{S} ]*$/u), (text) => visible(text) === text && visibleText(text) === text),
    );
  });

  it('says which character stood there', () => {
    expect(visible('a\u001b[2J\n')).toBe('a\\u{1b}[2J\\u{a}');
  });
});

describe('JSON for a terminal', () => {
  it('reads as the same value and carries no character that acts, newlines of its own aside', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const written = safeJson({ value, [text]: text });
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify({ value, [text]: text })));
        expect(written.replaceAll('\n', '')).not.toMatch(acting);
      }),
    );
  });
});

describe('a brief text', () => {
  it('is one line of at most as many characters', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        const short = brief(text, limit);
        expect([...short].length).toBeLessThanOrEqual(limit);
        expect(short).not.toMatch(/\n|\t|\r/u);
      }),
    );
  });

  it('ends in an ellipsis only where something is missing', () => {
    expect(brief(' a\n  b ', 3)).toBe('a b');
    expect(brief('abcd', 3)).toBe('ab…');
  });
});

describe('the width of a line', () => {
  it.each([
    ['', 0],
    ['chapters/01.md', 14],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['한글.md', 7],
    ['👩‍👩‍👧 x', 4],
    ['ﬁ', 1],
  ])('of %j is %i', (line, width) => {
    expect(widthOf(line)).toBe(width);
  });
});
