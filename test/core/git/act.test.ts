import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actOf } from '#core/git/act';

const hash = '979de6902e5c37bc9f5e8724b1419f821e85d030';

const messages: Readonly<Record<string, readonly string[]>> = {
  revert: ['revert: Revert "two"'],
  'cherry-pick': ['cherry-pick: two', 'commit (cherry-pick): two'],
  merge: [
    "merge side: Merge made by the 'ort' strategy.",
    "merge a b: Merge made by the 'octopus' strategy.",
    'merge side: In-index merge',
    "pull --no-rebase: Merge made by the 'ort' strategy.",
    "pull git@host:book main: Merge made by the 'recursive' strategy.",
    "merge Fast-forward: Merge made by the 'ort' strategy.",
    "commit (merge): Merge branch 'side'",
  ],
  rebase: [
    'rebase (pick): two',
    'rebase (pick): checkout main',
    'rebase (pick): fix (start): all',
    'rebase (continue): two',
    'rebase (squash): # This is a combination of 2 commits.',
    'rebase (fixup): two',
    'rebase (reword): two',
    'rebase (merge): side',
    'rebase -i (pick): two',
    'rebase: two',
    'pull --rebase (pick): Fast-forward',
    'pull --rebase origin main (continue): two',
    'commit (rebase): two',
  ],
  commit: ['commit: two', 'commit: checkout: moving from a to b', 'commit (amend): two', 'commit (initial): one', 'am: two', 'commit'],
  reset: ['reset: moving to HEAD', 'reset: moving to HEAD~1'],
  checkout: [
    'checkout: moving from main to side',
    'rebase (start): checkout main',
    'rebase (finish): returning to refs/heads/main',
    'rebase (abort): returning to refs/heads/main',
    "rebase (reset): 'onto'",
    'rebase: fast-forward',
    'rebase: checkout main',
    'rebase finished: returning to refs/heads/main',
    'merge side: Fast-forward',
    'merge side: Fast-forward (no commit created; -m option ignored)',
    'pull: Fast-forward',
    'pull origin main: Fast-forward',
    'pull git@host:book main: Fast-forward',
    `pull --rebase origin main (start): checkout ${hash}`,
    `pull --rebase origin main: checkout ${hash}`,
    'cherry-pick: fast-forward',
    'clone: from /book',
    'initial pull',
    '',
    'an act of another program',
  ],
};

const nameOf = (message: string) => {
  const act = actOf(message);
  return act.kind === 'git' ? act.id : act.kind === 'navigation' ? act.op : act.kind;
};

describe.each(Object.entries(messages))('reads as %s', (name, all) => {
  it.each(all)('the message "%s"', (message) => {
    expect(nameOf(message)).toBe(name);
  });
});

it('lets no subject of a commit decide what was done', () => {
  fc.assert(
    fc.property(fc.constantFrom('commit', 'commit (merge)', 'rebase (pick)', 'rebase (start)', 'reset'), fc.string(), (head, subject) => {
      expect(actOf(`${head}: ${subject}`)).toEqual(actOf(`${head}: two`));
    }),
  );
});
