import { searchPanelOpen } from '@codemirror/search';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { leavesLine } from './motion.ts';
import { columnsOf, rowAt } from './table.ts';
import { fromCell } from './table-cell.ts';
import { tableAt } from './table-command.ts';
import { type TableView, tableViewOf } from './table-view.ts';

/** The editor of a cell that has the focus, inside an editor. */
export function focusedCell({ contentDOM }: EditorView): Element | null {
  const here = document.activeElement;
  return here !== null && here !== contentDOM && contentDOM.contains(here) ? here.closest('.cm-cell-editor') : null;
}

/** Keeps the cursor of the document and the cell that is written in together. */
class Follow implements PluginValue {
  readonly view: EditorView;
  /** A cell had the focus before the page was drawn anew: it may be gone since. */
  private wasIn = false;
  constructor(view: EditorView) {
    this.view = view;
  }
  update({ selectionSet, docChanged, focusChanged, viewportChanged, transactions }: ViewUpdate): void {
    const isOwn = transactions.length > 0 && transactions.every((transaction) => transaction.annotation(fromCell) === true);
    if (isOwn || !(selectionSet || docChanged || focusChanged || viewportChanged)) return;
    this.wasIn ||= focusedCell(this.view) !== null;
    this.look();
  }
  look(): void {
    this.view.requestMeasure({ key: this, read: () => undefined, write: () => this.settle() });
  }
  private settle(): void {
    const { wasIn } = this;
    this.wasIn = false;
    settleCell(this.view, wasIn);
  }
}

/**
 * Gives the focus to the cell that the cursor is in, or takes it back from one that it has left. Done at once by who moves the cursor by a
 * key: the next key must find the cell there.
 */
export function settleCell(view: EditorView, hadFocus = false): void {
  const { main } = view.state.selection;
  const wasIn = hadFocus || focusedCell(view) !== null;
  let found: TableView | null = null;
  for (const dom of view.contentDOM.querySelectorAll('.cm-table')) {
    const table = tableViewOf(dom);
    if (table === undefined) continue;
    const from = view.posAtDOM(dom);
    if (main.from >= from && main.to <= from + table.length()) found = table;
    else table.point(null);
  }
  if (found === null) {
    if (wasIn && !isDrawnLater(view)) view.focus();
  } else if (view.hasFocus || wasIn) found.enter(main.anchor, main.head);
  else found.point(searchPanelOpen(view.state) && !main.empty ? main.head : null);
}

/** The cursor is in a table that is not on the page yet. */
const isDrawnLater = ({ state, viewport }: EditorView) =>
  (state.selection.main.head < viewport.from || state.selection.main.head > viewport.to) &&
  tableAt(state, state.selection.main.head) !== null;

/** Goes into the table that begins below the cursor's line, or ends above it. */
function enter(view: EditorView, side: -1 | 1): boolean {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const beside = side === 1 ? line.to + 1 : line.from - 1;
  if (!main.empty || beside < 0 || beside > state.doc.length) return false;
  const table = tableAt(state, beside);
  if (table === null || (main.head >= table.from && main.head <= table.to)) return false;
  const cells = (side === 1 ? table.header : (rowAt(table, table.rows.length) ?? table.header)).cells;
  const cell = side === 1 ? cells[0] : cells[Math.min(cells.length, columnsOf(table)) - 1];
  if (cell === undefined) return false;
  view.dispatch({ selection: { anchor: side === 1 ? cell.from : cell.to }, scrollIntoView: true, userEvent: 'select' });
  settleCell(view);
  return true;
}

const at = (view: EditorView, side: -1 | 1) => {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  return head === (side === 1 ? line.to : line.from);
};

// What is deleted next to a table is not the break that keeps the text out of it.
const keys = keymap.of([
  { key: 'ArrowDown', run: (view) => leavesLine(view, true) && enter(view, 1) },
  { key: 'ArrowUp', run: (view) => leavesLine(view, false) && enter(view, -1) },
  { key: 'ArrowRight', run: (view) => at(view, 1) && enter(view, 1) },
  { key: 'ArrowLeft', run: (view) => at(view, -1) && enter(view, -1) },
  { key: 'Backspace', run: (view) => at(view, -1) && enter(view, -1) },
  { key: 'Delete', run: (view) => at(view, 1) && enter(view, 1) },
]);

/** Lets the cursor go into the tables of a document and out of them. */
export const tableFocus: Extension = [
  ViewPlugin.fromClass(Follow, {
    eventHandlers: {
      // Who gives the focus to the text may do so while a cell has it: no change of it is told then.
      focus() {
        this.look();
      },
    },
  }),
  Prec.high(keys),
];
