import { tags } from '@lezer/highlight';
import type { BlockContext, Element, Line, MarkdownConfig } from '@lezer/markdown';

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

const definition = /^\[\^([^\s[\]]{1,200})\]:/u;

/** `[^name]: text`, a footnote: one paragraph. */
export const FootnoteDefinition: MarkdownConfig = {
  defineNodes: [
    { name: 'FootnoteDefinition', block: true },
    { name: 'FootnoteLabel', style: tags.labelName },
  ],
  parseBlock: [
    {
      name: 'FootnoteDefinition',
      before: 'LinkReference',
      leaf(_, { content }) {
        const label = definition.exec(content)?.[0];
        if (label === undefined) return null;
        return {
          nextLine: () => false,
          finish(cx, current) {
            const { start, content } = current;
            const inline = cx.parser.parseInline(content.slice(label.length), start + label.length);
            const parts = [cx.elt('FootnoteLabel', start, start + label.length), ...inline];
            cx.addLeafElement(current, cx.elt('FootnoteDefinition', start, start + content.length, parts));
            return true;
          },
        };
      },
      endLeaf: (_, line) => definition.test(line.text.slice(line.pos)),
    },
  ],
};
