import { isolateHistory, redo, undo } from '@codemirror/commands';
import { Annotation, EditorSelection, EditorState, StateEffect, Transaction, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { JournalSelection } from '#protocol/journal-calls';
import { runAct } from './acts.ts';
import { type Buffer, take, transact } from './buffer.ts';
import { withSelection, writtenSelection } from './journal-step.ts';
import { lineBreaksOf } from './line-breaks.ts';
import { runInTable } from './live/table-act.ts';
import { settleCell } from './live/table-focus.ts';
import { fromDisk, locked } from './lock.ts';
import { insertAt, type Pane, type PaneListener } from './pane.ts';
import { scrollToCharacter, topCharacter } from './scroll.ts';
import { createState, type Surroundings } from './setup.ts';
import { isReviewAct, reviewOf, showReview } from './suggestion/review.ts';

/** A second place where a buffer is shown: with a cursor and a scroll of its own, and with the buffer's text and history. */
export interface Mirror extends Pick<Pane, 'run' | 'insert' | 'focus' | 'destroy'> {
  /** Changes how it is shown. */
  apply(effects: readonly StateEffect<unknown>[]): void;
  /** Its own state: the cursor is not the buffer's. */
  state(): EditorState;
  /** Does something here, and to the buffer what is about its text. */
  dispatch(spec: TransactionSpec): void;
  hasFocus(): boolean;
  /** The buffer that it shows. */
  readonly buffer: Buffer;
  /** Where the writer is in it. */
  place(): MirrorPlace;
  /** Takes it where the writer was. */
  putBack(place: MirrorPlace): void;
}

/** Where the writer is in a second editor: what is selected, and the character at its top. */
export interface MirrorPlace {
  readonly selection: JournalSelection;
  readonly top: number;
}

/** Marks a change that came from the buffer. */
const mirrored = Annotation.define<true>();

/** Shows a buffer a second time. What is typed here is typed into the buffer, and what becomes of the buffer is seen here at once. */
export function createMirror(
  parent: HTMLElement,
  buffer: Buffer,
  around: Surroundings,
  listener: Pick<PaneListener, 'edited' | 'left' | 'reviewed'>,
): Mirror {
  let isOurs = false;
  const view = new EditorView({
    parent,
    state: mirrorState(buffer, around),
    dispatchTransactions(transactions, view) {
      view.update(transactions);
      for (const transaction of transactions) if (transaction.annotation(mirrored) !== true) forward(transaction);
    },
  });
  /** Where the buffer is shown, that place tells of its changes. */
  const inBuffer = (act: () => void) => {
    const { doc } = buffer.state;
    act();
    if (buffer.view === null && buffer.state.doc !== doc) listener.edited(buffer, true);
  };
  const forward = (transaction: Transaction) => {
    const effects = transaction.effects.filter(isReviewAct);
    if (!transaction.docChanged && effects.length === 0) return;
    isOurs = true;
    const userEvent = transaction.annotation(Transaction.userEvent) ?? 'input';
    const isolate = transaction.annotation(isolateHistory);
    const annotations = isolate === undefined ? [] : [isolateHistory.of(isolate)];
    inBuffer(() => transact(buffer, { changes: transaction.changes, effects, userEvent, annotations }));
    isOurs = false;
  };
  const follow = ({ docChanged, changes }: Transaction) => {
    const review = reviewOf(buffer.state);
    const isOther = review !== reviewOf(view.state);
    const shown = { effects: isOther ? [showReview.of(review)] : [], annotations: [mirrored.of(true), fromDisk.of(true)] };
    if (docChanged && !isOurs) view.dispatch({ changes, ...shown });
    else if (isOther) view.dispatch(shown);
    if (isOther) listener.reviewed?.();
  };
  const inHistory = (command: typeof undo) => {
    const dispatch = (transaction: Transaction) => {
      if (buffer.view === null) take(buffer, transaction);
      else buffer.view.dispatch(transaction);
      const at = endOf(transaction);
      if (at !== null) view.dispatch({ selection: EditorSelection.cursor(at), scrollIntoView: true });
    };
    inBuffer(() => command({ state: buffer.state, dispatch }));
  };
  buffer.mirrors.add(follow);
  view.contentDOM.addEventListener('blur', () => listener.left(buffer));
  return {
    buffer,
    place: () => ({ selection: writtenSelection(view.state), top: Math.max(0, topCharacter(view)) }),
    putBack({ selection, top }) {
      view.dispatch({ selection: withSelection(view.state, selection).selection });
      scrollToCharacter(view, top);
    },
    apply: (effects) => view.dispatch({ effects }),
    state: () => view.state,
    dispatch: (spec) => view.dispatch(spec),
    hasFocus: () => view.dom.contains(view.dom.ownerDocument.activeElement),
    run(id) {
      if (id === 'edit.undo' || id === 'edit.redo') {
        inHistory(id === 'edit.undo' ? undo : redo);
        return true;
      }
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
      buffer.mirrors.delete(follow);
      view.destroy();
    },
  };
}

/** Here nothing is kept of the history: it is the buffer's. */
const withoutHistory = EditorState.transactionExtender.of(() => ({ annotations: Transaction.addToHistory.of(false) }));

function mirrorState({ state, path, readOnly }: Buffer, around: Surroundings): EditorState {
  const fresh = createState({ doc: state.doc, breaks: lineBreaksOf(state) }, around, path);
  const own = readOnly === null ? withoutHistory : [withoutHistory, locked];
  const effects = [StateEffect.appendConfig.of(own), showReview.of(reviewOf(state))];
  return fresh.update({ selection: EditorSelection.cursor(state.selection.main.head), effects }).state;
}

/** Where the last change of a transaction ends; null where it changes nothing. */
function endOf({ changes }: Transaction): number | null {
  let end: number | null = null;
  changes.iterChangedRanges((_, __, ___, to) => {
    end = to;
  });
  return end;
}
