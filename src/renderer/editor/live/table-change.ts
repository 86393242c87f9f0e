import type { ChangeSpec, Text } from '@codemirror/state';
import { type Align, type Cell, cellSource, columnsOf, type Row, type Table, writeCell } from './table.ts';

/** What a command does to a table: the changes of the source, and the cell that the cursor goes to. */
export interface TableEdit {
  readonly changes: readonly { readonly from: number; readonly to?: number; readonly insert?: string }[];
  readonly row: number;
  readonly column: number;
}

/** A place in a table; row 0 is the header. */
export interface Spot {
  readonly row: number;
  readonly column: number;
}

const emptyRow = (table: Table) =>
  `${table.prefix.replace(/[-+*](?=[ \t]*$)|\d+[.)](?=[ \t]*$)/u, (mark) => ' '.repeat(mark.length))}|${'  |'.repeat(columnsOf(table))}`;

/** Puts an empty row below a row. */
export function addRow(table: Table, { row, column }: Spot): TableEdit {
  const above = row === 0 ? table.delimiter : table.rows[row - 1]!;
  return { changes: [{ from: above.to, insert: `\n${emptyRow(table)}` }], row: row + 1, column };
}

/** Puts an empty row above a row; above the header there is no room. */
export function addRowAbove(table: Table, spot: Spot): TableEdit | null {
  return spot.row === 0 ? null : addRow(table, { ...spot, row: spot.row - 1 });
}

/** Takes a row away; the header stays. */
export function removeRow(doc: Text, table: Table, { row, column }: Spot): TableEdit | null {
  const gone = table.rows[row - 1];
  if (gone === undefined) return null;
  const line = doc.lineAt(gone.from);
  return { changes: [{ from: line.from - 1, to: line.to }], row: Math.min(row, table.rows.length - 1), column };
}

/** Exchanges a row with the one above or below; the header stays where it is. */
export function moveRow(doc: Text, table: Table, { row, column }: Spot, by: -1 | 1): TableEdit | null {
  const [here, there] = [table.rows[row - 1], table.rows[row - 1 + by]];
  if (here === undefined || there === undefined) return null;
  const texts = [here, there].map(({ from, to }) => doc.sliceString(from, to));
  const changes = [
    { from: here.from, to: here.to, insert: texts[1]! },
    { from: there.from, to: there.to, insert: texts[0]! },
  ];
  return { changes: changes.sort((a, b) => a.from - b.from), row: row + by, column };
}

const linesOf = (table: Table): readonly Row[] => [table.header, table.delimiter, ...table.rows];

/** Puts an empty column before a column, or behind the last one. */
export function addColumn(doc: Text, table: Table, { row, column }: Spot): TableEdit {
  const changes = linesOf(table).map((line) => addCell(doc, line, column, line === table.delimiter ? '---' : ' '));
  return { changes, row, column };
}

function addCell(doc: Text, line: Row, column: number, text: string) {
  const before = line.cells[column];
  const insert = ` ${text} |`;
  if (before !== undefined) {
    const from = startOf(doc, line, before);
    const isOpen = doc.sliceString(from - 1, from) === '|' && from > line.from;
    // Without a border of its own an empty first cell would be taken for one.
    const blank = isOpen || column > 0 ? '  |' : '|  |';
    return { from, insert: text === ' ' ? blank : insert };
  }
  const source = doc.sliceString(line.from, line.to).trimEnd();
  const end = line.from + source.length;
  const gap = column - line.cells.length;
  const isClosed = source.endsWith('|') && !source.endsWith('\\|') && source.length > 1;
  const filled = '  |'.repeat(gap) + (text === ' ' ? '  |' : insert);
  // Blanks behind the last bar would make the dashes no dashes of a table.
  return { from: end, to: line.to, insert: isClosed ? filled : ` |${filled}` };
}

/** Behind the bar that opens a cell. */
function startOf(doc: Text, line: Row, { from }: Cell): number {
  const before = doc.sliceString(line.from, from);
  const blank = before.length - before.trimEnd().length;
  return from - blank;
}

/** Up to and with the bar that closes a cell. */
function endOf(doc: Text, line: Row, { to }: Cell): number {
  const after = doc.sliceString(to, line.to);
  const blank = after.length - after.trimStart().length;
  return to + blank;
}

/** Takes a column away; the last one stays. */
export function removeColumn(doc: Text, table: Table, { row, column }: Spot): TableEdit | null {
  if (columnsOf(table) < 2) return null;
  const changes = linesOf(table).flatMap((line) => {
    const cell = line.cells[column];
    if (cell === undefined) return [];
    const cut = cutOf(doc, line, column, cell);
    const isBare = columnsOf(table) === 2 && column === 0 && !doc.sliceString(cut.to, line.to).includes('|') && !isOpened(doc, line);
    return isBare ? [cut, { from: line.to, insert: ' |' }] : [cut];
  });
  return { changes, row, column: Math.min(column, columnsOf(table) - 2) };
}

function cutOf(doc: Text, line: Row, column: number, cell: Cell) {
  const [from, to] = [startOf(doc, line, cell), endOf(doc, line, cell)];
  const hasBar = doc.sliceString(to, to + 1) === '|' && to < line.to;
  const next = line.cells[1];
  // An empty cell that becomes the first one of a row without a border needs one.
  const needsBorder = column === 0 && next !== undefined && next.from === next.to && !isOpened(doc, line);
  // The bar before the last cell becomes the border of a row that had none.
  return { from, to: hasBar ? to + 1 : to, insert: needsBorder ? '|' : '' };
}

