import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actOf } from '#core/git/act';
import { bringerOf, kindOf, navigationOf } from '#core/git/attribution';
import type { GitPosition } from '#core/git/position';
import type { ReflogEntry } from '#core/git/reflog';

describe('the rule for one text', () => {
  const still = { atHead: false, brought: null, stashMoved: false };
  const standing = { ...still, atHead: true };
  const cases = [
    { found: 'made by a revert, known or not', facts: { ...standing, brought: actOf('revert: x') }, known: 'git', unknown: 'git' },
    {
      found: 'brought by a checkout',
      facts: { ...standing, brought: actOf('checkout: moving from a to b') },
      known: 'navigation',
      unknown: 'external',
    },
    { found: 'committed', facts: { ...standing, brought: actOf('commit: x') }, known: 'external', unknown: 'external' },
    {
      found: 'committed while the stash moved',
      facts: { ...standing, brought: actOf('commit: x'), stashMoved: true },
      known: 'external',
      unknown: 'external',
    },
    { found: 'the text of HEAD, brought by no act', facts: standing, known: 'navigation', unknown: 'external' },
    { found: 'not of HEAD while the stash moved', facts: { ...still, stashMoved: true }, known: 'navigation', unknown: 'external' },
    { found: 'not of HEAD, and no stash moved', facts: still, known: 'external', unknown: 'external' },
  ];
  it.each(cases)('$found', ({ facts, known, unknown }) => {
    expect(kindOf({ ...facts, known: true })).toBe(known);
    expect(kindOf({ ...facts, known: false })).toBe(unknown);
  });
});

describe('the entry that brought a text', () => {
  const digit = fc.integer({ min: 1, max: 4 }).map(String);
  const commits = fc.array(digit, { minLength: 1, maxLength: 8 });
  const chain = (names: readonly string[]): ReflogEntry[] =>
    names.slice(1).map((after, at) => ({ before: names[at]!, after, message: String(at) }));

  it('is the first one from which the text stands to HEAD', () => {
    fc.assert(
      fc.property(commits, fc.uniqueArray(digit), (names, holding) => {
        const holds = (name: string) => holding.includes(name);
        const entries = chain(names);
        const stands = names.map((_, at) => names.slice(at).every(holds)).indexOf(true);
        const expected = entries.length === 0 || stands === 0 ? 'earlier' : stands < 0 ? null : entries[stands - 1];
        expect(bringerOf(entries, holds)).toEqual(expected);
      }),
    );
  });

  it('is the same whether the log is read at once or in blocks from its end', () => {
    fc.assert(
      fc.property(commits, fc.uniqueArray(digit), fc.nat(), (names, holding, cut) => {
        const holds = (name: string) => holding.includes(name);
        const entries = chain(names);
        const at = cut % (entries.length + 1);
        const late = bringerOf(entries.slice(at), holds);
        expect(late === 'earlier' ? bringerOf(entries.slice(0, at), holds) : late).toEqual(bringerOf(entries, holds));
      }),
    );
  });

  it('is none when the log has a gap where the text arrived', () => {
    const entries = [...chain(['1', '2']), ...chain(['3', '4'])];
    expect(bringerOf(entries, (name) => name === '3' || name === '4')).toBeNull();
  });
});

describe('the one navigation', () => {
  const at = (head: string | null, ref: string | null): GitPosition => ({ head, ref, stash: null, reflog: null });
  const entry = (message: string): ReflogEntry => ({ before: 'a', after: 'b', message });
  const main = 'refs/heads/main';

  it.each([
    {
      what: 'another branch',
      since: at('a', main),
      now: at('b', 'refs/heads/side'),
      messages: ['checkout: moving from main to side'],
      op: 'branch-switch',
    },
    { what: 'a commit of its own', since: at('a', main), now: at('b', null), messages: ['checkout: moving from main to b'], op: 'detach' },
    {
      what: 'another commit, detached',
      since: at('a', null),
      now: at('b', null),
      messages: ['checkout: moving from a to b'],
      op: 'checkout',
    },
    { what: 'a reset branch', since: at('a', main), now: at('b', main), messages: ['reset: moving to b'], op: 'reset' },
  ])('goes to $what by $op', ({ since, now, messages, op }) => {
    const navigation = navigationOf(since, now, messages.map(entry), false);
    expect(navigation).toEqual({ kind: 'navigation', op, from: 'a', to: 'b', ref: now.ref });
  });

  it('is none after commits, merges and rebases that moved no known text', () => {
    const entries = ['commit: x', 'merge side: Fast-forward', 'rebase (start): checkout main', 'rebase (pick): y'].map(entry);
    expect(navigationOf(at('a', main), at('b', main), entries, false)).toBeNull();
    expect(navigationOf(at('a', main), at('a', main), [entry('checkout: moving from main to side')], false)).toBeNull();
  });

  it('is named when only texts moved, and its start is empty when nobody remembers it', () => {
    expect(navigationOf(at('a', main), at('b', main), [entry('merge side: Fast-forward')], true)?.op).toBe('checkout');
    expect(navigationOf(null, at('b', main), [], true)).toEqual({ kind: 'navigation', op: 'checkout', from: '', to: 'b', ref: main });
    expect(navigationOf(null, at('b', main), [], false)).toBeNull();
  });
});
