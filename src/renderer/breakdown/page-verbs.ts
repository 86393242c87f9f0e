import { useStore } from 'zustand';
import type { VersionText } from '#protocol/breakdown-calls';
import { finish, type Judgment, judge, narrow } from '#renderer/breakdown/acts.ts';
import { select, showVersion, step, takeBack, toggle } from '#renderer/breakdown/cursor.ts';
import { type Decision, decide, decideSeveral, flush, type ShownRow } from '#renderer/breakdown/decision.ts';
import {
  type ListedRow,
  type Listing,
  type ListingStore,
  type NamedDocument,
  type Question,
  refresh,
  shownRows,
  type World,
} from '#renderer/breakdown/listing.ts';
import { waitsFor } from '#renderer/breakdown/pending.ts';
import { lineId } from '#renderer/breakdown/row-line.tsx';
import { refusals } from '#renderer/breakdown/row-words.ts';
import { stepIntoCode } from '#renderer/code/code-step.ts';

/** What rows and keys do to the page. */
export interface PageVerbs {
  toggle(key: string): void;
  focused(key: string): void;
  read(row: ListedRow, now: VersionText | null): void;
  decide(row: ListedRow, decision: Decision): void;
  takeBack(key: string | null): void;
  revise(row: ListedRow): void;
  startWaiving(key: string): void;
  stopWaiving(): void;
  select(row: ListedRow): void;
  /** Asks or shows something over the page; null closes it. */
  ask(question: Question | null): void;
  /** Decides about all selected rows, each against the version that its row names. */
  decideSelected(decision: Decision): void;
  judge(row: ListedRow, judgment: Judgment): void;
  /** Narrows a row to a section; no headings take the whole file. */
  narrow(row: ListedRow, headings: readonly string[]): void;
  finish(document: NamedDocument, state: 'finished' | 'live', reason: string): void;
  /** The version of the source that this row shows, as a hook; null until it is read. */
  useShown(key: string): string | null;
  /** Does what a key means for the current row. Answers whether it meant something. */
  press(key: string): boolean;
}

/** The verbs over a store; `open` opens the artifact of a row in the editor. */
export function createPageVerbs(store: ListingStore, world: World, open: (row: ListedRow) => void): PageVerbs {
  const shownOf = (key: string) => {
    const { shown } = store.getState();
    return shown?.key === key ? shown.revision : null;
  };
  /** An act that moves rows between groups shows them anew; what was said of it stays. */
  const again = async () => {
    const { said } = store.getState();
    await refresh(store, world);
    if (store.getState().phase.kind === 'ready') store.setState({ said });
  };
  const verbs: PageVerbs = {
    toggle: (key) => toggle(store, key),
    focused: (key) => store.setState({ current: key }),
    read: (row, now) => showVersion(store, row, now),
    decide(row, decision) {
      const shown = shownOf(row.key);
      if (shown !== null) decide(store, world, row, shown, decision);
    },
    takeBack: (key) => takeBack(store, key),
    revise(row) {
      void flush(store, world).then(() => open(row));
    },
    startWaiving(key) {
      if (store.getState().open !== key) toggle(store, key);
      store.setState({ waiving: key });
    },
    stopWaiving: () => store.setState({ waiving: null }),
    select: (row) => select(store, row),
    ask: (dialog) => store.setState({ dialog }),
    decideSelected(decision) {
      decideSeveral(store, world, decidable(selectedRows(store.getState())), decision);
      store.setState({ dialog: null });
    },
    judge: (row, judgment) => void judge(store, world, row, judgment),
    narrow(row, headings) {
      store.setState({ dialog: null });
      void flush(store, world)
        .then(() => narrow(store, world, row, headings))
        .then((isDone) => (isDone ? again() : undefined));
    },
    finish(document, state, reason) {
      store.setState({ dialog: null });
      void flush(store, world)
        .then(() => finish(store, world, document, state, reason))
        .then((isDone) => (isDone ? again() : undefined));
    },
    useShown: (key) => useStore(store, ({ shown }) => (shown?.key === key ? shown.revision : null)),
    press: (key) => press(store, verbs, key),
  };
  return verbs;
}

function press(store: ListingStore, verbs: PageVerbs, key: string): boolean {
  if (key === 'j' || key === 'ArrowDown') return stepDown(store);
  if (key === 'k' || key === 'ArrowUp') return focusRow(step(store, -1));
  const state = store.getState();
  const { current, pending, open, settled, selected } = state;
  if (key === 'u' && pending !== null) {
    verbs.takeBack(null);
    return true;
  }
  if ((key === 'a' || key === 'w') && selected.size > 0) {
    verbs.ask({ kind: 'several', decision: key === 'a' ? 'accept' : 'waive' });
    return true;
  }
  const row = shownRows(state).find((listed) => listed.key === current);
  if (row === undefined) return false;
  if (asks(verbs, row, key)) return true;
  const isDecided = waitsFor(pending, row.key) || settled.get(row.key)?.closed === true;
  if (!['a', 'r', 'w'].includes(key) || (isDecided && key !== 'r')) return false;
  actOn(store, verbs, row, key, open === row.key);
  return true;
}

/** The keys that ask or show something about a row, or select it. */
function asks(verbs: PageVerbs, row: ListedRow, key: string): boolean {
  if (key === 'x') verbs.select(row);
  else if (key === 's' && row.row.edge !== null) verbs.ask({ kind: 'sections', row });
  else if (key === 'f') verbs.ask({ kind: 'finish', document: row.artifact });
  else if (key === 't') verbs.ask({ kind: 'touch', document: row.row.source ?? row.artifact });
  else return false;
  return true;
}

/** The rows that are selected, as they are shown. */
export function selectedRows({ rows, settled, selected }: Pick<Listing, 'rows' | 'settled' | 'selected'>): ListedRow[] {
  return shownRows({ rows, settled }).filter(({ key }) => selected.has(key));
}

/** Those of some rows that may be accepted or waived, each with the version that its row names. */
export function decidable(rows: readonly ListedRow[]): ShownRow[] {
  return rows.flatMap((row) => {
    const { current } = row.row;
    return refusals(row.row).accept === null && current !== null ? [{ row, revision: current.revision }] : [];
  });
}

/** Accepting and waiving follow a look at the change: a closed row is opened first. What may not be done is said. */
function actOn(store: ListingStore, verbs: PageVerbs, row: ListedRow, key: string, isOpen: boolean): void {
  const refused = refusals(row.row)[key === 'a' ? 'accept' : key === 'r' ? 'revise' : 'waive'];
  if (refused !== null) {
    store.setState({ said: { kind: 'words', key: `disabled.${refused}` } });
    if (!isOpen) verbs.toggle(row.key);
  } else if (key === 'r') verbs.revise(row);
  else if (key === 'w') verbs.startWaiving(row.key);
  else if (isOpen) verbs.decide(row, { kind: 'accept' });
  else verbs.toggle(row.key);
}

/** Behind the last row stand those about code. */
function stepDown(store: ListingStore): boolean {
  const { current } = store.getState();
  const next = step(store, 1);
  return (next === null || next === current) && stepIntoCode() ? true : focusRow(next);
}

function focusRow(key: string | null): boolean {
  const line = key === null ? null : document.getElementById(lineId(key));
  line?.focus();
  line?.scrollIntoView({ block: 'nearest' });
  return line !== null;
}
