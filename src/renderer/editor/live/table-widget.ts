import { type EditorState, Text } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { DrawnBlock } from './block.ts';
import { columnsOf, readTable } from './table.ts';
import { createTableView, tableViewOf } from './table-view.ts';

/** A table with more cells than this is shown as its source: nobody waits for it to be drawn. */
const mostCells = 4000;

/** A table that is written in where it stands. It knows its source and no place: the editor knows where it is. */
export class TableWidget extends WidgetType {
  readonly source: string;
  /** The length of what stands before the table in its first line. */
  readonly lead: number;
  constructor(source: string, lead: number) {
    super();
    this.source = source;
    this.lead = lead;
  }
  override eq(other: TableWidget): boolean {
    return other.source === this.source && other.lead === this.lead;
  }
  override toDOM(view: EditorView): HTMLElement {
    const shown = createTableView(view);
    shown.show(this.source, this.lead);
    return shown.dom;
  }
  override updateDOM(dom: HTMLElement): boolean {
    const shown = tableViewOf(dom);
    shown?.show(this.source, this.lead);
    return shown !== undefined;
  }
  override destroy(dom: HTMLElement): void {
    tableViewOf(dom)?.close();
  }
  override get estimatedHeight(): number {
    return (this.source.split('\n').length - 1) * 34 + 8;
  }
}

/** Draws a table, if it is not so large that its source is better. */
export function drawTable(state: EditorState, { from, to }: SyntaxNode): DrawnBlock | null {
  const first = state.doc.lineAt(from);
  const last = state.doc.lineAt(to);
  const source = state.sliceDoc(first.from, last.to);
  const table = readTable(Text.of(source.split('\n')), from - first.from, source.length);
  if (table === null || columnsOf(table) * (table.rows.length + 1) > mostCells) return null;
  return { widget: new TableWidget(source, from - first.from), opens: false };
}
