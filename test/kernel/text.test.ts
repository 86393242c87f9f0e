import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText, isWhiteSpace, trimWhite, trimWhiteEnd, trimWhiteStart } from '#kernel/text';
import { vectorsOf } from '../helpers/vectors.ts';

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'a \t\r\n',
      '\r\n',
      '\u0085',
      '\u00a0',
      '\ufeff',
      '\u001c',
      '\u2028',
      'e',
      '\u0301',
      '\u0323',
      '\u1100',
      '\u1161',
      '\u212b',
      '\ud800',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('canonical text', () => {
  it.each(vectorsOf<{ input: string; output: string }>('canonicalize'))('is as in vector $input', ({ input, output }) => {
    expect(canonicalText(input)).toBe(output);
  });

  it('is NFC with its line endings folded, whatever the text', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(canonicalText(text)).toBe(text.normalize('NFC').replace(/\r\n|\r/g, '\n'));
      }),
    );
  });

  it('made twice is the same', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(canonicalText(canonicalText(text))).toBe(canonicalText(text));
      }),
    );
  });

  it('of two texts joined at a line is the two joined', () => {
    fc.assert(
      fc.property(nasty, nasty, (a, b) => {
        expect(canonicalText(`${a}x\n${b}`)).toBe(`${canonicalText(`${a}x`)}\n${canonicalText(b)}`);
      }),
    );
  });

  it('needs no normalising for a character below U+0300', () => {
    for (let code = 0; code < 0x300; code++) {
      const text = String.fromCharCode(code);
      expect(`${text}${text}`.normalize('NFC')).toBe(`${text}${text}`);
    }
  });

  it('keeps trailing spaces, a BOM and a missing final newline', () => {
    expect(canonicalText('\ufeffa \t\n b')).toBe('\ufeffa \t\n b');
  });
});

describe('white space', () => {
  it('is the Unicode set, and trimming knows no other', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const text = String.fromCharCode(code);
      const isWhite = /^\p{White_Space}$/u.test(text);
      if (isWhiteSpace(code) !== isWhite) expect.fail(`U+${code.toString(16)}`);
    }
    expect(isWhiteSpace(0x85)).toBe(true);
    expect(isWhiteSpace(0xfeff)).toBe(false);
    expect(isWhiteSpace(0x1c)).toBe(false);
  });

  it('goes from either end and from nowhere else', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(trimWhiteStart(text)).toBe(text.replace(/^\p{White_Space}+/u, ''));
        expect(trimWhiteEnd(text)).toBe(text.replace(/\p{White_Space}+$/u, ''));
        expect(trimWhite(text)).toBe(trimWhiteStart(trimWhiteEnd(text)));
      }),
    );
    expect(trimWhite('\u00a0\u3000a\ufeff\u0085')).toBe('a\ufeff');
  });
});
