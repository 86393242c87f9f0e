import { EditorState, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Align,
  cellAround,
  cellAt,
  cellsOf,
  changeCell,
  columnsOf,
  readCell,
  readTable,
  rowAt,
  type Table,
  writeCell,
} from '#renderer/editor/live/table.ts';
import {
  addColumn,
  addRow,
  addRowAbove,
  alignColumn,
  moveColumn,
  moveRow,
  pasteGrid,
  readGrid,
  removeColumn,
  removeRow,
  type TableEdit,
} from '#renderer/editor/live/table-change.ts';
import { grammar } from '#renderer/editor/syntax.ts';

const docOf = (source: string) => Text.of(source.split('\n'));

/** The one table that the grammar finds in a text. */
function tableIn(source: string): Table {
  const found: Table[] = [];
  grammar.language.parser.parse(source).iterate({
    enter({ name, from, to }) {
      if (name === 'Table') found.push(readTable(docOf(source), from, to)!);
    },
  });
  expect(found, source).toHaveLength(1);
  return found[0]!;
}

/** The texts of a table, its header first; cells that a row has not are empty. */
function gridOf(source: string): string[][] {
  const table = tableIn(source);
  return [table.header, ...table.rows].map((row) =>
    table.header.cells.map((_, at) => (row.cells[at] === undefined ? '' : source.slice(row.cells[at].from, row.cells[at].to))),
  );
}

function apply(source: string, edit: TableEdit | null): string {
  if (edit === null) return source;
  return EditorState.create({ doc: source }).update({ changes: edit.changes }).state.doc.toString();
}

const word = fc.constantFrom(
  'a',
  'bb',
  'c d',
  '東の港',
  '👩‍👧',
  'x \\| y',
  '`a \\| b`',
  '**b**',
  'é\u0301',
  '',
  'عدد',
  '\\\\',
  '[l](m)',
  '<br>',
);
const frame = fc.constantFrom('full', 'open', 'closed', 'bare', 'wide');
const lead = fc.constantFrom('', '> ', '  ', '> > ');

/** Tables as people write them: borders or none, few blanks or many, in quotes, with rows that are too short. */
const source = fc
  .record({
    columns: fc.integer({ min: 2, max: 4 }),
    rows: fc.integer({ min: 0, max: 4 }),
    frame,
    lead,
    words: fc.array(word, { minLength: 24, maxLength: 24 }),
    short: fc.boolean(),
  })
  .map(({ columns, rows, frame: look, lead: before, words, short }) => {
    let next = 0;
    const cell = () => words[next++ % words.length]!;
    const line = (cells: string[]) => {
      const pad = look === 'wide' ? cells.map((text) => ` ${text.padEnd(9)} `) : cells.map((text) => ` ${text} `);
      const inner = pad.join('|');
      // A row without borders must begin and end with a text.
      if (look === 'bare') return cells.map((text) => text || 'z').join(' | ');
      if (look === 'open') return `|${inner}${cells.at(-1) === '' ? 'z' : ''}`;
      return look === 'closed' ? `${cells[0] === '' ? 'z' : ''}${inner.trimStart()}|` : `|${inner}|`;
    };
    const header = Array.from({ length: columns }, (_, at) => cell() || `h${at}`);
    const dashes = line(Array.from({ length: columns }, (_, at) => (at % 2 === 0 ? '---' : ':--:')));
    const body = Array.from({ length: rows }, () => line(Array.from({ length: columns }, cell)));
    if (short && body.length > 1 && look === 'full') body[1] = '| only |';
    return ['before', '', ...[line(header), dashes, ...body].map((text) => before + text), '', 'after | not'].join('\n');
  });

