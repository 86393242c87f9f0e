import type { Text } from '@codemirror/state';

/** How a column is aligned; null: as the text. */
export type Align = 'left' | 'center' | 'right' | null;

/** A range of the document: for an empty cell an empty one, where its text would go. */
export interface Cell {
  readonly from: number;
  readonly to: number;
}

/** A line of a table, behind the marks of what the table stands in. */
export interface Row {
  readonly from: number;
  readonly to: number;
  readonly cells: readonly Cell[];
}

/** A table as it stands in a document. Rows may hold fewer cells than there are columns; what is more is not shown. */
export interface Table {
  readonly from: number;
  readonly to: number;
  readonly header: Row;
  readonly delimiter: Row;
  readonly rows: readonly Row[];
  readonly aligns: readonly Align[];
  /** What stands before each line of it: marks of quotes, or the indent of an item. */
  readonly prefix: string;
}

/**
 * The cells of a row's text, which starts at `offset` of the document. A bar that is escaped is text (in code too, as GFM has it); bars at
 * both ends are only borders.
 */
export function cellsOf(text: string, offset: number): Cell[] {
  const bars = barsOf(text);
  const first = /^\s*/u.exec(text)![0].length;
  const last = text.trimEnd().length;
  const hasOpen = bars[0] === first && last > first;
  const hasClose = bars.at(-1) === last - 1 && bars.length > (hasOpen ? 1 : 0);
  const starts = hasOpen ? bars.map((bar) => bar + 1) : [first, ...bars.map((bar) => bar + 1)];
  const ends = [...(hasOpen ? bars.slice(1) : bars), ...(hasClose ? [] : [last])];
  return ends.map((end, at) => trimmed(text, starts[at]!, Math.max(starts[at]!, end), offset));
}

function barsOf(text: string): number[] {
  const bars: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '|') bars.push(at);
  }
  return bars;
}

function trimmed(text: string, from: number, to: number, offset: number): Cell {
  const part = text.slice(from, to);
  const blank = /^[ \t]*/u.exec(part)![0].length;
  // In the middle of the blanks, so that one stays before the text and one behind.
  if (blank === part.length) return at(offset + from + Math.min(1, part.length));
  const end = part.length - (/[ \t]*$/u.exec(part)![0].length - (isEscapedEnd(part) ? 1 : 0));
  return { from: offset + from + blank, to: offset + from + end };
}

const at = (place: number): Cell => ({ from: place, to: place });
/** A blank behind a lone backslash is escaped, and so part of the text. */
const isEscapedEnd = (part: string) => /(?:^|[^\\])(?:\\\\)*\\[ \t]$/u.test(part) && /\\[ \t]$/u.test(part);

/** Reads the table whose lines reach from one place of a document to another, both inside its first and last line. */
export function readTable(doc: Text, from: number, to: number): Table | null {
  const first = doc.lineAt(from);
  const last = doc.lineAt(to);
  const prefix = first.text.slice(0, from - first.from);
  const rows: Row[] = [];
  for (let number = first.number; number <= last.number; number++) {
    const line = doc.line(number);
    const start = number === first.number ? prefix.length : prefixLength(line.text, prefix);
    const text = line.text.slice(start);
    rows.push({ from: line.from + start, to: line.to, cells: cellsOf(text, line.from + start) });
  }
  const [header, delimiter, ...others] = rows;
  if (header === undefined || delimiter === undefined) return null;
  const aligns = delimiter.cells.map((cell) => alignOf(doc.sliceString(cell.from, cell.to)));
  return { from: first.from, to: last.to, header, delimiter, rows: others, aligns, prefix };
}

/** How much of a line is the same prefix, be it indented otherwise. */
function prefixLength(text: string, prefix: string): number {
  if (text.startsWith(prefix)) return prefix.length;
  const quotes = prefix.split('>').length - 1;
  return (
    /^[ \t]*/u.exec(text)![0].length + (quotes === 0 ? 0 : (new RegExp(`^(?:[ \\t]*>){0,${quotes}} ?`, 'u').exec(text)?.[0].length ?? 0))
  );
}

function alignOf(text: string): Align {
  const [left, right] = [text.startsWith(':'), text.endsWith(':')];
  return left && right ? 'center' : left ? 'left' : right ? 'right' : null;
}

/** How many columns a table has. */
export const columnsOf = ({ header }: Table): number => header.cells.length;

/** The row of the table by its number: 0 is the header. */
export const rowAt = (table: Table, row: number): Row | undefined => (row === 0 ? table.header : table.rows[row - 1]);

