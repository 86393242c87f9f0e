import { behindSide } from '#kernel/body-pair';
import type { PairRow } from '#protocol/pair-calls';
import type { Words } from '#protocol/words';
import type { RowMark } from '#renderer/breakdown/row-words.ts';

type Named = PairRow['technical'];

/** A document by its path, or by its id where it has none. */
export const nameOf = ({ path, object }: Named): string => path ?? object;

/** The document that is to be looked at. */
export const behindOf = (row: PairRow): Named => row[behindSide(row)];

/** The other one of the two. */
export const otherOf = (row: PairRow): Named => (behindOf(row) === row.technical ? row.human : row.technical);

/** How a pair looks, and the key of its word under `pair`. */
export function pairMark({ ahead, gone }: PairRow): RowMark {
  if (gone.length > 0) return { word: 'gone', shape: 'cross', tone: 'lost' };
  return ahead.length > 1 ? { word: 'both', shape: 'diamond', tone: 'diverged' } : { word: 'ahead', shape: 'dot', tone: 'changed' };
}

/** The accessible name of a row: both documents and the shown word. */
export function pairRowName(row: PairRow, words: Words): string {
  const word = words(`pair.${pairMark(row).word}`);
  return words('pair.row', { behind: nameOf(behindOf(row)), other: nameOf(otherOf(row)), state: word });
}
