import { codeFolding, foldable, foldEffect, foldedRanges, unfoldEffect } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { place } from './neighbours.ts';

/** The fold that begins in the line of a place; null where it is open. */
function foldAt(state: EditorState, at: number): { readonly from: number; readonly to: number } | null {
  const line = state.doc.lineAt(at);
  let found: { from: number; to: number } | null = null;
  foldedRanges(state).between(line.from, line.to, (from, to) => {
    if (from >= line.from && from <= line.to) found = { from, to };
  });
  return found;
}

/** Folds what the line of a place begins, or opens it; false where nothing folds there. */
function toggleFoldAt(view: EditorView, at: number): boolean {
  const { state } = view;
  const line = state.doc.lineAt(at);
  const folded = foldAt(state, at);
  const range = folded ?? foldable(state, line.from, line.to);
  if (range === null) return false;
  view.dispatch({ effects: (folded === null ? foldEffect : unfoldEffect).of(range) });
  return true;
}

/** The mark in the margin of a heading that folds its section. */
class FoldMark extends WidgetType {
  readonly isFolded: boolean;
  constructor(isFolded: boolean) {
    super();
    this.isFolded = isFolded;
  }
  override eq(other: FoldMark): boolean {
    return other.isFolded === this.isFolded;
  }
  override toDOM(view: EditorView): HTMLElement {
    const { say } = view.state.facet(place);
    const mark = document.createElement('button');
    mark.type = 'button';
    mark.className = 'cm-fold-mark';
    mark.tabIndex = -1;
    mark.setAttribute('aria-expanded', String(!this.isFolded));
    mark.setAttribute('aria-label', say('live.fold'));
    mark.title = say('live.fold');
    mark.addEventListener('mousedown', (event) => event.preventDefault());
    mark.addEventListener('click', () => toggleFoldAt(view, view.posAtDOM(mark)));
    return mark;
  }
}

/** The mark of a heading at a place. */
export const foldMarkAt = (state: EditorState, at: number): WidgetType => new FoldMark(foldAt(state, at) !== null);

/** Lets sections, lists and blocks fold; a cursor that goes in opens them. */
export const folding: Extension = codeFolding({
  placeholderDOM(view, open) {
    const sign = document.createElement('button');
    sign.type = 'button';
    sign.className = 'cm-fold-sign';
    sign.tabIndex = -1;
    sign.textContent = '⋯';
    sign.setAttribute('aria-label', view.state.facet(place).say('live.unfold'));
    sign.addEventListener('click', open);
    return sign;
  },
});
