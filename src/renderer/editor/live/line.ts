import type { EditorState, Line } from '@codemirror/state';
import { Decoration, WidgetType } from '@codemirror/view';

/** How far an item of a list is indented, a quote, and what follows the first line of a footnote, in em of the text. */
const step = { item: 1.7, quote: 1.15, note: 1.55 } as const;

/** The mark that begins an item: a bullet, a number as it is written, or a box to tick. */
export type ItemMark =
  | { readonly kind: 'bullet'; readonly depth: number }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'task'; readonly isDone: boolean; readonly at: number };

/** What is known of a line: what it stands in, where the marks of that end, and how it looks. */
export interface LineShape {
  readonly line: Line;
  readonly classes: Set<string>;
  readonly styles: Set<string>;
  indent: number;
  items: number;
  quotes: number;
  /** Where the bars of its quotes start, in em. */
  quotesAt: number;
  /** The end of the marks at its start, as a place in the document. */
  markEnd: number;
  mark: ItemMark | null;
  /** The column that its innermost item's text starts in. */
  column: number;
}

/** The shapes of lines, made when they are asked for. */
export type LineShapes = ReturnType<typeof createShapes>;

/** Gathers what is known of the lines that are seen. */
export function createShapes(state: EditorState) {
  const shapes = new Map<number, LineShape>();
  const at = (place: number): LineShape => {
    const line = state.doc.lineAt(place);
    const known = shapes.get(line.from);
    if (known !== undefined) return known;
    const fresh: LineShape = {
      line,
      classes: new Set(),
      styles: new Set(),
      indent: 0,
      items: 0,
      quotes: 0,
      quotesAt: 0,
      markEnd: line.from,
      mark: null,
      column: 0,
    };
    shapes.set(line.from, fresh);
    return fresh;
  };
  return {
    at,
    all: () => shapes.values(),
    /** Each line of a range, as far as it is seen. */
    *over(from: number, to: number, seen: { readonly from: number; readonly to: number }) {
      const last = Math.min(to, seen.to);
      for (let place = Math.max(from, seen.from); place <= last; ) {
        const shape = at(place);
        yield shape;
        place = shape.line.to + 1;
      }
    },
  };
}

/** Puts a line into an item. */
export function indentItem(shape: LineShape): void {
  shape.items++;
  shape.indent += step.item;
}

/** Puts a line into a quote. */
export function indentQuote(shape: LineShape): void {
  if (shape.quotes === 0) shape.quotesAt = shape.indent;
  shape.quotes++;
  shape.indent += step.quote;
}

/** Puts a line behind the first one of a footnote, whose text starts in this column. */
export function indentNote(shape: LineShape, column: number): void {
  shape.indent += step.note;
  shape.column = column;
  shape.markEnd = Math.max(shape.markEnd, endOfIndent(shape));
}

/** The end of the space that an item's line without a mark begins with, up to the column of the item's text. */
export function endOfIndent({ line, markEnd, column }: LineShape): number {
  let at = markEnd;
  for (let width = markEnd - line.from; at < line.to && width < column; at++) {
    const sign = line.text[at - line.from];
    if (sign === '\t') width += 4 - (width % 4);
    else if (sign === ' ') width++;
    else break;
  }
  return at;
}

const decorations = new Map<string, Decoration>();

/** The decoration of a whole line; the same one for lines that look the same, so that they need not be compared. */
export function lineDecoration({ classes, styles, indent, quotes, quotesAt }: LineShape): Decoration {
  const style = [...styles];
  if (indent > 0) style.push(`--indent:${round(indent)}em`);
  if (quotes > 0) style.push(`--quotes:${quotes}`, `--quotes-at:${round(quotesAt)}em`);
  const names = [...classes, ...(indent > 0 ? ['cm-indented'] : []), ...(quotes > 0 ? ['cm-quoted'] : [])];
  const key = `${names.join(' ')};${style.join(';')}`;
  let known = decorations.get(key);
  if (known === undefined) {
    const attributes = { ...(names.length > 0 ? { class: names.join(' ') } : {}), ...(style.length > 0 ? { style: style.join(';') } : {}) };
    known = Decoration.line({ attributes });
    decorations.set(key, known);
  }
  return known;
}

const round = (value: number) => Math.round(value * 100) / 100;

const bullets = ['•', '◦', '▪'] as const;

/** The bullet or number of an item, drawn where its mark stands. */
export class ItemMarkWidget extends WidgetType {
  readonly text: string;
  readonly name: string;
  constructor(mark: ItemMark) {
    super();
    this.name = mark.kind;
    this.text = mark.kind === 'number' ? mark.text : mark.kind === 'bullet' ? bullets[mark.depth % bullets.length]! : '';
  }
  override eq(other: ItemMarkWidget): boolean {
    return other.text === this.text && other.name === this.name;
  }
  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = `cm-item-mark cm-item-${this.name}`;
    mark.textContent = this.text;
    return mark;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}