/** The cell of a row and a column; null where the row has none there yet. */
export const cellAt = (table: Table, row: number, column: number): Cell | null => rowAt(table, row)?.cells[column] ?? null;

/** The row and column that a place of the document is in, or next to. */
export function cellAround(table: Table, place: number): { readonly row: number; readonly column: number } {
  const rows = [table.header, table.delimiter, ...table.rows];
  const found = Math.max(
    0,
    rows.findLastIndex(({ from }) => from <= place),
  );
  // Nobody writes in the line of dashes.
  const line = found === 1 ? 0 : found;
  const cells = rows[found]!.cells;
  const column = cells.findIndex(({ to }) => place <= to);
  const within = column < 0 ? cells.length - 1 : column;
  return { row: line === 0 ? 0 : line - 1, column: Math.max(0, Math.min(within, columnsOf(table) - 1)) };
}

/** A cell's text as it is written in, and where each of its characters stands in the source. A bar needs no escape there, and `<br>` breaks. */
export interface CellText {
  readonly text: string;
  /** One more than the text has characters: the last is the end. */
  readonly places: readonly number[];
}

/** Reads the source of a cell. */
export function readCell(source: string): CellText {
  const places: number[] = [];
  let text = '';
  for (let place = 0; place < source.length; ) {
    const match = /^(?:\\\||<br\s*\/?>|\\[^|]|[\s\S])/iu.exec(source.slice(place))!;
    const part = match[0];
    const shown = part === '\\|' ? '|' : /^<br/iu.test(part) ? '\n' : part;
    for (let index = 0; index < shown.length; index++) places.push(place + (shown === part ? index : 0));
    text += shown;
    place += part.length;
  }
  return { text, places: [...places, source.length] };
}

/** What is written into a cell behind `before` of its source, as source: a bar is escaped, and a backslash before it stays text. */
export function writeCell(text: string, before = ''): string {
  let source = '';
  for (const part of text.split(/(\||\r\n?|\n)/u)) {
    if (part === '|') source += endsEscaping(before + source) ? '\\\\|' : '\\|';
    else source += /^[\r\n]/u.test(part) ? '<br>' : part;
  }
  return source;
}

/** What stands before and behind a cell in its line. */
export interface Surround {
  readonly before: string;
  readonly after: string;
}

/**
 * The change of a cell's source that makes a change of its text: never one that opens another cell, or takes the next bar for text, or
 * leaves so little that a border is taken for the cell.
 */
export function changeCell(
  source: string,
  change: { readonly from: number; readonly to: number; readonly insert: string },
  around: Surround,
): { from: number; to: number; insert: string } {
  const { places } = readCell(source);
  const from = places[change.from] ?? source.length;
  const to = places[change.to] ?? source.length;
  const before = source.slice(0, from);
  let insert = writeCell(change.insert, before);
  const after = source.slice(to);
  // A backslash that was text would make an escape of what now follows it.
  if (endsEscaping(before + insert) && /^\\+\|/u.test(after)) insert += '\\';
  if (after === '' && endsEscaping(before + insert) && (around.after === '' || around.after.startsWith('|'))) insert += ' ';
  const now = before + insert + after;
  if (now.trim() === '') return { from, to, insert: emptyCell(insert, around) };
  return needsBorder(now, around) ? { from: 0, to, insert: `| ${before}${insert}` } : { from, to, insert };
}

/** A cell's whole source as it stands between what is around it. */
export function cellSource(text: string, around: Surround): string {
  if (text === '') return emptyCell('', around);
  return needsBorder(text, around) ? `| ${text}` : text;
}

/** At the start of its line it would be a list, a heading or code; behind a border it is a cell. */
const needsBorder = (text: string, { before }: Surround) => before.trim() === '' && blockMark.test(text);

/** What begins another block at the start of a line. */
const blockMark = /^\s*(?:(?:[*+-]|\d{1,9}[.)]|#{1,6})(?:\s|$)|>|`{3}|~{3}|\$\$|<[a-z!?/]|\[[^\]]*\]:)/iu;

/** What makes a cell empty: one at an end of its row needs the border that it could do without before. */
export function emptyCell(insert: string, { before, after }: Surround): string {
  if (before.trim() === '') return `| ${insert}`;
  return after.trim() === '' ? `${insert} |` : insert;
}

/** Whether a text ends in a backslash that escapes what follows. */
const endsEscaping = (text: string) => (/\\*$/u.exec(text)![0].length & 1) === 1;
