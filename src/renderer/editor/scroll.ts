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

/** Brings a character to the top of an editor, also of one that is about to be seen. Lines whose height is only guessed are measured first. */
export function scrollToCharacter(view: EditorView, at: number): void {
  const { from, length, height } = view.lineBlockAt(Math.max(0, Math.min(view.state.doc.length, Math.floor(at))));
  const share = length === 0 ? 0 : Math.min(1, (at - from) / length);
  if (at <= 0) view.scrollDOM.scrollTop = 0;
  else view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: -height * share }) });
}

/** What a hand does when it scrolls. */
export const scrollingEvents = ['wheel', 'pointerdown', 'keydown', 'touchmove'] as const;
