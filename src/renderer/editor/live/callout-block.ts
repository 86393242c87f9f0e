import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { DrawnBlock } from './block.ts';
import { type Callout, calloutOf, lookOfKind, nameOfKind } from './callout.ts';
import { foldButton, turnCallout, turnedCallouts } from './callout-fold.ts';
import { drawText } from './drawn-text.ts';

/** Whether a callout is drawn as its title alone. */
function isFolded(state: EditorState, { fold }: Callout, start: number): boolean {
  let isTurned = false;
  state.field(turnedCallouts, false)?.between(start, start, (from) => {
    isTurned ||= from === start;
  });
  return fold !== '' && (fold === '-') !== isTurned;
}

/** A callout of which only the title is seen. */
class FoldedCallout extends WidgetType {
  readonly kind: string;
  readonly title: string;
  constructor(kind: string, title: string) {
    super();
    this.kind = kind;
    this.title = title;
  }
  override eq(other: FoldedCallout): boolean {
    return other.kind === this.kind && other.title === this.title;
  }
  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('div');
    box.className = `cm-drawn cm-callout-closed ${lookOfKind(this.kind)}`;
    const button = foldButton(view, false);
    button.addEventListener('click', () => turnCallout(view, view.posAtDOM(box)));
    const name = document.createElement('span');
    name.append(drawText(this.title === '' ? nameOfKind(view, this.kind) : this.title));
    box.append(name, button);
    return box;
  }
  override ignoreEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('button') !== null;
  }
}

/** Draws a callout that is folded; its lines come up while the cursor is in them. Only those of the document itself fold. */
export function drawFoldedCallout(state: EditorState, node: SyntaxNode): DrawnBlock | null {
  if (node.parent?.parent !== null) return null;
  const callout = calloutOf(state, node);
  if (callout === null || !isFolded(state, callout, state.doc.lineAt(node.from).from)) return null;
  const title = state.sliceDoc(callout.to, callout.titleTo).trim();
  return { widget: new FoldedCallout(callout.kind, title), opens: true, isAlone: true };
}
