import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columns } from '#cli/column';
import { colouredInk, inkFor, plainInk } from '#cli/ink';
import { visible, widthOf } from '#cli/text';

const cell = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 12 }) });
const table = fc.integer({ min: 1, max: 4 }).chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })));

describe('columns', () => {
  it('hold every text, in order, one line for a row', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const lines = columns(rows, '  ');
        expect(lines).toHaveLength(rows.length);
        for (const [at, row] of rows.entries()) {
          let rest = lines[at]!;
          for (const { text } of row) {
            const shown = visible(text).trimEnd();
            expect(rest).toContain(shown);
            rest = rest.slice(rest.indexOf(shown) + shown.length);
          }
        }
      }),
    );
  });

  it('begin at the same place in every row', () => {
    const lines = columns([
      [{ text: '日本.md' }, { text: 'v1' }],
      [{ text: 'a' }, { text: 'v22' }],
    ]);
    expect(lines.map((line) => widthOf(line.slice(0, line.indexOf('v'))))).toEqual([9, 9]);
  });

  it('take no room where every row is empty', () => {
    expect(columns([[{ text: 'a' }, { text: '' }, { text: 'b' }]])).toEqual(['a  b']);
  });

  it('are as wide with colours as without', () => {
    const rows = [
      [{ text: 'long', style: 'good' as const }, { text: 'x' }],
      [{ text: 'a', style: 'wrong' as const }, { text: 'y' }],
    ];
    const bare = columns(rows, '', colouredInk).map(stripVTControlCharacters);
    expect(bare).toEqual(columns(rows, '', plainInk));
  });
});

describe('colours', () => {
  it.each([
    [true, {}, true],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('on a terminal (%s) with %j: %s', (isTerminal, env, has) => {
    expect(inkFor(isTerminal, env)('good', 'x') !== 'x').toBe(has);
  });
});
