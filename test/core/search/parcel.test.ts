import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packed, unpacked } from '#core/search/parcel';
import type { SearchPart } from '#protocol/search-calls';

const place = fc.nat(0xffff_ffff);
const words = fc.string({ unit: 'grapheme', maxLength: 12 });
const match = fc.record({ start: place, end: place, line: place, before: words, text: words, behind: words }, { noNullPrototype: true });
const file = fc.record(
  { path: fc.string(), base: fc.string(), matches: fc.array(match, { maxLength: 4 }), more: fc.boolean() },
  { noNullPrototype: true },
);
const part: fc.Arbitrary<SearchPart> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('found' as const),
      files: fc.array(file, { maxLength: 4 }),
      after: fc.option(fc.string()),
      searched: fc.nat(),
      of: fc.nat(),
      skipped: fc.array(fc.string()),
    },
    { noNullPrototype: true },
  ),
  fc.constantFrom({ kind: 'invalid' as const }, { kind: 'too-slow' as const }),
);

it('a part of an answer is the same behind the way from one thread to another', () => {
  fc.assert(fc.property(part, (one) => void expect(unpacked(structuredClone(packed(one)))).toEqual(one)));
});
