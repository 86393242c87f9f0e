import { type Act, actOf } from '#core/git/act';
import type { GitPosition } from '#core/git/position';
import type { ReflogEntry } from '#core/git/reflog';

/** A move of HEAD for the ledger: commits (empty when unknown or unborn) and the branch now, null when detached. */
export interface Navigation {
  readonly kind: 'navigation';
  readonly op: 'checkout' | 'branch-switch' | 'reset' | 'detach';
  readonly from: string;
  readonly to: string;
  readonly ref: string | null;
}

/** Who made a changed text: git moved to a known one, git made it, or somebody outside did. */
export type Attribution = Navigation | Extract<Act, { kind: 'git' }> | { readonly kind: 'external' };

/** What is known about one changed text. `brought`: the act that brought it to its path and since which it stands to HEAD. */
export interface TextFacts {
  readonly known: boolean;
  readonly atHead: boolean;
  readonly brought: Act | null;
  readonly stashMoved: boolean;
}

/** The rule of `format.md` §8 for one text. */
export function kindOf(facts: TextFacts): Act['kind'] | 'external' {
  if (facts.brought?.kind === 'git') return 'git';
  if (facts.brought?.kind === 'commit' || !facts.known) return 'external';
  return facts.atHead || facts.stashMoved ? 'navigation' : 'external';
}

/**
 * The newest entry that brought a text which stands from there to the end of `entries` (oldest first): `holds` says
 * whether a commit has the text. `earlier` when it stood before them all; null when no entry of the log brought it.
 */
export function bringerOf(entries: readonly ReflogEntry[], holds: (commit: string) => boolean): ReflogEntry | 'earlier' | null {
  for (const entry of entries.toReversed()) {
    if (!holds(entry.after)) return null;
    if (!holds(entry.before)) return entry;
  }
  return 'earlier';
}

/** The one navigation of HEAD between two positions: null when HEAD stayed, or only commits and the like moved it. */
export function navigationOf(
  since: GitPosition | null,
  now: GitPosition,
  entries: readonly ReflogEntry[],
  textsMoved: boolean,
): Navigation | null {
  const moves = entries.filter((entry) => /^(checkout|reset): /.test(entry.message) && entry.before !== entry.after);
  const isMoved = since !== null && (since.ref !== now.ref || (since.head !== now.head && moves.length > 0));
  if (!isMoved && !textsMoved) return null;
  return { kind: 'navigation', op: opOf(since, now, entries), from: since?.head ?? '', to: now.head ?? '', ref: now.ref };
}

function opOf(since: GitPosition | null, now: GitPosition, entries: readonly ReflogEntry[]): Navigation['op'] {
  if (since !== null && since.ref !== now.ref) return now.ref === null ? 'detach' : 'branch-switch';
  const last = entries.map((entry) => actOf(entry.message)).findLast((act) => act.kind === 'navigation');
  return last?.op ?? 'checkout';
}
