import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnchorLook, AnchorRow } from '#protocol/anchor-calls';
import type { CallInput } from '#protocol/calls';
import { Fault } from '#protocol/fault';
import type { Comparer } from '#renderer/breakdown/comparer.ts';
import type { Comparison } from '#renderer/breakdown/comparison.ts';
import { faultOf, type SaidFault, type World } from '#renderer/breakdown/listing.ts';

/** Something to be said of code: a key of the words, or a fault. */
export type CodeSaid = SaidFault | { readonly kind: 'words'; readonly key: string; readonly detail?: Readonly<Record<string, unknown>> };

/** What is known of the open row: its code then and now, compared where both are there; or why it could not be looked at. */
export type CodeReading =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly said: CodeSaid }
  | { readonly kind: 'read'; readonly look: AnchorLook; readonly comparison: Comparison | null };

/** What is asked over the page, about a row or about those that are selected. */
export type CodeQuestion =
  | { readonly kind: 'rebind' | 'remove' | 'retire' | 'view'; readonly row: AnchorRow }
  | { readonly kind: 'several'; readonly rows: readonly AnchorRow[] };

/** The rows about code that ask something, as the breakdown saw them, and what is done with them. */
export interface CodeList {
  readonly rows: readonly AnchorRow[];
  readonly total: number;
  readonly open: string | null;
  readonly reading: CodeReading;
  /** What is to be said at a row. */
  readonly notes: ReadonlyMap<string, CodeSaid>;
  /** The anchors that are to be decided together. */
  readonly selected: ReadonlySet<string>;
  readonly asking: CodeQuestion | null;
  /** For the live region; a new object for each thing said. */
  readonly said: CodeSaid | null;
  /** Grows with each act, so that what is folded is read anew. */
  readonly turn: number;
}

/** A store that only the verbs of this file change. */
export type CodeStore = StoreApi<CodeList>;

/** What the documents of a pair are called. */
export interface PairNames {
  readonly technical: string;
  readonly human: string;
}

/** How a rebinding is chosen. */
export type Binding = Omit<CallInput<'anchor/rebind'>, 'id'>;

const pageLength = 200;

/** An empty list: nothing was asked for yet. */
export function createCodeList(): CodeStore {
  return createStore<CodeList>()(() => ({
    rows: [],
    total: 0,
    open: null,
    reading: { kind: 'reading' },
    notes: new Map(),
    selected: new Set(),
    asking: null,
    said: null,
    turn: 0,
  }));
}

/** Asks for the rows as the last breakdown saw them, from the first on. */
export async function loadCode(store: CodeStore, world: World, search: string): Promise<void> {
  await loadFrom(store, world, search, 0);
  store.setState({ notes: new Map() });
}

/** Appends the next page. */
export async function moreCode(store: CodeStore, world: World, search: string): Promise<void> {
  await loadFrom(store, world, search, store.getState().rows.length);
}

async function loadFrom(store: CodeStore, world: World, search: string, offset: number): Promise<void> {
  try {
    const page = await world.call('anchor/page', { group: 'waiting', offset, limit: pageLength, search });
    store.setState(({ rows, open, turn }) => {
      const all = offset === 0 ? page.rows : [...rows, ...page.rows];
      const isThere = all.some(({ anchor }) => anchor.id === open);
      return { rows: all, total: page.total, open: isThere ? open : null, turn: turn + 1 };
    });
  } catch (error) {
    store.setState({ said: faultOf(error) });
  }
}

/** Opens a row and looks at its code, or closes it. */
export async function toggleCode(store: CodeStore, world: World, comparer: Comparer, id: string): Promise<void> {
  const isOpen = store.getState().open === id;
  store.setState({ open: isOpen ? null : id, reading: { kind: 'reading' } });
  if (!isOpen) await lookAgain(store, world, comparer, id);
}

/** Looks at the code of the open row; an answer about a row that was closed meanwhile is let go. The row says what the look saw. */
async function lookAgain(store: CodeStore, world: World, comparer: Comparer, id: string): Promise<void> {
  const isWanted = () => store.getState().open === id;
  try {
    const look = await world.call('anchor/look', { id });
    const texts = [look.before.text, look.now?.text ?? null];
    const comparison = texts.every((text) => text !== null) ? await comparer.compare(texts[0]!, texts[1]!, null) : null;
    if (!isWanted()) return;
    const { anchor, isUnchecked } = look;
    store.setState(({ rows }) => ({
      reading: { kind: 'read', look, comparison },
      rows: rows.map((row) => (row.anchor.id === id ? { anchor, isUnchecked } : row)),
    }));
  } catch (error) {
    if (isWanted()) store.setState({ reading: { kind: 'failed', said: faultOf(error) } });
  }
}

