import type { AnchorRow } from '#protocol/anchor-calls';
import type { Comparer } from '#renderer/breakdown/comparer.ts';
import { faultOf, type World } from '#renderer/breakdown/listing.ts';
import { again, type CodeList, type CodeReading, type CodeSaid, type CodeStore, refusalOf, without } from './code-list.ts';

/** A row that was looked at to be confirmed with others: with its code then and now, or with why it is left out. */
export type ReviewedRow =
  | { readonly row: AnchorRow; readonly reading: Extract<CodeReading, { kind: 'read' }>; readonly hash: string }
  | { readonly row: AnchorRow; readonly reading: null; readonly why: CodeSaid };

/** Takes a row into the selection, or out of it. */
export function selectCode(store: CodeStore, id: string): void {
  const selected = new Set(store.getState().selected);
  if (!selected.delete(id)) selected.add(id);
  store.setState({ selected, said: { kind: 'words', key: 'several.selected', detail: { count: selected.size } } });
}

/** The selected rows that are on the page, in its order. */
export const selectedCode = ({ rows, selected }: Pick<CodeList, 'rows' | 'selected'>): AnchorRow[] =>
  rows.filter(({ anchor }) => selected.has(anchor.id));

/** Looks at one of several rows: what is confirmed together is looked at together. */
export async function reviewCode(world: World, comparer: Comparer, row: AnchorRow): Promise<ReviewedRow> {
  try {
    const look = await world.call('anchor/look', { id: row.anchor.id });
    const fresh = { anchor: look.anchor, isUnchecked: look.isUnchecked };
    if (look.hash === null) {
      const { state } = look.anchor;
      const key = look.isUnchecked ? null : state === 'lost' ? 'several.lost' : state === 'fresh' ? 'act.why-fresh' : null;
      return { row: fresh, reading: null, why: { kind: 'words', key: key ?? 'act.why-unchecked' } };
    }
    const texts = [look.before.text, look.now?.text ?? null];
    const comparison = texts.every((text) => text !== null) ? await comparer.compare(texts[0]!, texts[1]!, null) : null;
    return { row: fresh, reading: { kind: 'read', look, comparison }, hash: look.hash };
  } catch (error) {
    return { row, reading: null, why: faultOf(error) };
  }
}

/** Confirms several rows, each as it was shown. Those that moved since stay and say so; the others leave together. */
export async function confirmSeveral(store: CodeStore, world: World, reviewed: readonly ReviewedRow[]): Promise<void> {
  store.setState({ asking: null });
  const done = new Set<string>();
  const refused = new Map<string, CodeSaid>();
  for (const one of reviewed) {
    if (one.reading === null) continue;
    const { id } = one.row.anchor;
    const asked = { id, hashSeen: one.hash, note: '', idem: world.newId() };
    try {
      await again(world, () => world.call('anchor/confirm', asked));
      done.add(id);
    } catch (error) {
      refused.set(id, refusalOf(error));
    }
  }
  store.setState((list) => {
    const left = without(list, done);
    const key = refused.size === 0 ? 'several.confirmed' : 'several.confirmed-some';
    return {
      ...left,
      notes: new Map([...left.notes!, ...refused]),
      said: { kind: 'words', key, detail: { count: done.size, left: refused.size } },
    };
  });
}
