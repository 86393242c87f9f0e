import { type ListedRow, type ListingStore, shownRows } from '#renderer/breakdown/listing.ts';
import { takenBack, waitsFor } from '#renderer/breakdown/pending.ts';

/** Opens a row, or closes it; a waiver that was being written is let go. */
export function toggle(store: ListingStore, key: string): void {
  store.setState(({ open }) => ({ open: open === key ? null : key, shown: null, current: key, waiving: null }));
}

/** Tells which version of the source the open row shows; a row that was computed before that version reads it from now on. */
export function showVersion(store: ListingStore, { key, row }: ListedRow, now: { revision: string; label: string | null } | null): void {
  if (store.getState().open !== key || row.edge === null) return;
  store.setState({ shown: now === null ? null : { key, revision: now.revision } });
  if (now === null || now.revision === row.current?.revision) return;
  const { revision, label } = now;
  store.setState(({ settled }) => ({
    settled: new Map(settled).set(key, {
      left: false,
      said: null,
      closed: false,
      ...settled.get(key),
      row: { ...row, current: { revision, label } },
    }),
  }));
}

/** Steps to the next or previous shown row and answers its key. */
export function step(store: ListingStore, by: 1 | -1): string | null {
  const state = store.getState();
  const rows = shownRows(state);
  const at = rows.findIndex(({ key }) => key === state.current);
  const next = at === -1 ? rows.at(by === 1 ? 0 : -1) : rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  if (next === undefined) return null;
  store.setState({ current: next.key });
  return next.key;
}

/** Takes a row into the selection, or out of it; a row without an edge has nothing to be decided. */
export function select(store: ListingStore, { key, row }: ListedRow): void {
  if (row.edge === null) return;
  const selected = new Set(store.getState().selected);
  if (!selected.delete(key)) selected.add(key);
  store.setState({ selected, current: key, said: { kind: 'words', key: 'several.selected', detail: { count: selected.size } } });
}

/** Closes the innermost thing that is open: the waiver, the row, else the selection. Answers whether there was one. */
export function closeInnermost(store: ListingStore): boolean {
  const { waiving, open, selected } = store.getState();
  if (waiving !== null) store.setState({ waiving: null });
  else if (open !== null) store.setState({ open: null, shown: null, current: open });
  else if (selected.size > 0) store.setState({ selected: new Set() });
  else return false;
  return true;
}

/** Takes back what waits for a row, or (null) all that waits. */
export function takeBack(store: ListingStore, key: string | null): void {
  const { pending } = store.getState();
  if (pending === null || (key !== null && !waitsFor(pending, key))) return;
  store.setState({ pending: takenBack(pending, key).pending, said: { kind: 'words', key: 'pending.taken-back' } });
}