/** Confirms the code as it was shown; where it moved since, nothing is recorded, and the row shows it as it is now. */
export async function confirmCode(store: CodeStore, world: World, comparer: Comparer, row: AnchorRow, what: string): Promise<void> {
  const { id } = row.anchor;
  const { open, reading } = store.getState();
  if (open !== id || reading.kind !== 'read' || reading.look.hash === null) return;
  const asked = { id, hashSeen: reading.look.hash, note: '', idem: world.newId() };
  await acting(store, world, comparer, id, () => world.call('anchor/confirm', asked), { key: 'said.confirmed', detail: { what } });
}

/** Ties the text of a row to other code. */
export async function rebindCode(
  store: CodeStore,
  world: World,
  comparer: Comparer,
  row: AnchorRow,
  to: Binding,
  what: string,
): Promise<void> {
  const { id } = row.anchor;
  await acting(store, world, comparer, id, () => world.call('anchor/rebind', { ...to, id }), { key: 'said.rebound', detail: { what } });
}

/** Takes the anchor of a row away. */
export async function removeCode(store: CodeStore, world: World, comparer: Comparer, row: AnchorRow, what: string): Promise<void> {
  const { id } = row.anchor;
  await acting(store, world, comparer, id, () => world.call('anchor/remove', { id }), { key: 'said.removed', detail: { what } });
}

/** Says that the text describes code that is gone. */
export async function retireCode(store: CodeStore, world: World, comparer: Comparer, row: AnchorRow, reason: string): Promise<void> {
  const { id } = row.anchor;
  await acting(store, world, comparer, id, () => world.call('anchor/retire', { id, reason }), { key: 'said.retired' });
}

/** Takes back that a text describes code that is gone; the rows are asked for anew. */
export async function reopenCode(store: CodeStore, world: World, id: string, search: string): Promise<void> {
  try {
    await world.call('anchor/retire', { id, reason: null });
    await loadFrom(store, world, search, 0);
    store.setState({ said: { kind: 'words', key: 'said.reopened' } });
  } catch (error) {
    store.setState({ said: faultOf(error) });
  }
}

/** Takes a pair of documents apart; `names` are what it is called. */
export async function unpairCode(store: CodeStore, world: World, pair: string, names: PairNames): Promise<void> {
  try {
    await world.call('pair/remove', { pair });
    store.setState({ said: { kind: 'words', key: 'pair.removed', detail: { ...names } } });
  } catch (error) {
    store.setState({ said: faultOf(error) });
  }
  turnCode(store);
}

/** Says that something was done, so that what is folded is read anew. */
export function turnCode(store: CodeStore): void {
  store.setState(({ turn }) => ({ turn: turn + 1 }));
}

/** A list without the rows that were settled, and without what was said at them. */
export function without({ rows, total, turn, open, notes, selected }: CodeList, ids: ReadonlySet<string>): Partial<CodeList> {
  return {
    rows: rows.filter(({ anchor }) => !ids.has(anchor.id)),
    total: total - ids.size,
    turn: turn + 1,
    open: open !== null && ids.has(open) ? null : open,
    notes: new Map([...notes].filter(([other]) => !ids.has(other))),
    selected: new Set([...selected].filter((id) => !ids.has(id))),
  };
}

const movedCodes: readonly string[] = ['anchor-moved', 'code-moved', 'anchor-lost', 'anchor-unchecked'];

/** What is said where nothing was recorded. */
export function refusalOf(error: unknown): CodeSaid {
  const fault = faultOf(error);
  return movedCodes.includes(fault.code) ? { kind: 'words', key: 'said.moved' } : fault;
}

/** Does something about a row: it leaves; where that failed it stays and says why, and shows the code as it is now. */
async function acting(
  store: CodeStore,
  world: World,
  comparer: Comparer,
  id: string,
  act: () => Promise<unknown>,
  done: { readonly key: string; readonly detail?: Readonly<Record<string, unknown>> },
): Promise<void> {
  store.setState({ asking: null });
  try {
    await again(world, act);
    store.setState((list) => ({ ...without(list, new Set([id])), said: { kind: 'words', ...done } }));
  } catch (error) {
    const said = refusalOf(error);
    store.setState(({ notes }) => ({ notes: new Map(notes).set(id, said), said }));
    if (store.getState().open === id) await lookAgain(store, world, comparer, id);
  }
}

/** Tried once more where core was lost on the way: what carries an idem is recorded once all the same. */
export async function again(world: World, act: () => Promise<unknown>): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'core-restarted')) throw error;
    await world.reconnected();
    return act();
  }
}
