import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainInk } from '#cli/ink';
import { diffText, shownContent } from '#cli/revision';
import { type Outputs, wordsFor } from '#protocol';

const words = wordsFor('en');
const hash = `sha256:${'a'.repeat(64)}`;
const object = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
const shown: Outputs['show'] = {
  object,
  path: 'a.md',
  revision: `rev1:${'a'.repeat(64)}`,
  label: 'v1',
  content_hash: hash,
  binary: false,
  text: '',
  base64: null,
};
const side = { revision: null, label: null, content_hash: hash };
const difference: Outputs['diff'] = {
  object,
  path: 'a.md',
  from: side,
  to: side,
  equal: false,
  binary: false,
  added: 1,
  removed: 1,
  diff: '',
};

describe('the text of a revision', () => {
  it('is printed byte for byte where no terminal reads it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => shownContent({ ...shown, text }, false, words) === text));
  });

  it('cannot act on a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(shownContent({ ...shown, text: `${text}\u001b[2J\r` }, true, words)).not.toMatch(/(?![\n\t])\p{Cc}/u);
      }),
    );
  });

  it('is bytes when it is binary, and only their number on a terminal', () => {
    const binary = { ...shown, binary: true, text: null, base64: Buffer.from([0, 255, 10]).toString('base64') };
    expect(shownContent(binary, false, words)).toEqual(Buffer.from([0, 255, 10]));
    expect(shownContent(binary, true, words)).toBe('a.md at v1 is binary: 3 bytes.\n');
  });
});

describe('a diff', () => {
  const diff = '--- a.md\n+++ a.md\n@@ -1 +1 @@\n-a\u001b[2J\n+b\n';

  it('is printed as it is where no terminal reads it, and escaped on one', () => {
    expect(diffText({ ...difference, diff }, { isTerminal: false, ink: plainInk, words }).text).toBe(diff);
    expect(diffText({ ...difference, diff }, { isTerminal: true, ink: plainInk, words }).text).toBe(diff.replace('\u001b', '\\u{1b}'));
  });

  it('that is none is said beside it', () => {
    const same = { ...difference, equal: true };
    expect(diffText(same, { isTerminal: false, ink: plainInk, words })).toEqual({ text: '', notes: ['There is no difference.'] });
  });

  it('of binary contents is only said', () => {
    const binary = { ...difference, binary: true, diff: null };
    expect(diffText(binary, { isTerminal: true, ink: plainInk, words })).toEqual({ text: '', notes: ['Both are binary and they differ.'] });
  });
});
