import type { Words } from '#protocol/words';
import type { Align } from './table.ts';
import type { Spot } from './table-change.ts';

/** A table of the page with the buttons around it. It knows no document. */
export interface TableFrame {
  readonly dom: HTMLElement;
  /** Makes as many rows and columns as there are, and draws the cells that differ, but for one. */
  render(grid: readonly (readonly string[])[], aligns: readonly Align[], except: Spot | null): void;
  /** The element of a cell. */
  cell(spot: Spot): HTMLElement | null;
  /** The cell that an element of the page is in. */
  spotOf(element: Element): Spot | null;
  /** Draws a cell as nobody writes in it. */
  settle(spot: Spot): void;
}

/** What is asked of a frame's table. */
export interface FrameListener {
  readonly draw: (text: string) => Node;
  readonly say: Words;
  addRow(): void;
  addColumn(): void;
  menu(at: { readonly x: number; readonly y: number }): void;
}

/** Makes the frame of a table. */
export function createFrame(listener: FrameListener): TableFrame {
  const dom = document.createElement('div');
  dom.className = 'cm-table';
  const scroller = dom.appendChild(document.createElement('div'));
  scroller.className = 'cm-table-scroller';
  const table = scroller.appendChild(document.createElement('table'));
  const [head, body] = [table.createTHead(), table.createTBody()];
  let texts: string[][] = [];
  addButtons(dom, listener);

  const rowOf = (row: number) => (row === 0 ? head.rows[0] : body.rows[row - 1]);
  const cell = ({ row, column }: Spot) => rowOf(row)?.cells[column] ?? null;
  const settle = (spot: Spot) => cell(spot)?.replaceChildren(listener.draw(texts[spot.row]?.[spot.column] ?? ''));
  const resize = (rows: number, columns: number) => {
    if (head.rows.length === 0) head.insertRow();
    while (body.rows.length < rows - 1) body.insertRow();
    while (body.rows.length > rows - 1) body.deleteRow(-1);
    for (const row of table.rows) {
      while (row.cells.length < columns) row.appendChild(newCell(row.parentElement === head));
      while (row.cells.length > columns) row.deleteCell(-1);
    }
    texts = texts.slice(0, rows).map((line) => line.slice(0, columns));
  };
  return {
    dom,
    cell,
    settle,
    render(grid, aligns, except) {
      resize(grid.length, aligns.length);
      table.setAttribute('aria-label', listener.say('live.table', { rows: grid.length, columns: aligns.length }));
      grid.forEach((line, row) => {
        const known = texts[row] ?? [];
        texts[row] = known;
        aligns.forEach((align, column) => {
          const element = cell({ row, column })!;
          element.style.textAlign = align ?? '';
          const text = line[column] ?? '';
          if (known[column] === text) return;
          known[column] = text;
          if (except?.row !== row || except.column !== column) settle({ row, column });
        });
      });
    },
    spotOf(element) {
      const found = element.closest<HTMLTableCellElement>('td, th');
      const row = found?.parentElement;
      if (found == null || !(row instanceof HTMLTableRowElement) || !table.contains(found)) return null;
      return { row: row.rowIndex, column: found.cellIndex };
    },
  };
}

function newCell(isHead: boolean): HTMLTableCellElement {
  const cell = document.createElement(isHead ? 'th' : 'td');
  if (isHead) cell.scope = 'col';
  cell.dir = 'auto';
  return cell;
}

function addButtons(dom: HTMLElement, { say, addRow, addColumn, menu }: FrameListener): void {
  const more = buttonOf('cm-table-more', '⋯', say('live.table-menu'), () => {
    const { left, bottom } = more.getBoundingClientRect();
    menu({ x: left, y: bottom + 2 });
  });
  more.setAttribute('aria-haspopup', 'menu');
  dom.append(
    more,
    buttonOf('cm-table-add-row', '+', say('live.table-add-row'), addRow),
    buttonOf('cm-table-add-column', '+', say('live.table-add-column'), addColumn),
  );
}

function buttonOf(look: string, text: string, name: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = look;
  button.textContent = text;
  button.title = name;
  button.tabIndex = -1;
  button.setAttribute('aria-label', name);
  // The cell that is written in keeps the focus.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', act);
  return button;
}
