import { type EditorState, type Extension, Prec, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view';
import { frontOf } from '../front.ts';
import { attentionOf, isRevealed } from './attention.ts';
import { propertiesOf } from './front-property.ts';
import { createForm, type FrontView } from './front-view.ts';

const views = new WeakMap<Element, FrontView>();

/** The frontmatter as a form; it knows its source, and reads it anew whenever something is done. */
class FormWidget extends WidgetType {
  readonly source: string;
  constructor(source: string) {
    super();
    this.source = source;
  }
  override eq(other: FormWidget): boolean {
    return other.source === this.source;
  }
  override toDOM(view: EditorView): HTMLElement {
    const form = createForm(view);
    views.set(form.dom, form);
    form.show();
    return form.dom;
  }
  override updateDOM(dom: HTMLElement): boolean {
    // The editor has not taken the new state yet while it draws.
    queueMicrotask(() => views.get(dom)?.show());
    return true;
  }
  override get estimatedHeight(): number {
    return this.source.split('\n').length * 30;
  }
}

function formOf(state: EditorState): DecorationSet {
  const front = frontOf(state.doc);
  const properties = front === null ? null : propertiesOf(state.doc);
  if (front === null || properties === null || properties.length === 0) return Decoration.none;
  if (isRevealed(state, front.all.from, front.all.to)) return Decoration.none;
  const widget = new FormWidget(state.sliceDoc(front.all.from, front.all.to));
  return Decoration.set(Decoration.replace({ widget, block: true, inclusiveEnd: false }).range(front.all.from, front.all.to));
}

const field = StateField.define<DecorationSet>({
  create: formOf,
  update(value, { state, startState, docChanged, changes, selection }) {
    const { held } = attentionOf(state);
    const isOther = selection !== undefined || attentionOf(startState) !== attentionOf(state);
    const reach = (frontOf(startState.doc)?.all.to ?? 3) + 1;
    const isNear = docChanged && changes.touchesRange(0, reach) !== false;
    if (held !== null && !(isNear && held === 'pointer')) return docChanged ? value.map(changes) : value;
    return isNear || isOther ? formOf(state) : docChanged ? value.map(changes) : value;
  },
  provide: (self) => [EditorView.decorations.from(self), EditorView.atomicRanges.of((view) => view.state.field(self))],
});

/** Goes from the first line of the text into the last field of the form. */
function enter(view: EditorView): boolean {
  const { main } = view.state.selection;
  const front = frontOf(view.state.doc)?.all.to ?? -1;
  const line = view.state.doc.lineAt(main.head);
  const moved = view.moveVertically(main, false);
  if (!main.empty || line.from !== front + 1 || (moved.head >= line.from && moved.head !== main.head && moved.head !== line.from))
    return false;
  const form = view.contentDOM.querySelector('.cm-front-form');
  const shown = form === null ? undefined : views.get(form);
  shown?.focusLast();
  return shown !== undefined;
}

/** Shows the frontmatter as a form over its lines; the lines themselves are seen while the cursor is in them. */
export const frontForm: Extension = [field, Prec.high(keymap.of([{ key: 'ArrowUp', run: enter }]))];
