import { useStore } from 'zustand';
import type { VersionText } from '#protocol/calls';
import { showVersion, step, takeBack, toggle } from '#renderer/breakdown/cursor.ts';
import { type Decision, decide, flush } from '#renderer/breakdown/decision.ts';
import { type ListedRow, type ListingStore, shownRows, type World } from '#renderer/breakdown/listing.ts';
import { lineId } from '#renderer/breakdown/row-line.tsx';
import { refusals } from '#renderer/breakdown/row-words.ts';

/** What rows and keys do to the page. */
export interface PageVerbs {
  toggle(key: string): void;
  focused(key: string): void;
  read(row: ListedRow, now: VersionText | null): void;
  decide(row: ListedRow, decision: Decision): void;
  takeBack(key: string): void;
  revise(row: ListedRow): void;
  startWaiving(key: string): void;
  stopWaiving(): void;
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
    useShown: (key) => useStore(store, ({ shown }) => (shown?.key === key ? shown.revision : null)),
    press: (key) => press(store, verbs, key),
  };
  return verbs;
}

function press(store: ListingStore, verbs: PageVerbs, key: string): boolean {
  if (key === 'j' || key === 'ArrowDown') return focusRow(step(store, 1));
  if (key === 'k' || key === 'ArrowUp') return focusRow(step(store, -1));
  const { current, pending, open, settled } = store.getState();
  if (key === 'u' && pending !== null) {
    verbs.takeBack(pending.act.key);
    return true;
  }
  const row = shownRows(store.getState()).find((listed) => listed.key === current);
  const isDecided = pending?.act.key === row?.key || (row !== undefined && settled.get(row.key)?.closed === true);
  if (row === undefined || !['a', 'r', 'w'].includes(key) || (isDecided && key !== 'r')) return false;
  actOn(store, verbs, row, key, open === row.key);
  return true;
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

function focusRow(key: string | null): boolean {
  const line = key === null ? null : document.getElementById(lineId(key));
  line?.focus();
  line?.scrollIntoView({ block: 'nearest' });
  return line !== null;
}
