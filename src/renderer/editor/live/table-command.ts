import { isolateHistory } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { cellAround, cellAt, readTable, type Table } from './table.ts';
import {
  addColumn,
  addRow,
  addRowAbove,
  alignColumn,
  moveColumn,
  moveRow,
  removeColumn,
  removeRow,
  type Spot,
  type TableEdit,
} from './table-change.ts';

/** The table around a place of a document; null where there is none. */
export function tableAt(state: EditorState, place: number): Table | null {
  const line = state.doc.lineAt(place);
  for (const side of [1, -1] as const) {
    const start = side === 1 ? line.from + (/^[\s>]*/u.exec(line.text)?.[0].length ?? 0) : line.to;
    for (let node = syntaxTree(state).resolveInner(start, side); node.parent !== null; node = node.parent) {
      if (node.name === 'Table') return readTable(state.doc, node.from, node.to);
    }
  }
  return null;
}

/** What can be done with the cell that the cursor is in, in the order of its menu; `-` parts them. */
export const tableActs = [
  'row-above',
  'row-below',
  'row-up',
  'row-down',
  'row-delete',
  '-',
  'column-before',
  'column-behind',
  'column-left',
  'column-right',
  'column-delete',
  '-',
  'align-left',
  'align-center',
  'align-right',
  'align-none',
] as const;
/** One of them. */
export type TableAct = Exclude<(typeof tableActs)[number], '-'>;

type Edit = (state: EditorState, table: Table, spot: Spot) => TableEdit | null;
const edits: Readonly<Record<TableAct, Edit>> = {
  'row-above': (_, table, spot) => addRowAbove(table, spot),
  'row-below': (_, table, spot) => addRow(table, spot),
  'row-up': ({ doc }, table, spot) => moveRow(doc, table, spot, -1),
  'row-down': ({ doc }, table, spot) => moveRow(doc, table, spot, 1),
  'row-delete': ({ doc }, table, spot) => removeRow(doc, table, spot),
  'column-before': ({ doc }, table, spot) => addColumn(doc, table, spot),
  'column-behind': ({ doc }, table, { row, column }) => addColumn(doc, table, { row, column: column + 1 }),
  'column-left': ({ doc }, table, spot) => moveColumn(doc, table, spot, -1),
  'column-right': ({ doc }, table, spot) => moveColumn(doc, table, spot, 1),
  'column-delete': ({ doc }, table, spot) => removeColumn(doc, table, spot),
  'align-left': ({ doc }, table, spot) => alignColumn(doc, table, spot, 'left'),
  'align-center': ({ doc }, table, spot) => alignColumn(doc, table, spot, 'center'),
  'align-right': ({ doc }, table, spot) => alignColumn(doc, table, spot, 'right'),
  'align-none': ({ doc }, table, spot) => alignColumn(doc, table, spot, null),
};

/** The transaction that an edit of a table is, with the cursor in the cell that it goes to. */
export function tableTransaction(state: EditorState, table: Table, { changes, row, column }: TableEdit): TransactionSpec {
  const set = state.changes(changes);
  const doc = set.apply(state.doc);
  const after = readTable(doc, table.from + table.prefix.length, set.mapPos(table.to, 1));
  const cell = after === null ? null : cellAt(after, row, column);
  return {
    changes: set,
    selection: { anchor: cell?.to ?? set.mapPos(state.selection.main.head, 1) },
    scrollIntoView: true,
    userEvent: 'input.table',
    // What is typed next is undone by itself.
    annotations: isolateHistory.of('full'),
  };
}

/** Whether an act can be done where the cursor is. */
export function canEditTable(state: EditorState, act: TableAct): boolean {
  const table = tableAt(state, state.selection.main.head);
  return table !== null && !state.readOnly && edits[act](state, table, cellAround(table, state.selection.main.head)) !== null;
}

/** Does an act in the cell that the cursor is in; answers false where there is none, or nothing to do. */
export function editTable(view: Pick<EditorView, 'state' | 'dispatch'>, act: TableAct): boolean {
  const { state } = view;
  const place = state.selection.main.head;
  const table = state.readOnly ? null : tableAt(state, place);
  const edit = table === null ? null : edits[act](state, table, cellAround(table, place));
  if (table === null || edit === null) return false;
  view.dispatch(tableTransaction(state, table, edit));
  return true;
}
