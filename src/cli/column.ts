import { type Ink, plainInk, type Style } from '#cli/ink';
import { visible, widthOf } from '#cli/text';

/** A piece of a row; its text may come from anywhere and is made safe here. */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** Rows as aligned lines, two blanks between columns; a column that is empty in every row takes no room. */
export function columns(rows: readonly (readonly Cell[])[], indent = '', ink: Ink = plainInk): string[] {
  const safe = rows.map((row) => row.map(({ text, ...cell }) => ({ ...cell, text: visible(text) })));
  const widths: number[] = [];
  for (const row of safe) {
    for (const [at, { text }] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(text));
  }
  const isUsed = (_: unknown, at: number) => widths[at] !== 0;
  return safe.map((row) => {
    const pieces = row.map(({ text, style }, at) => `${style ? ink(style, text) : text}${' '.repeat(widths[at]! - widthOf(text))}`);
    return `${indent}${pieces.filter(isUsed).join('  ')}`.trimEnd();
  });
}
