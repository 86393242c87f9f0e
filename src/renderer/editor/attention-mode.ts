import { type EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const faded = Decoration.line({ class: 'cm-faded' });

/** The first and last line of what the writer is at: the lines around the cursor up to blank ones. */
function paragraphAround({ doc, selection }: EditorState): { readonly from: number; readonly to: number } {
  const { from, to } = selection.main;
  let first = doc.lineAt(from);
  let last = doc.lineAt(to);
  while (first.number > 1 && first.text.trim() !== '' && doc.line(first.number - 1).text.trim() !== '') first = doc.line(first.number - 1);
  while (last.number < doc.lines && last.text.trim() !== '' && doc.line(last.number + 1).text.trim() !== '')
    last = doc.line(last.number + 1);
  return { from: first.from, to: last.to };
}

function fadedLines(view: EditorView): DecorationSet {
  const here = paragraphAround(view.state);
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.to < here.from || line.from > here.to) builder.add(line.from, line.from, faded);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** Focus mode: everything fades but the paragraph that the cursor is in. While somebody composes nothing is drawn anew. */
export const focusMode: Extension = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = fadedLines(view);
      }
      update(update: ViewUpdate) {
        if (update.view.composing) this.decorations = this.decorations.map(update.changes);
        else if (update.docChanged || update.selectionSet || update.viewportChanged) this.decorations = fadedLines(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.theme({ '.cm-faded': { opacity: '.35' } }),
];

/** Typewriter mode: the line that is written in stays in the middle of the window. A pointer moves nothing. */
export const typewriterMode: Extension = [
  EditorView.updateListener.of(({ view, transactions, docChanged, selectionSet }) => {
    const isByPointer = transactions.some((transaction) => transaction.isUserEvent('select.pointer'));
    if (isByPointer || !(docChanged || selectionSet) || view.composing || !view.hasFocus) return;
    const { head } = view.state.selection.main;
    // After this update: an update must not begin another one.
    queueMicrotask(() => {
      if (view.state.selection.main.head === head) view.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'center' }) });
    });
  }),
  EditorView.theme({ '.cm-content': { paddingTop: '45vh !important', paddingBottom: '45vh !important' } }),
];
