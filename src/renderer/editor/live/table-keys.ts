import type { EditorView, KeyBinding } from '@codemirror/view';
import { addRow } from './table-change.ts';
import type { ActiveCell, CellWalk } from './table-view.ts';

type Act = (cell: ActiveCell, editor: EditorView) => boolean;

/** Whether the cursor cannot go further up or down inside its cell. */
function isAtEdge(editor: EditorView, isDown: boolean): boolean {
  const { main } = editor.state.selection;
  const moved = editor.moveVertically(main, isDown);
  const [here, there] = [editor.coordsAtPos(main.head), editor.coordsAtPos(moved.head)];
  return here === null || there === null || Math.abs(here.top - there.top) < 2;
}

/** The keys of a cell: from cell to cell, out of the table, and what is done with its rows. */
export function cellKeys(walk: CellWalk): readonly KeyBinding[] {
  const key = (name: string, act: Act): KeyBinding => ({
    key: name,
    run: (editor) => {
      const cell = walk.active();
      return cell !== null && act(cell, editor);
    },
  });
  const step = (cell: ActiveCell, by: -1 | 1) => {
    const at = cell.row * walk.columns() + cell.column + by;
    if (at < 0) walk.leave(-1);
    else if (at < walk.rows() * walk.columns()) walk.go({ row: Math.floor(at / walk.columns()), column: at % walk.columns() }, 'all');
    else walk.change((table) => addRow(table, { row: table.rows.length, column: 0 }));
    return true;
  };
  const vertical = ({ row, column }: ActiveCell, by: -1 | 1, to: 'start' | 'end') => {
    if (row + by < 0 || row + by >= walk.rows()) walk.leave(by);
    else walk.go({ row: row + by, column }, to);
    return true;
  };
  const isEmpty = (editor: EditorView) => editor.state.selection.main.empty;
  return [
    key('Tab', (cell) => step(cell, 1)),
    key('Shift-Tab', (cell) => step(cell, -1)),
    key('Enter', (cell) => vertical(cell, 1, 'end')),
    key('Mod-Enter', (cell) => {
      walk.change((table) => addRow(table, cell));
      return true;
    }),
    key('Shift-Enter', (_, editor) => {
      editor.dispatch(editor.state.replaceSelection('\n'), { userEvent: 'input', scrollIntoView: true });
      return true;
    }),
    key('Escape', () => {
      walk.leave(1);
      return true;
    }),
    key('ArrowUp', (cell, editor) => isAtEdge(editor, false) && vertical(cell, -1, 'end')),
    key('ArrowDown', (cell, editor) => isAtEdge(editor, true) && vertical(cell, 1, 'start')),
    key('ArrowLeft', (cell, editor) => isEmpty(editor) && editor.state.selection.main.head === 0 && sideways(walk, cell, -1)),
    key(
      'ArrowRight',
      (cell, editor) => isEmpty(editor) && editor.state.selection.main.head === editor.state.doc.length && sideways(walk, cell, 1),
    ),
    key('Mod-a', (_, editor) => {
      const { main } = editor.state.selection;
      if (main.from > 0 || main.to < editor.state.doc.length) return false;
      walk.selectDocument();
      return true;
    }),
    key('Shift-F10', () => {
      walk.menu();
      return true;
    }),
    key('ContextMenu', () => {
      walk.menu();
      return true;
    }),
  ];
}

function sideways(walk: CellWalk, { row, column }: ActiveCell, by: -1 | 1): boolean {
  const at = row * walk.columns() + column + by;
  if (at < 0 || at >= walk.rows() * walk.columns()) walk.leave(by);
  else walk.go({ row: Math.floor(at / walk.columns()), column: at % walk.columns() }, by === 1 ? 'start' : 'end');
  return true;
}
