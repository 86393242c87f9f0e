import type { Piece } from '#renderer/breakdown/comparison.ts';

/** Pieces to show, or an unchanged stretch between them that may be folded away. All texts joined give both versions. */
export type Fold =
  | { readonly kind: 'shown'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'folded'; readonly text: string; readonly lines: number };

/** How much unchanged text stays beside a change, and how much must be left to fold, both in UTF-16 units. */
export interface FoldMeasure {
  readonly context: number;
  readonly least: number;
}

const measureOfProse: FoldMeasure = { context: 220, least: 320 };

/** Folds long unchanged stretches, at the end of a line or of a word where there is one. A change is never folded. */
export function foldUnchanged(pieces: readonly Piece[], measure: FoldMeasure = measureOfProse): Fold[] {
  const folds: Fold[] = [];
  let shown: Piece[] = [];
  const show = (kind: Piece['kind'], text: string) => {
    if (text !== '') shown.push({ kind, text });
  };
  pieces.forEach(({ kind, text }, at) => {
    const [from, to] = kind === 'same' ? foldedRange(text, isChange(pieces[at - 1]), isChange(pieces[at + 1]), measure) : [0, 0];
    show(kind, text.slice(0, to === from ? text.length : from));
    if (to === from) return;
    if (shown.length > 0) folds.push({ kind: 'shown', pieces: shown });
    shown = [];
    folds.push({ kind: 'folded', text: text.slice(from, to), lines: linesIn(text.slice(from, to)) });
    show('same', text.slice(to));
  });
  if (shown.length > 0) folds.push({ kind: 'shown', pieces: shown });
  return folds;
}

const isChange = (piece: Piece | undefined): boolean => piece !== undefined && piece.kind !== 'same';

/** What of an unchanged text is folded, from `from` to before `to`; nothing where they are equal. A text beside no change keeps its beginning. */
function foldedRange(text: string, isAfterChange: boolean, isBeforeChange: boolean, { context, least }: FoldMeasure): [number, number] {
  if (text.length < context + least) return [0, 0];
  const from = isAfterChange || !isBeforeChange ? headEnd(text, context) : 0;
  const to = isBeforeChange ? tailStart(text, context) : text.length;
  return to - from >= least ? [from, to] : [0, 0];
}

/** Where the context after a change ends: past a line break in its second half, else past a blank, else anywhere. */
function headEnd(text: string, context: number): number {
  const line = text.lastIndexOf('\n', context);
  if (line > context / 2) return line + 1;
  const blank = text.slice(0, context).search(/\s\S*$/u);
  return blank > context / 2 ? blank + 1 : whole(text, context);
}

function tailStart(text: string, context: number): number {
  const start = text.length - context;
  const line = text.indexOf('\n', start);
  if (line !== -1 && line < start + context / 2) return line + 1;
  const blank = text.slice(start).search(/\s/u);
  return blank !== -1 && blank < context / 2 ? start + blank + 1 : whole(text, start);
}

/** A cut that does not part a surrogate pair. */
function whole(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
