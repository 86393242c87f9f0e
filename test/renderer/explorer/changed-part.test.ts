import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonEnds } from '#renderer/explorer/changed-part.ts';
import { isName } from '#renderer/ui/file-name.ts';

it('what two lines have in common at both ends is in both, and never more than either', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '/', '😀', 'é'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { head, tail } = commonEnds(before, after);
      expect(head + tail).toBeLessThanOrEqual(Math.min(before.length, after.length));
      expect(before.slice(0, head)).toBe(after.slice(0, head));
      expect(before.slice(before.length - tail)).toBe(after.slice(after.length - tail));
      expect(before.slice(0, head).isWellFormed() && before.slice(before.length - tail).isWellFormed()).toBe(true);
    }),
  );
  expect(commonEnds('[a](elena.md)', '[a](maria.md)')).toEqual({ head: 4, tail: 4 });
});

it.each([
  ['Ferry.md', true],
  ['日本 2.md', true],
  ['', false],
  [' ', false],
  ['..', false],
  ['a/b', false],
  ['a\nb', false],
  ['why?.md', false],
  ['end.', false],
])('%j may be a name: %s', (name, expected) => {
  expect(isName(name)).toBe(expected);
});
