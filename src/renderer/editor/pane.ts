import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { CommandId } from '#protocol/commands';
import { runAct } from './acts.ts';
import { type Buffer, take } from './buffer.ts';
import { lineBreaksOf } from './line-breaks.ts';
import { runInTable } from './live/table-act.ts';
import { focusedCell, settleCell } from './live/table-focus.ts';
import { fromDisk } from './lock.ts';
import { isReviewChanged } from './suggestion/review.ts';

/** The place of the page where documents are shown, one at a time. */
export interface Pane {
  /** Shows a buffer as it was left: text, cursor, scroll, undo. */
  show(buffer: Buffer): void;
  /** Takes the cursor to a line and a column, counted from 1; what is too far is the last one. */
  goTo(line: number, column: number): void;
  /** Does a command of editing; answers false where it is none of the editor's. */
  run(id: CommandId): boolean;
  /** Puts a text where the writer is, in the text or in a cell of a table, as a step of undo by itself. */
  insert(text: string): void;
  focus(): void;
  destroy(): void;
}

/** What is told of a pane. */
export interface PaneListener {
  /** A buffer's text changed in the pane, by the writer or by what is on disk. */
  edited(buffer: Buffer, isByWriter: boolean): void;
  /** Cursor, selection or text of what is shown are others now, by these transactions; none where another buffer is shown. */
  moved(buffer: Buffer, transactions?: readonly Transaction[]): void;
  /** What is suggested in what is shown became other. */
  reviewed?(): void;
  /** The writer turned to something else. */
  left(buffer: Buffer): void;
}

/** A line break of another kind is a change of the file, too. */
const changesFile = ({ docChanged, startState, state }: Transaction) => docChanged || lineBreaksOf(startState) !== lineBreaksOf(state);

/** Makes a pane in an element. */
export function createPane(parent: HTMLElement, listener: PaneListener): Pane {
  let shown: Buffer | null = null;
  const view = new EditorView({
    parent,
    dispatchTransactions(transactions, view) {
      view.update(transactions);
      if (shown === null) return;
      for (const transaction of transactions) take(shown, transaction);
      const changed = transactions.filter(changesFile);
      if (changed.length > 0) listener.edited(shown, !changed.every((transaction) => transaction.annotation(fromDisk)));
      if (transactions.some(({ startState, state }) => isReviewChanged(startState, state))) listener.reviewed?.();
      if (transactions.some(({ docChanged, selection }) => docChanged || selection !== undefined) || changed.length > 0)
        listener.moved(shown, transactions);
    },
  });
  view.contentDOM.addEventListener('blur', () => shown !== null && listener.left(shown));

  const release = () => {
    if (shown === null) return;
    shown.scroll = view.scrollSnapshot();
    shown.view = null;
    shown = null;
  };

  return {
    show(buffer) {
      if (shown === buffer) return;
      release();
      view.setState(buffer.state);
      shown = buffer;
      buffer.view = view;
      if (buffer.scroll !== null) view.dispatch({ effects: buffer.scroll });
      listener.moved(buffer);
    },
    goTo(line, column) {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      const place = Math.min(at.to, at.from + Math.max(0, column - 1));
      view.dispatch({ selection: EditorSelection.cursor(place), effects: EditorView.scrollIntoView(place, { y: 'center' }) });
      view.focus();
    },
    run(id) {
      const isDone = runInTable(view, id) || runAct(view, id);
      settleCell(view);
      return isDone;
    },
    insert: (text) => insertAt(view, text),
    focus() {
      view.focus();
      settleCell(view);
    },
    destroy() {
      release();
      view.destroy();
    },
  };
}

/** Puts a text where the writer is in an editor, in the text or in a cell of a table, as a step of undo by itself. */
export function insertAt(view: EditorView, text: string): void {
  // A cell has an editor of its own, which hears what is typed.
  if (focusedCell(view) !== null) document.execCommand('insertText', false, text);
  else
    view.dispatch(view.state.replaceSelection(text), {
      annotations: isolateHistory.of('full'),
      userEvent: 'input',
      scrollIntoView: true,
    });
}
