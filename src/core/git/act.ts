/** What one entry of HEAD's reflog says was done. A navigation may also be an act that nobody has named yet. */
export type Act =
  | { readonly kind: 'git'; readonly id: 'revert' | 'merge' | 'cherry-pick' | 'rebase' }
  | { readonly kind: 'commit' }
  | { readonly kind: 'navigation'; readonly op: 'checkout' | 'reset' };

/** The act behind a reflog message (`format.md` §8). Git writes these messages in English; older forms are read too. */
export function actOf(message: string): Act {
  const { name, step, rest } = parseMessage(message);
  if (name === 'commit') return commitActs[step] ?? commit;
  if (name === 'am') return commit;
  if (name === 'reset') return { kind: 'navigation', op: 'reset' };
  if (name === 'revert' || name === 'cherry-pick') return rest === 'fast-forward' ? checkout : { kind: 'git', id: name };
  if (name === 'rebase' || (name === 'pull' && step !== '')) return rebaseAct(step, rest);
  if (name === 'merge' || name === 'pull') return mergeAct(rest);
  return checkout;
}

const commit: Act = { kind: 'commit' };
const checkout: Act = { kind: 'navigation', op: 'checkout' };
const rebase: Act = { kind: 'git', id: 'rebase' };

const commitActs: Readonly<Record<string, Act>> = {
  merge: { kind: 'git', id: 'merge' },
  'cherry-pick': { kind: 'git', id: 'cherry-pick' },
  rebase,
};

const rebaseMoves = /^(start|finish|abort|reset)$/;
const olderRebaseMoves = /^(checkout \S+|returning to \S+|aborting|fast-forward)$/;

function rebaseAct(step: string, rest: string): Act {
  return (step === '' ? olderRebaseMoves.test(rest) : rebaseMoves.test(step)) ? checkout : rebase;
}

// A pull that rebases in an older git has no steps; its first entry is a checkout of the commit it builds on.
function mergeAct(rest: string): Act {
  return /^fast-forward\b/i.test(rest) || /^checkout [0-9a-f]{40,64}$/.test(rest) ? checkout : { kind: 'git', id: 'merge' };
}

function parseMessage(message: string): { name: string; step: string; rest: string } {
  const colon = message.indexOf(': ');
  const head = colon < 0 ? message : message.slice(0, colon);
  return { name: head.split(' ', 1)[0]!, step: / \(([a-z-]+)\)$/.exec(head)?.[1] ?? '', rest: colon < 0 ? '' : message.slice(colon + 2) };
}
