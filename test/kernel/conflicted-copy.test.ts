import { describe, expect, it } from 'vitest';
import { copyNameOf, originalOf } from '#kernel/conflicted-copy';

describe('the name of a conflicted copy', () => {
  it.each([
    ["notes/a (Ana's conflicted copy 2026-03-01).md", 'notes/a.md'],
    ['notes/a (conflicted copy).md', 'notes/a.md'],
    ['a (Case Conflict 1).md', 'a.md'],
    ['a (copia en conflicto de Ana).md', 'a.md'],
    ['a.sync-conflict-20260301-101112-ABCDEFG.md', 'a.md'],
  ])('%s leads to %s', (copy, of) => {
    expect([copyNameOf(copy), originalOf(copy)]).toEqual(['client', of]);
  });

  it('is none that any program gives, or that only speaks of conflicts', () => {
    expect([originalOf('a (1).md'), originalOf('conflicted.md'), originalOf('a.md')]).toEqual([null, null, null]);
  });
});
