import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskIdentity, readIdentity } from '#kernel/identity';
import { replaceId, withOwnLines } from '#kernel/identity-change';
import { canonicalText } from '#kernel/text';
import type { Uuid } from '#kernel/uuid';

const [old, next] = ['018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7', '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c8'] as Uuid[];

describe('another id in a block', () => {
  const blocks = [
    `---\nvmark:\n  id: ${old}\n---\n`,
    `---\r\ntitle: "A"  # why\r\nvmark:\r\n    schema: place\r\n    id:   ${old} \r\n    other: x\r\n\r\ntags: [a]\r\n---\r\n`,
    `---\nvmark:\n\tid: ${old}\n  # mine\n---`,
    `---\nnested:\n  id: ${old}\nvmark:\n  id: ${old}\n  deep:\n    id: ${old}\n---\n`,
  ];

  it.each(blocks)('changes the characters of the id and not a byte else: %j', (block) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\r\n', '\n', 'a', 'é', `${old}`, '---\n') }), (text) => {
        const raw = block.endsWith('\n') ? block + text : block;
        const changed = replaceId(raw, next!)!;
        expect(readIdentity(canonicalText(changed))?.id).toBe(next);
        expect(maskIdentity(canonicalText(changed))).toBe(maskIdentity(canonicalText(raw)));
        const differing = [...raw].flatMap((char, at) => (char === changed[at] ? [] : [at]));
        expect([changed.length, differing.length]).toEqual([raw.length, 1]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    'text\n',
    '---\ntitle: a\n---\n',
    '---\nvmark:\n  schema: place\n---\n',
    '---\nvmark: {id: x}\n---\n',
    `---\nvmark:\n  id: "${old}"\n---\n`,
  ])('is none where the text carries none: %j', (raw) => expect(replaceId(raw, next!)).toBe(null));

  it('is written with the lines that a file had, where its block holds nothing else', () => {
    const own = [`      id:  ${old}`];
    expect(withOwnLines(`---\nvmark:\n  id: ${old}\n---\ntext\n`, own)).toBe(`---\nvmark:\n      id:  ${old}\n---\ntext\n`);
    const other = `---\nvmark:\n  id: ${old}\n  other: x\n---\ntext\n`;
    expect(withOwnLines(other, own)).toBe(other);
    expect(withOwnLines(`---\nvmark:\n  id: ${next}\n---\n`, own)).toBe(`---\nvmark:\n  id: ${next}\n---\n`);
  });
});
