// The yardstick of `bench:editor`: the same CodeMirror as ours, without a language and without anything around it.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';

/** What the bench asks of the page. */
export interface PlainPage {
  openPlain(text: string): void;
  /** Puts the cursor at a share of the text. */
  place(share: number): void;
}

let view: EditorView | null = null;

const page: PlainPage = {
  openPlain(doc) {
    const extensions = [history(), drawSelection(), EditorView.lineWrapping, keymap.of([...historyKeymap, ...defaultKeymap])];
    view = new EditorView({ parent: document.body, state: EditorState.create({ doc, extensions }) });
    view.dom.style.height = '100vh';
    view.focus();
  },
  place(share) {
    if (view === null) return;
    const { doc } = view.state;
    const { from } = doc.lineAt(Math.floor(doc.length * share));
    view.dispatch({ selection: { anchor: share === 1 ? doc.length : from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    view.focus();
  },
};

Object.assign(window, page);