describe('the cells of a row', () => {
  it.each([
    ['| a | b |', ['a', 'b']],
    ['a | b', ['a', 'b']],
    ['|a|b|', ['a', 'b']],
    ['| a \\| b | c |', ['a \\| b', 'c']],
    ['| `a \\| b` | c |', ['`a \\| b`', 'c']],
    ['|  | b |', ['', 'b']],
    ['|||', ['', '']],
    ['| a |  ', ['a']],
    ['a |', ['a']],
    ['| a', ['a']],
    ['| a \\\\| b |', ['a \\\\', 'b']],
    ['| a \\', ['a \\']],
  ])('%j', (text, cells) => expect(cellsOf(text, 0).map(({ from, to }) => text.slice(from, to))).toEqual(cells));

  it('are as many as the grammar sees, and of the same text', () => {
    fc.assert(
      fc.property(source, (text) => {
        const table = tableIn(text);
        const seen: string[] = [];
        grammar.language.parser.parse(text).iterate({
          enter: ({ name, from, to }) => void (name === 'TableCell' && seen.push(text.slice(from, to))),
        });
        const ours = [table.header, ...table.rows].flatMap(({ cells }) => cells.map(({ from, to }) => text.slice(from, to)));
        expect(ours.filter(Boolean)).toEqual(seen);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the text of a cell', () => {
  it('shows an escaped bar as a bar and <br> as a line, and each character knows its place', () => {
    const { text, places } = readCell('a \\| b<br/>c\\*');
    expect(text).toBe('a | b\nc\\*');
    expect(places).toEqual([0, 1, 2, 4, 5, 6, 11, 12, 13, 14]);
  });

  it('is written so that it stays in its cell', () => {
    expect(writeCell('a|b\nc\r\nd')).toBe('a\\|b<br>c<br>d');
  });

  it.each(['*', '- x', '1. x', '# x', '> x', '```', '~~~', '<div>', '[a]: b', '$$'])(
    'stays one where it begins its line with %s',
    (mark) => {
      const text = 'before\n\na | b\n--- | ---\nc | d\n\nafter';
      for (const row of [0, 1]) {
        const cell = cellAt(tableIn(text), row, 0)!;
        const around = { before: '', after: ` | ${row === 0 ? 'b' : 'd'}` };
        const { from, to, insert } = changeCell(text.slice(cell.from, cell.to), { from: 0, to: 1, insert: mark }, around);
        const after = text.slice(0, cell.from + from) + insert + text.slice(cell.from + to);
        expect(gridOf(after)).toEqual(
          row === 0
            ? [
                [mark, 'b'],
                ['c', 'd'],
              ]
            : [
                ['a', 'b'],
                [mark, 'd'],
              ],
        );
      }
    },
  );

  const typed = fc
    .array(fc.constantFrom('a', '|', '\\', ' ', '\n', '*', '-', '1.', '#', '>', '<', '`', '東', '👩‍👧'), { maxLength: 4 })
    .map((parts) => parts.join(''));

  it('may be changed as one likes: no other byte of the document changes, and all cells stay', () => {
    fc.assert(
      fc.property(source, fc.nat(), fc.nat(), fc.nat(), fc.nat(), typed, (text, pickRow, pickColumn, start, length, insert) => {
        const table = tableIn(text);
        const row = pickRow % (table.rows.length + 1);
        const cell = cellAt(table, row, pickColumn % columnsOf(table));
        if (cell === null) return;
        const before = text.slice(cell.from, cell.to);
        const shown = readCell(before).text;
        const from = start % (shown.length + 1);
        const to = Math.min(shown.length, from + (length % 3));
        const line = rowAt(table, row)!;
        const around = { before: text.slice(line.from, cell.from), after: text.slice(cell.to, line.to) };
        const change = changeCell(before, { from, to, insert }, around);
        const after =
          text.slice(0, cell.from) + before.slice(0, change.from) + change.insert + before.slice(change.to) + text.slice(cell.to);
        expect(after.startsWith(text.slice(0, cell.from))).toBe(true);
        expect(after.endsWith(text.slice(cell.to))).toBe(true);
        const [was, is] = [gridOf(text), gridOf(after)];
        expect(is.map(({ length: count }) => count)).toEqual(was.map(({ length: count }) => count));
        const others = (grid: string[][]) =>
          grid.map((cells, at) => cells.filter((_, column) => at !== row || column !== pickColumn % columnsOf(table)));
        expect(others(is)).toEqual(others(was));
      }),
      { numRuns: 400 },
    );
  });
});

describe('a command of a table', () => {
  const spot = fc.tuple(fc.nat(9), fc.nat(9));
  const at = (table: Table, [row, column]: [number, number]) => ({ row: row % (table.rows.length + 1), column: column % columnsOf(table) });

  /** Checks a command by what it should do to the grid, and that the lines around are the same. */
  const law = (
    edit: (text: string, table: Table, spot: { row: number; column: number }) => TableEdit | null,
    expected: (grid: string[][], spot: { row: number; column: number }) => string[][],
  ) =>
    fc.assert(
      fc.property(source, spot, (text, picked) => {
        const table = tableIn(text);
        const place = at(table, picked);
        const after = apply(text, edit(text, table, place));
        expect(gridOf(after), after).toEqual(expected(gridOf(text), place));
        expect(after.startsWith('before\n\n') && after.endsWith('\n\nafter | not')).toBe(true);
      }),
      { numRuns: 120 },
    );
  const blank = (grid: string[][]) => grid[0]!.map(() => '');

  it('adds a row below, or above', () => {
    law(
      (_, table, place) => addRow(table, place),
      (grid, { row }) => grid.toSpliced(row + 1, 0, blank(grid)),
    );
    law(
      (_, table, place) => addRowAbove(table, place),
      (grid, { row }) => (row === 0 ? grid : grid.toSpliced(row, 0, blank(grid))),
    );
  });

  it('removes a row, never the header', () =>
    law(
      (text, table, place) => removeRow(docOf(text), table, place),
      (grid, { row }) => (row === 0 ? grid : grid.toSpliced(row, 1)),
    ));

  it('moves a row, never over the header', () => {
    const swap = (grid: string[][], row: number, other: number) =>
      row < 1 || other < 1 || grid[other] === undefined ? grid : grid.with(row, grid[other]).with(other, grid[row]!);
    for (const by of [-1, 1] as const)
      law(
        (text, table, place) => moveRow(docOf(text), table, place, by),
        (grid, { row }) => swap(grid, row, row + by),
      );
  });

  it('adds a column before, or behind', () => {
    for (const by of [0, 1])
      law(
        (text, table, { row, column }) => addColumn(docOf(text), table, { row, column: column + by }),
        (grid, { column }) => grid.map((cells, row) => cells.toSpliced(column + by, 0, row === 0 ? '' : '')),
      );
  });

  it('removes a column, never the last one', () =>
    law(
      (text, table, place) => (columnsOf(table) === 2 ? null : removeColumn(docOf(text), table, place)),
      (grid, { column }) => (grid[0]!.length === 2 ? grid : grid.map((cells) => cells.toSpliced(column, 1))),
    ));

  it('moves a column with its alignment', () => {
    for (const by of [-1, 1] as const)
      law(
        (text, table, place) => moveColumn(docOf(text), table, place, by),
        (grid, { column }) => {
          const other = column + by;
          if (other < 0 || other >= grid[0]!.length) return grid;
          return grid.map((cells) => cells.with(column, cells[other]!).with(other, cells[column]!));
        },
      );
  });

  it('aligns a column by its dashes alone', () => {
    fc.assert(
      fc.property(source, spot, fc.constantFrom<Align>('left', 'center', 'right', null), (text, picked, align) => {
        const table = tableIn(text);
        const place = at(table, picked);
        const after = apply(text, alignColumn(docOf(text), table, place, align));
        expect(gridOf(after)).toEqual(gridOf(text));
        expect(tableIn(after).aligns).toEqual(table.aligns.with(place.column, align));
      }),
      { numRuns: 100 },
    );
  });

  it('finds the cell of a place', () => {
    const text = '| a | b |\n| - | - |\n| c | d |';
    const table = tableIn(text);
    expect([0, 4, 6, 12, 20, 22, 29].map((place) => Object.values(cellAround(table, place)))).toEqual([
      [0, 0],
      [0, 1],
      [0, 1],
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
  });
});

describe('a clipboard', () => {
  it.each([
    [
      'a\tb\nc\td\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"a\nb"\tc', [['a\nb', 'c']]],
    ['"say ""x"""\tb', [['say "x"', 'b']]],
    [
      'a,b\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      '"a, b",c\nd,e',
      [
        ['a, b', 'c'],
        ['d', 'e'],
      ],
    ],
    ['one line, with a comma', null],
    ['a, b\nno comma', null],
    ['a,b\nc,d,e', null],
  ])('%j', (text, grid) => expect(readGrid(text)).toEqual(grid));

  it('goes into cells and makes the rows that are missing', () => {
    const text = '| a | b |\n| - | - |\n| c | d |\nrest';
    const table = tableIn('| a | b |\n| - | - |\n| c | d |');
    const after = apply(text, pasteGrid(docOf(text), table, { row: 1, column: 1 }, [['1|1', 'lost'], ['2']]));
    expect(after).toBe('| a | b |\n| - | - |\n| c | 1\\|1 |\n|  | 2 |\nrest');
  });
});
