import { tags } from '@lezer/highlight';
import { type BlockContext, type Element, type Line, type MarkdownConfig, Table } from '@lezer/markdown';

const opensMath = (line: Line) => line.indent < line.baseIndent + 4 && line.text.startsWith('$$', line.pos);
/** Where the closing mark of a formula starts in a line; -1 where the line does not end one. */
function closingMark(text: string, from: number): number {
  const end = text.trimEnd().length - 2;
  return end >= from && text.startsWith('$$', end) && text[end - 1] !== '\\' ? end : -1;
}

/**
 * A formula in lines of its own, from `$$` to `$$`. A blank line ends one that was never closed: while somebody types
 * the marks, the text behind them stays text.
 */
export const MathBlock: MarkdownConfig = {
  defineNodes: [{ name: 'MathBlock', block: true, style: tags.special(tags.string) }],
  parseBlock: [
    {
      name: 'MathBlock',
      before: 'FencedCode',
      parse(cx, line) {
        if (!opensMath(line) || isInLine(line)) return false;
        const from = cx.lineStart + line.pos;
        const marks = [cx.elt('MathMark', from, from + 2)];
        const end = endOfMath(cx, line, marks);
        cx.addElement(cx.elt('MathBlock', from, end, marks));
        return true;
      },
      endLeaf: (_, line) => opensMath(line) && !isInLine(line),
    },
  ],
};

/** A formula that ends before its line does is part of a text. */
function isInLine({ text, pos }: Line): boolean {
  const second = text.indexOf('$$', pos + 2);
  return second >= 0 && text.slice(second + 2).trim() !== '';
}

function endOfMath(cx: BlockContext, line: Line, marks: Element[]): number {
  const first = closingMark(line.text, line.pos + 2);
  if (first > line.pos + 2) return closed(cx, marks, first);
  let end = cx.lineStart + line.text.length;
  const { depth } = cx;
  while (cx.nextLine() && line.next >= 0 && line.pos < line.text.length && isWithin(cx, line, depth)) {
    marks.push(...line.markers);
    const close = closingMark(line.text, line.basePos);
    if (close >= 0) return closed(cx, marks, close);
    end = cx.lineStart + line.text.length;
  }
  return end;
}

/** Whether the line still stands in all the quotes and items that the block stands in. */
const isWithin = (_: BlockContext, line: Line, depth: number) => (line as unknown as { depth: number }).depth >= depth;

function closed(cx: BlockContext, marks: Element[], at: number): number {
  const from = cx.lineStart + at;
  marks.push(cx.elt('MathMark', from, from + 2));
  cx.nextLine();
  return from + 2;
}

const definition = /^\[\^([^\s[\]]{1,200})\]:[ \t]*/u;
/** What stands this far in, in columns, is still part of a footnote. */
const within = 4;

/** `[^name]: text`, a footnote: blocks, all but the first of them four columns in. */
export const FootnoteDefinition: MarkdownConfig = {
  defineNodes: [
    {
      name: 'FootnoteDefinition',
      block: true,
      composite(_, line) {
        if (line.next >= 0 && line.indent < line.baseIndent + within) return false;
        if (line.next >= 0) line.moveBaseColumn(line.baseIndent + within);
        return true;
      },
    },
    { name: 'FootnoteLabel', style: tags.labelName },
  ],
  parseBlock: [
    {
      name: 'FootnoteDefinition',
      before: 'LinkReference',
      parse(cx, line) {
        const label = line.indent < line.baseIndent + 4 ? definition.exec(line.text.slice(line.pos))?.[0] : undefined;
        if (label === undefined) return false;
        const from = cx.lineStart + line.pos;
        cx.startComposite('FootnoteDefinition', line.pos);
        cx.addElement(cx.elt('FootnoteLabel', from, from + label.trimEnd().length));
        line.moveBase(line.pos + label.length);
        return null;
      },
      endLeaf: (_, line) => line.indent < line.baseIndent + 4 && definition.test(line.text.slice(line.pos)),
    },
  ],
};

const [gfmTable] = Table.parseBlock ?? [];
const withoutEnd = <Of extends object>(of: Of, replaced: Partial<Of>): Of => Object.assign(Object.create(of), replaced);

/** GFM's tables, also those with blanks behind the dashes below their header, which Lezer takes for text. */
export const TableWithBlanks: MarkdownConfig = {
  parseBlock: [
    {
      name: 'Table',
      leaf(cx, leaf) {
        const parser = gfmTable?.leaf?.(cx, leaf) ?? null;
        if (parser === null) return null;
        const next = parser.nextLine.bind(parser);
        // The first line that it is told of is that of the dashes.
        parser.nextLine = (cx, line, leaf) => {
          parser.nextLine = next;
          return next(cx, withoutEnd(line, { text: line.text.trimEnd() }), leaf);
        };
        return parser;
      },
      endLeaf: (cx, line, leaf) =>
        /\s$/u.test(cx.peekLine()) &&
        (gfmTable?.endLeaf?.(withoutEnd(cx, { peekLine: () => cx.peekLine().trimEnd() }), line, leaf) ?? false),
    },
  ],
};
