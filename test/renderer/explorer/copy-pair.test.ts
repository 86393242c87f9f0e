import { expect, it } from 'vitest';
import { copyPairOf } from '#renderer/explorer/copy-pair.ts';

it.each([
  ['notes/a (conflicted copy).md', 'notes/a.md'],
  ['a.sync-conflict-20260301-101112-ABCDEFG.md', 'a.md'],
])('%s and %s are a pair, whichever is looked at, where both are there', (copy, of) => {
  const files = [{ path: of }, { path: copy }, { path: `other/${copy}` }];
  expect(copyPairOf(copy, files)).toEqual({ copy, of });
  expect(copyPairOf(of, files)).toEqual({ copy, of });
  expect(copyPairOf(copy, [{ path: copy }])).toBeNull();
  expect(copyPairOf('b.md', files)).toBeNull();
});
