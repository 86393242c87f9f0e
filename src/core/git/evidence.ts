import { type Act, actOf } from '#core/git/act';
import { type Attribution, bringerOf, kindOf, type Navigation, navigationOf } from '#core/git/attribution';
import type { GitPosition, HeadMoment } from '#core/git/position';
import { entriesSince, type ReflogEntry } from '#core/git/reflog';
import type { CommittedTexts, TextChange } from '#core/git/texts';

/** What git says about the changed texts of one scan. */
export interface Attributed {
  /** One attribution for every change, by its path. */
  readonly byPath: ReadonlyMap<string, Attribution>;
  /** The one navigation since the last position; null when there was none. */
  readonly navigation: Navigation | null;
  /** Where HEAD stood when this was judged: the next `since`. */
  readonly position: GitPosition;
}

/** Attributes changed texts by the reflog since a position (null: the first scan, or it was lost); null when git does not answer. */
export async function attributeTexts(texts: CommittedTexts, since: GitPosition | null, moment: HeadMoment): Promise<Attributed | null> {
  const { changes } = texts;
  const now = moment.position;
  const entries = since === null ? [] : entriesSince(moment.log, since.reflog, since.head);
  if (now.head !== null && !(await texts.read([now.head], changes))) return null;
  const isAtHead = (change: TextChange) => now.head !== null && texts.has(now.head, change);
  const acts = await actsBehind(texts, entries, changes.filter(isAtHead));
  if (acts === null) return null;
  const stashMoved = since !== null && since.stash !== now.stash;
  const kinds = changes.map((change) => {
    const brought = acts.get(change.path) ?? null;
    return kindOf({ known: change.known, atHead: isAtHead(change), brought, stashMoved });
  });
  const navigation = navigationOf(since, now, entries, kinds.includes('navigation'));
  const byPath = new Map(changes.map(({ path }, at) => [path, attributionOf(kinds[at]!, acts.get(path), navigation)] as const));
  return { byPath, navigation, position: now };
}

function attributionOf(kind: ReturnType<typeof kindOf>, act: Act | undefined, navigation: Navigation | null): Attribution {
  if (kind === 'git' && act?.kind === 'git') return act;
  return kind === 'navigation' && navigation !== null ? navigation : { kind: 'external' };
}

// Backwards, in blocks that double, and only for texts that still stand: a year away must not cost a year of trees.
async function actsBehind(
  texts: CommittedTexts,
  entries: readonly ReflogEntry[],
  changes: readonly TextChange[],
): Promise<Map<string, Act> | null> {
  const acts = new Map<string, Act>();
  let open = changes;
  let size = 4;
  for (let end = entries.length; end > 0 && open.length > 0; size *= 2) {
    const block = entries.slice(Math.max(0, end - size), end);
    if (!(await texts.read(commitsOf(block), open))) return null;
    open = open.filter((change) => {
      const bringer = bringerOf(block, (commit) => texts.has(commit, change));
      if (bringer !== null && bringer !== 'earlier') acts.set(change.path, actOf(bringer.message));
      return bringer === 'earlier';
    });
    end -= block.length;
  }
  return acts;
}

const commitsOf = (entries: readonly ReflogEntry[]) =>
  [...new Set(entries.flatMap((entry) => [entry.before, entry.after]))].filter((commit) => !/^0+$/.test(commit));