const isOpened = (doc: Text, line: Row) => doc.sliceString(line.from, line.to).trimStart().startsWith('|');

/** Exchanges a column with the one before or behind it, alignment too. */
export function moveColumn(doc: Text, table: Table, { row, column }: Spot, by: -1 | 1): TableEdit | null {
  const other = column + by;
  if (other < 0 || other >= columnsOf(table)) return null;
  const [low, high] = [Math.min(column, other), Math.max(column, other)];
  const changes = linesOf(table).flatMap((line) => exchange(doc, line, low, high));
  return { changes, row, column: other };
}

function exchange(doc: Text, line: Row, low: number, high: number) {
  const [first, second] = [line.cells[low], line.cells[high]];
  if (first === undefined) return [];
  const text = doc.sliceString(first.from, first.to);
  // Where a row ends before the second column, the first one moves behind a cell that is made.
  if (second === undefined) return text === '' ? [] : [put(doc, line, first, ''), { ...addCell(doc, line, high, text) }];
  const swapped = doc.sliceString(second.from, second.to);
  if (text === swapped) return [];
  return [put(doc, line, first, swapped), put(doc, line, second, text)];
}

/** Puts a text into a cell of a row. */
function put(doc: Text, line: Row, { from, to }: Cell, text: string) {
  const around = { before: doc.sliceString(line.from, from), after: doc.sliceString(to, line.to) };
  return { from, to, insert: cellSource(text, around) };
}

/** Aligns a column; only its dashes change. */
export function alignColumn(doc: Text, table: Table, { row, column }: Spot, align: Align): TableEdit | null {
  const cell = table.delimiter.cells[column];
  if (cell === undefined) return null;
  const width = Math.max(3, cell.to - cell.from);
  const dashes = '-'.repeat(width - (align === 'center' ? 2 : align === null ? 0 : 1));
  const insert = `${align === 'left' || align === 'center' ? ':' : ''}${dashes}${align === 'right' || align === 'center' ? ':' : ''}`;
  const isSame = doc.sliceString(cell.from, cell.to) === insert;
  return { changes: isSame ? [] : [{ from: cell.from, to: cell.to, insert }], row, column };
}

/** Makes the cells of a row that it does not have yet, up to a column, which holds a text then. */
export function fillRow(doc: Text, line: Row, column: number, text: string): TableEdit['changes'][number] {
  return addCell(doc, line, column, text.trim() === '' ? ' ' : text);
}

/** The cells of a clipboard's text: of a spreadsheet (tabs), or of a list of values with commas and more than one line or column. */
export function readGrid(text: string): readonly (readonly string[])[] | null {
  const lines = text.replace(/(?:\r\n?|\n)$/u, '').split(/\r\n?|\n/u);
  if (lines.length > 500) return null;
  if (text.includes('\t')) return splitQuoted(text, '\t');
  const isList = lines.length > 1 && lines.every((line) => line.includes(','));
  const grid = isList ? splitQuoted(text, ',') : null;
  return grid?.every(({ length }) => length === grid[0]!.length) ? grid : null;
}

function splitQuoted(text: string, sign: string): string[][] {
  const rows: string[][] = [[]];
  const part = new RegExp(`("(?:[^"]|"")*"|[^${sign}\\r\\n]*)(${sign}|\\r\\n?|\\n|$)`, 'uy');
  for (;;) {
    const match = part.exec(text);
    if (match === null) break;
    const [, value = '', end = ''] = match;
    rows.at(-1)!.push(value.startsWith('"') && value.length > 1 ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === '' || part.lastIndex >= text.length) break;
    if (end !== sign) rows.push([]);
  }
  return rows;
}

/** Puts a grid into the cells from a spot on; rows that are missing are made, columns that do not fit are left out. */
export function pasteGrid(doc: Text, table: Table, spot: Spot, grid: readonly (readonly string[])[]): TableEdit {
  const changes: ChangeSpec[] = [];
  const width = columnsOf(table);
  let added = '';
  grid.forEach((values, down) => {
    const row = spot.row + down === 0 ? table.header : table.rows[spot.row + down - 1];
    const wanted = values.slice(0, width - spot.column).map((value) => writeCell(value.trim()));
    if (row === undefined) added += `\n${newRow(table, spot.column, wanted)}`;
    else changes.push(...intoRow(doc, row, spot.column, wanted));
  });
  if (added !== '') changes.push({ from: table.to, insert: added });
  return { changes: changes as TableEdit['changes'], ...spot };
}

function newRow(table: Table, column: number, values: readonly string[]): string {
  const cells = Array.from({ length: columnsOf(table) }, (_, at) => values[at - column] ?? '');
  const prefix = emptyRow(table).split('|', 1)[0]!;
  return `${prefix}|${cells.map((value) => (value === '' ? '  |' : ` ${value} |`)).join('')}`;
}

function intoRow(doc: Text, row: Row, column: number, values: readonly string[]): TableEdit['changes'] {
  const there = values.flatMap((insert, at) => {
    const cell = row.cells[column + at];
    return cell === undefined || doc.sliceString(cell.from, cell.to) === insert ? [] : [put(doc, row, cell, insert)];
  });
  const missing = values.slice(Math.max(0, row.cells.length - column));
  if (missing.length === 0 || column + values.length <= row.cells.length) return there;
  const first = addCell(doc, row, Math.max(column, row.cells.length), missing[0] === '' ? ' ' : missing[0]!);
  const rest = missing.slice(1).map((value) => (value === '' ? '  |' : ` ${value} |`));
  return [...there, { ...first, insert: first.insert + rest.join('') }];
}
