import { Text, Transaction, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { addressAt } from '../link.ts';
import { drawText } from './drawn-text.ts';
import { drawFormula, formulaOf } from './math.ts';
import { openMenu } from './menu.ts';
import { place } from './neighbours.ts';
import { cellAround, cellAt, columnsOf, readCell, readTable, rowAt, type Table } from './table.ts';
import { createCellEditor, differing, fromCell, fromSource, sourceAfter, takeSelection, takeText, toSource } from './table-cell.ts';
import { addColumn, addRow, fillRow, pasteGrid, readGrid, type Spot, type TableEdit } from './table-change.ts';
import { canEditTable, editTable, tableActs, tableTransaction } from './table-command.ts';
import { createFrame } from './table-frame.ts';
import { cellKeys } from './table-keys.ts';

/** A table on the page. */
export interface TableView {
  readonly dom: HTMLElement;
  /** The length of its source. */
  length(): number;
  /** Shows a source: only the cells that differ are drawn anew. */
  show(source: string, lead: number): void;
  /** Takes the cursor into the cell around a place of the document. */
  enter(anchor: number, head: number): void;
  /** Marks the cell around a place as the one that was found; null: none. */
  point(at: number | null): void;
  close(): void;
}

/** The cell that is written in. */
export interface ActiveCell extends Spot {
  readonly editor: EditorView;
}

/** What the keys of a cell can ask of its table. */
export interface CellWalk {
  active(): ActiveCell | null;
  rows(): number;
  columns(): number;
  /** Goes into a cell, to the start or end of its text, or all of it. */
  go(spot: Spot, to: 'start' | 'end' | 'all'): void;
  /** Leaves the table upwards or downwards. */
  leave(side: -1 | 1): void;
  change(edit: (table: Table) => TableEdit): void;
  menu(): void;
  selectDocument(): void;
}

const none: Table = {
  from: 0,
  to: 0,
  header: { from: 0, to: 0, cells: [] },
  delimiter: { from: 0, to: 0, cells: [] },
  rows: [],
  aligns: [],
  prefix: '',
};

const views = new WeakMap<Element, TableView>();

/** What shows the table of an element of the page. */
export const tableViewOf = (dom: Element): TableView | undefined => views.get(dom);

/** Makes a table that is written in where it stands: each change of a cell is a change of its source, and of nothing else. */
export function createTableView(outer: EditorView): TableView {
  let source = '';
  let lead = 0;
  /** As its source has it: places count from its start. */
  let table = none;
  let active: ActiveCell | null = null;
  const { say, follow } = outer.state.facet(place);
  const start = () => outer.posAtDOM(frame.dom);
  const inDocument = () => readTable(outer.state.doc, start() + lead, start() + source.length) ?? none;
  const sourceOf = ({ row, column }: Spot) => {
    const cell = cellAt(table, row, column);
    return cell === null ? '' : source.slice(cell.from, cell.to);
  };

  const draw = (text: string) => drawText(text, (formula) => drawFormula(formulaOf(formula).tex, false, () => outer.requestMeasure()));
  const frame = createFrame({
    draw,
    say,
    addRow: () => walk.change((now) => addRow(now, { row: now.rows.length, column: active?.column ?? 0 })),
    addColumn: () => walk.change((now) => addColumn(outer.state.doc, now, { row: active?.row ?? 0, column: columnsOf(now) })),
    menu: (at) => showMenu(at),
  });

  const quit = () => {
    if (active === null) return;
    const { editor, row, column } = active;
    active = null;
    editor.destroy();
    frame.cell({ row, column })?.classList.remove('cm-cell-active');
    frame.settle({ row, column });
  };

  /** Puts the cursor of the document where the cell's is: what is asked of the document is asked of that place. */
  const report = (spec: TransactionSpec = {}) => {
    if (active === null) return;
    const { anchor, head } = active.editor.state.selection.main;
    const set = outer.state.changes(spec.changes ?? []);
    const now = readTable(set.apply(outer.state.doc), start() + lead, set.mapPos(start() + source.length, 1));
    const cell = now === null ? null : cellAt(now, active.row, active.column);
    const text = cell === null ? '' : set.apply(outer.state.doc).sliceString(cell.from, cell.to);
    const line = now === null ? undefined : rowAt(now, active.row);
    const at = (place: number) => (cell === null ? (line?.to ?? start()) : cell.from + toSource(text, place));
    outer.dispatch({ ...spec, selection: { anchor: at(anchor), head: at(head) }, annotations: [fromCell.of(true)] });
  };

  const changed = (transaction: Transaction) => {
    if (active === null) return;
    const line = rowAt(table, active.row);
    if (line === undefined) return;
    const cell = cellAt(table, active.row, active.column);
    const before = sourceOf(active);
    const around =
      cell === null ? { before: '|', after: '|' } : { before: source.slice(line.from, cell.from), after: source.slice(cell.to, line.to) };
    const after = sourceAfter(before, transaction, around);
    const [same, end] = differing(before, after);
    const change =
      cell === null
        ? fillRow(Text.of(source.split('\n')), line, active.column, after)
        : { from: cell.from + same, to: cell.to - end, insert: after.slice(same, after.length - end) };
    const { from, to = from, insert = '' } = change;
    const userEvent = transaction.annotation(Transaction.userEvent) ?? 'input';
    report({ changes: { from: start() + from, to: start() + to, insert }, userEvent });
  };

  const open = (spot: Spot): EditorView | null => {
    if (active?.row === spot.row && active.column === spot.column) return active.editor;
    quit();
    const element = frame.cell(spot);
    if (element === null) return null;
    element.replaceChildren();
    element.classList.add('cm-cell-active');
    const header = readCell(sourceOf({ row: 0, column: spot.column })).text;
    const name = say(spot.row === 0 ? 'live.cell-head' : 'live.cell', { row: spot.row, column: spot.column + 1, header });
    const editor = createCellEditor(outer, element, readCell(sourceOf(spot)).text, name, {
      changed,
      selected: () => report({ userEvent: 'select' }),
      keys,
      pasted,
    });
    active = { ...spot, editor };
    return editor;
  };

  const pasted = (text: string) => {
    const grid = readGrid(text);
    if (grid === null || active === null || (grid.length === 1 && grid[0]!.length === 1)) return false;
    const spot = active;
    walk.change((now) => pasteGrid(outer.state.doc, now, spot, grid));
    return true;
  };

  const showMenu = (at: { readonly x: number; readonly y: number }) => {
    if (active === null) walk.go({ row: 0, column: 0 }, 'start');
    report({ userEvent: 'select' });
    const items = tableActs.map((act) =>
      act === '-'
        ? null
        : { label: say(`live.act.${act}`), isOff: !canEditTable(outer.state, act), act: () => void (editTable(outer, act) && reenter()) },
    );
    openMenu(outer, say('live.table-menu'), at, items);
  };
  const reenter = () => view.enter(outer.state.selection.main.anchor, outer.state.selection.main.head);

  const walk: CellWalk = {
    active: () => active,
    rows: () => table.rows.length + 1,
    columns: () => columnsOf(table),
    go(spot, to) {
      const editor = open(spot);
      if (editor === null) return;
      const { length } = editor.state.doc;
      takeSelection(editor, to === 'end' ? length : 0, to === 'start' ? 0 : length);
      editor.focus();
      report({ userEvent: 'select' });
      frame.cell(spot)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    },
    leave: (side) => leaveTable(outer, start(), start() + source.length, side),
    change(edit) {
      if (outer.state.readOnly) return;
      const now = inDocument();
      outer.dispatch(tableTransaction(outer.state, now, edit(now)));
      reenter();
    },
    menu() {
      const element = active === null ? null : frame.cell(active);
      const { left = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
      showMenu({ x: left, y: bottom });
    },
    selectDocument() {
      outer.focus();
      outer.dispatch({ selection: { anchor: 0, head: outer.state.doc.length }, userEvent: 'select' });
    },
  };
  const keys = cellKeys(walk);

  frame.dom.addEventListener('mousedown', (event) => {
    const spot = event.target instanceof Element ? frame.spotOf(event.target) : null;
    if (spot === null || event.button !== 0 || (active?.row === spot.row && active.column === spot.column)) return;
    event.preventDefault();
    const editor = open(spot);
    if (editor === null) return;
    const at = editor.posAtCoords({ x: event.clientX, y: event.clientY }, false);
    if (event.metaKey || event.ctrlKey) {
      const cell = cellAt(table, spot.row, spot.column);
      const address = cell === null ? null : addressAt(outer.state, start() + cell.from + toSource(sourceOf(spot), at));
      if (address !== null) return follow(address);
    }
    takeSelection(editor, at, at);
    editor.focus();
    report({ userEvent: 'select' });
  });
  frame.dom.addEventListener('contextmenu', (event) => {
    const spot = event.target instanceof Element ? frame.spotOf(event.target) : null;
    if (spot === null) return;
    event.preventDefault();
    if (active?.row !== spot.row || active.column !== spot.column) walk.go(spot, 'end');
    showMenu({ x: event.clientX, y: event.clientY });
  });
  frame.dom.addEventListener('focusout', () => {
    const was = active;
    setTimeout(() => {
      const here = document.activeElement;
      if (active !== null && active === was && here?.closest('.cm-menu') == null && !active.editor.contentDOM.contains(here)) quit();
    });
  });

  const view: TableView = {
    dom: frame.dom,
    length: () => source.length,
    show(next, nextLead) {
      [source, lead] = [next, nextLead];
      table = readTable(Text.of(source.split('\n')), lead, source.length) ?? none;
      const grid = [table.header, ...table.rows].map(({ cells }) => cells.map(({ from, to }) => source.slice(from, to)));
      // Where its cell is gone, so is its editor.
      if (active !== null && (rowAt(table, active.row) === undefined || active.column >= columnsOf(table))) quit();
      frame.render(
        grid,
        table.header.cells.map((_, at) => table.aligns[at] ?? null),
        active,
      );
      if (active !== null) takeText(active.editor, readCell(sourceOf(active)).text);
    },
    enter(anchor, head) {
      const spot = cellAround(table, head - start());
      const editor = open(spot);
      if (editor === null) return;
      const from = cellAt(table, spot.row, spot.column)?.from ?? 0;
      const at = (place: number) => Math.max(0, fromSource(sourceOf(spot), place - start() - from));
      takeSelection(editor, at(anchor), at(head));
      editor.focus();
    },
    point(at) {
      frame.dom.querySelector('.cm-cell-found')?.classList.remove('cm-cell-found');
      if (at !== null) frame.cell(cellAround(table, at - start()))?.classList.add('cm-cell-found');
    },
    close() {
      const hadFocus = active?.editor.hasFocus === true;
      quit();
      // Drawn anew: the cursor of the document is still in the cell, and goes back there.
      if (hadFocus) setTimeout(() => document.activeElement === document.body && outer.dom.isConnected && outer.focus());
    },
  };
  views.set(frame.dom, view);
  return view;
}

/** Takes the cursor out of a table. Below it a line is made where there is none that is not its next row. */
function leaveTable(outer: EditorView, from: number, to: number, side: -1 | 1): void {
  const { doc, readOnly } = outer.state;
  if (side === -1) {
    if (from === 0) return;
    outer.dispatch({ selection: { anchor: from - 1 }, scrollIntoView: true, userEvent: 'select' });
  } else {
    const next = to < doc.length ? doc.lineAt(to + 1) : null;
    const isGap = next !== null && next.text.trim() === '';
    const target = isGap ? next.to + 1 : (next?.from ?? to + 2);
    const missing = Math.max(0, target - doc.length);
    if (missing > 0 && readOnly) return;
    const changes = missing > 0 ? { from: doc.length, insert: '\n'.repeat(missing) } : [];
    outer.dispatch({ changes, selection: { anchor: target }, scrollIntoView: true, userEvent: missing > 0 ? 'input' : 'select' });
  }
  outer.focus();
}
