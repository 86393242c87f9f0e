import type { Special, Writer } from '#core/grammars/normal-form';
import { cook, type Escapes } from '#core/grammars/strings';

/** How the strings of a language are written down. */
export interface StringForm {
  /** The class of a literal that opens like this; a class apart for each kind of value (bytes, characters). */
  kind(opening: string): string;
  /** The quotes, with what stands before them and behind them. */
  readonly quotes: RegExp;
  /** Kinds of what stands between texts: values that are put in. */
  readonly values: readonly string[];
  /** How escapes are read in a literal that opens like this; null if it has none. */
  escapes(opening: string): Escapes | null;
  /** The text between the quotes as it counts, piece by piece; the whole of it is known first. */
  lines?(writer: Writer, node: number, opening: string, whole: string): (piece: string, isFirst: boolean, isLast: boolean) => string;
}

/** The letters after a backslash that most languages know. */
export const commonEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

/** A string as its value: one text, or texts and values in turn. */
export function stringSpecial(form: StringForm): Special {
  return (writer, node) => {
    const { code } = writer;
    const { starts, ends, source } = code.tree;
    const [from, to] = [starts[node] as number, ends[node] as number];
    const match = form.quotes.exec(source.slice(from, to));
    if (!match) return false;
    const [opening, closing] = [match[1] as string, match[2] as string];
    const escapes = form.escapes(opening);
    const lines = form.lines?.(writer, node, opening, source.slice(from + opening.length, to - closing.length));
    const kind = form.kind(opening);
    const values = code.children(node).filter((child) => form.values.includes(code.kind(child)));
    const text = (start: number, end: number): void => {
      const piece = source.slice(start, Math.max(start, end)).replaceAll('\r\n', '\n');
      const even = lines ? lines(piece, start === from + opening.length, end === to - closing.length) : piece;
      writer.leaf(kind, escapes ? cook(even, escapes) : even);
    };
    let at = from + opening.length;
    if (values.length > 0) writer.open(kind);
    for (const value of values) {
      if ((starts[value] as number) > at) text(at, starts[value] as number);
      writer.node(value);
      at = ends[value] as number;
    }
    if (values.length === 0 || at < to - closing.length) text(at, to - closing.length);
    if (values.length > 0) writer.close();
    return true;
  };
}

/** A number with its letters small and without the signs that group its digits. */
export const numberSpecial: Special = (writer, node) => {
  writer.leaf(writer.code.kind(node), writer.code.text(node).replaceAll('_', '').toLowerCase());
};

/** Without its parentheses. */
export const bare: Special = (writer, node) => writer.within(node, "'(", "')");

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
