import { EditorView } from '@codemirror/view';

/** How far the text begins below the top of what scrolls, in pixels. */
const inset = (view: EditorView) => view.documentTop - view.scrollDOM.getBoundingClientRect().top + view.scrollDOM.scrollTop;

/** The character at the top of an editor; inside of a line (or what stands in its place) in proportion. */
export function topCharacter(view: EditorView): number {
  const y = view.scrollDOM.scrollTop - inset(view);
  if (y <= 0) return 0;
  const { from, length, top, height } = view.lineBlockAtHeight(y);
  return from + (height <= 0 ? 0 : length * Math.min(1, (y - top) / height));
}

/** Brings a character to the top of an editor that is seen; answers where the scroll bar is then. */
export function scrollToCharacter(view: EditorView, at: number): number {
  const { from, length, top, height } = view.lineBlockAt(Math.max(0, Math.min(view.state.doc.length, Math.floor(at))));
  const share = length === 0 ? 0 : (at - from) / length;
  view.scrollDOM.scrollTop = at <= 0 ? 0 : inset(view) + top + height * share;
  return view.scrollDOM.scrollTop;
}

/** Brings a character to the top of an editor that is about to be seen. */
export function showCharacter(view: EditorView, at: number): void {
  const place = Math.max(0, Math.min(view.state.doc.length, Math.round(at)));
  view.dispatch({ effects: EditorView.scrollIntoView(place, { y: 'start', yMargin: 0 }) });
}
