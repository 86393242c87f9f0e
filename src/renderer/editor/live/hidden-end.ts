import type { EditorView } from '@codemirror/view';

/** Whether nothing is seen between two places of a line. */
export function isNothingBetween(view: EditorView, from: number, to: number): boolean {
  const [first, last] = [view.domAtPos(from), view.domAtPos(to)];
  const between = document.createRange();
  between.setStart(first.node, first.offset);
  between.setEnd(last.node, last.offset);
  // CodeMirror puts pictures of nothing around what it hides.
  return between.toString() === '' && between.cloneContents().querySelector('img:not(.cm-widgetBuffer), svg, button') === null;
}

/** The end of a line, where only hidden marks stand between it and a place; else the place. */
export function pastHiddenEnd(view: EditorView, at: number): number {
  const { to } = view.state.doc.lineAt(at);
  return at < to && isNothingBetween(view, at, to) ? to : at;
}
