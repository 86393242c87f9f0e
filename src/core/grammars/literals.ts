import type { Code } from '#core/grammars/code';
import type { Special, Writer } from '#core/grammars/normal-form';
import { cook, type Escapes } from '#core/grammars/strings';
import { tagOf } from '#kernel/declaration-encoding';

/** How the strings of a language are written down. */
export interface StringForm {
  /** The class of a literal that opens like this; a class apart for each kind of value (bytes, characters). */
  kind(opening: string): string;
  /** The quotes, with what stands before them and behind them. */
  readonly quotes: RegExp;
  /** Kinds of what stands between texts: values that are put in. */
  readonly values: readonly string[];
  /** Values that are bare names and that the grammar takes for text: group 1 is the name; escapes are matched without it. */
  readonly names?: RegExp;
  /** How escapes are read in a literal that opens like this; null if it has none. */
  escapes(opening: string): Escapes | null;
  /** The text between the quotes as it counts, piece by piece; the whole of it is known first. */
  lines?(writer: Writer, node: number, opening: string, whole: string): (piece: string, isFirst: boolean, isLast: boolean) => string;
}

/** The letters after a backslash that most languages know. */
export const commonEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

/** A piece of a string, from and to a place in the source: a text, a value, or a bare name that is put in. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly value?: number;
  readonly isName?: boolean;
}

/** A string as its value: one text, or texts and values in turn. */
export function stringSpecial(form: StringForm): Special {
  return (writer, node) => {
    const { code } = writer;
    const { starts, ends, source } = code.tree;
    const [from, to] = [starts[node] as number, ends[node] as number];
    const match = form.quotes.exec(source.slice(from, to));
    if (!match) return false;
    const [opening, closing] = [match[1] as string, match[2] as string];
    const [first, last] = [from + opening.length, to - closing.length];
    const escapes = form.escapes(opening);
    const lines = form.lines?.(writer, node, opening, source.slice(first, last));
    const kind = form.kind(opening);
    const pieces = piecesOf(code, node, form, first, last);
    const isPlain = pieces.every(({ value, isName }) => value === undefined && !isName);
    if (!isPlain) writer.open(kind);
    for (const piece of isPlain ? [{ from: first, to: last }] : pieces) {
      if (piece.value !== undefined) writer.node(piece.value);
      else if (piece.isName) bareName(writer, piece);
      else {
        const text = source.slice(piece.from, Math.max(piece.from, piece.to)).replaceAll('\r\n', '\n');
        const even = lines ? lines(text, piece.from === first, piece.to === last) : text;
        writer.leaf(kind, escapes ? cook(even, escapes) : even);
      }
    }
    if (!isPlain) writer.close();
    return true;
  };
}

/** A name put into a string, as if it stood in braces. */
function bareName(writer: Writer, { from, to }: Piece): void {
  writer.open('interpolation');
  writer.encoding.leaf(tagOf('identifier'), writer.code.tree.source, from, to, true);
  writer.close();
}

function piecesOf(code: Code, node: number, form: StringForm, first: number, last: number): Piece[] {
  const { starts, ends } = code.tree;
  const pieces: Piece[] = [];
  let at = first;
  for (const value of code.children(node).filter((child) => form.values.includes(code.kind(child)))) {
    pieces.push(...textPieces(code, form, at, starts[value] as number), {
      from: starts[value] as number,
      to: ends[value] as number,
      value,
    });
    at = ends[value] as number;
  }
  return [...pieces, ...textPieces(code, form, at, last)];
}

/** A text without the names that stand in it bare; nothing for an empty one. */
function textPieces(code: Code, form: StringForm, from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const match of form.names ? code.tree.source.slice(from, to).matchAll(form.names) : []) {
    if (match[1] === undefined) continue;
    const start = from + match.index;
    if (start > at) pieces.push({ from: at, to: start });
    at = start + match[0].length;
    pieces.push({ from: at - match[1].length, to: at, isName: true });
  }
  return at < to ? [...pieces, { from: at, to }] : pieces;
}

/** A number with its letters small and without the signs that group its digits. */
export const numberSpecial: Special = (writer, node) => {
  writer.leaf(writer.code.kind(node), writer.code.text(node).replaceAll('_', '').toLowerCase());
};

/** Without its parentheses. */
export const bare: Special = (writer, node) => {
  writer.within(node, "'(", "')");
};

/** All tokens count, also those that separate. */
export const everything: Special = (writer, node) => {
  const { code } = writer;
  writer.open(code.kind(node));
  for (const child of code.children(node)) {
    if (code.kind(child).startsWith("'")) writer.word(code.kind(child));
    else writer.node(child);
  }
  writer.close();
};
