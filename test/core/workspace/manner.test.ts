import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asFileOf, inMannerOf } from '#core/workspace/manner';
import { maskIdentity } from '#kernel/identity';
import { canonicalText } from '#kernel/text';
import type { Uuid } from '#kernel/uuid';

const raw = fc.string({ unit: fc.constantFrom('\r\n', '\n', '\r', 'a', 'b', 'é', 'e\u0301', ' '), maxLength: 40 });
const identity = { id: '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7' as Uuid, schema: null };

describe('a text in the manner of a file', () => {
  it('is the text, and that of the file itself is the file byte for byte', () => {
    fc.assert(
      fc.property(raw, raw.map(canonicalText), (now, wanted) => {
        expect(canonicalText(inMannerOf(now, wanted))).toBe(wanted);
        expect(inMannerOf(now, canonicalText(now))).toBe(now);
      }),
    );
  });

  it.each([
    ['CRLF', 'one\r\ntwo\r\n', 'zero\none\ntwo', 'zero\r\none\r\ntwo'],
    ['mixed endings', 'one\r\ntwo\nthree\r\n', 'one\ntwo\nnew\nthree\n', 'one\r\ntwo\nnew\r\nthree\r\n'],
    ['decomposed letters', 'e\u0301\n', 'é\nü\n', 'e\u0301\nu\u0308\n'],
    ['a byte order mark', '\uFEFFone\n', 'two\n', '\uFEFFtwo\n'],
    ['no byte order mark', 'one\n', '\uFEFFtwo\n', 'two\n'],
    ['an empty file', '', 'two\n', 'two\n'],
  ])('keeps %s', (_, now, wanted, put) => expect(inMannerOf(now, wanted)).toBe(put));

  it('carries the block of its document as that is written there', async () => {
    const now = `---\r\nvmark:\r\n    id: ${identity.id}\r\n---\r\nnow\r\n`;
    expect(await asFileOf(now, 'then\n', identity)).toBe(now.replace('now', 'then'));
    expect(await asFileOf(now, '---\ntitle: then\n---\nthen\n', identity)).toBe(
      `---\r\ntitle: then\r\nvmark:\r\n    id: ${identity.id}\r\n---\r\nthen\r\n`,
    );
    expect(await asFileOf(null, 'then\n', identity)).toBe(`---\nvmark:\n  id: ${identity.id}\n---\nthen\n`);
    expect(await asFileOf(now, '---\nno end\n', identity)).toBe(`---\r\nvmark:\r\n    id: ${identity.id}\r\n---\r\n---\r\nno end\r\n`);
  });

  it('loses nothing of what was stored, whatever the file is like', async () => {
    await fc.assert(
      fc.asyncProperty(raw, raw, async (now, then) => {
        const masked = maskIdentity(canonicalText(then));
        expect(maskIdentity(canonicalText(await asFileOf(now, masked, identity)))).toBe(maskIdentity(masked));
      }),
    );
  });
});
