import { type Extension, StateField, type Transaction } from '@codemirror/state';
import { opened } from './attention.ts';
import { fromCell } from './table-cell.ts';
import { tableAt } from './table-command.ts';

/** The place that is written at after a transaction, in a table that is being written sign by sign; null: in none. */
function follow(place: number | null, transaction: Transaction): number | null {
  const { docChanged, selection, changes, state, startState } = transaction;
  if (!docChanged && selection === undefined) return place;
  if (transaction.annotation(fromCell) === true) return null;
  const { head } = state.selection.main;
  if (place === null) {
    const isTyped = docChanged && (transaction.isUserEvent('input.type') || transaction.isUserEvent('delete'));
    const wasDrawn = isTyped && tableAt(startState, startState.selection.main.head) !== null;
    return isTyped && !wasDrawn && tableAt(state, head) !== null ? head : null;
  }
  if (tableAt(state, head) !== null && near(head)) return head;
  const last = changes.mapPos(place, -1);
  return near(head) && tableAt(state, last) !== null ? last : null;

  /** In the line of the place or one beside it: who goes on in the next line has not left. */
  function near(at: number): boolean {
    return Math.abs(state.doc.lineAt(at).number - state.doc.lineAt(changes.mapPos(place!, -1)).number) <= 1;
  }
}

const nowhere: readonly { from: number; to: number }[] = [];

/** Shows a table as its source while it is written sign by sign: its first two dashes would give the keys that follow to a cell. */
export const writtenTable: Extension = StateField.define<number | null>({
  create: () => null,
  update: follow,
  provide: (self) => opened.from(self, (place) => (place === null ? nowhere : [{ from: place, to: place }])),
});
