import { historyField, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { ChangeSet, EditorSelection, type EditorState, Transaction } from '@codemirror/state';
import type { JournalSelection, JournalStep } from '#protocol/journal-calls';
import { type LineBreaks, lineBreaksOf, readBreaks, setLineBreaks, writtenBreaks } from './line-breaks.ts';

/** Whether a transaction changes what a file would be. */
export const isStep = (transaction: Transaction): boolean =>
  transaction.docChanged || transaction.effects.some((effect) => effect.is(setLineBreaks));

/** A transaction as it is journaled: what it changes, and what the history must know of it. `isApart`: the cursor was moved before it. */
export function stepOf(transaction: Transaction, isApart = false): JournalStep {
  const { startState, state, changes, effects } = transaction;
  const { anchor, head } = startState.selection.main;
  const history = historyStep(transaction);
  const own = transaction.annotation(isolateHistory);
  const isolate = !isApart ? own : own === undefined ? 'before' : own === 'after' ? 'full' : own;
  const isReplaced = effects.some((effect) => effect.is(setLineBreaks));
  const isOdd = history !== null && lineBreaksOf(startState).odd.size + lineBreaksOf(state).odd.size > 0;
  const event = transaction.annotation(Transaction.userEvent);
  return {
    changes: changes.toJSON(),
    at: transaction.annotation(Transaction.time) ?? 0,
    cursor: [anchor, head],
    ...(event === undefined ? {} : { event }),
    ...(history === null ? {} : { history }),
    ...(transaction.annotation(Transaction.addToHistory) === false ? { unseen: true } : {}),
    ...(isolate === undefined ? {} : { isolate }),
    ...(isReplaced || isOdd ? { breaks: writtenBreaks(lineBreaksOf(state)) } : {}),
  };
}

function historyStep(transaction: Transaction): 'undo' | 'redo' | null {
  if (transaction.isUserEvent('undo')) return 'undo';
  return transaction.isUserEvent('redo') ? 'redo' : null;
}

/** Does a step again. Throws where it was made on another text. */
export function replay(before: EditorState, step: JournalStep): EditorState {
  const state = withCursor(before, step.cursor);
  const after = (step.history === undefined ? null : byHistory(state, step)) ?? byChanges(state, step);
  return step.breaks === undefined ? after : withBreaks(after, readBreaks(step.breaks));
}

/** What was taken back is taken back again, so that it can be done once more. Null where the history would do something else. */
function byHistory(state: EditorState, { history, changes }: JournalStep): EditorState | null {
  let done: Transaction | null = null;
  const dispatch = (transaction: Transaction) => {
    done = transaction;
  };
  (history === 'undo' ? undo : redo)({ state, dispatch });
  const made = done as Transaction | null;
  return made !== null && JSON.stringify(made.changes.toJSON()) === JSON.stringify(changes) ? made.state : null;
}

function byChanges(state: EditorState, { changes, at, event, unseen, isolate, breaks }: JournalStep): EditorState {
  const annotations = [
    Transaction.time.of(at),
    ...(event === undefined ? [] : [Transaction.userEvent.of(event)]),
    ...(unseen === true ? [Transaction.addToHistory.of(false)] : []),
    ...(isolate === undefined ? [] : [isolateHistory.of(isolate)]),
  ];
  const effects = breaks === undefined ? [] : [setLineBreaks.of(readBreaks(breaks))];
  return state.update({ changes: ChangeSet.fromJSON(changes), annotations, effects, filter: false }).state;
}

function withCursor(state: EditorState, [anchor, head]: JournalStep['cursor']): EditorState {
  const { main } = state.selection;
  if (main.anchor === anchor && main.head === head) return state;
  const { length } = state.doc;
  return unseen(state, EditorSelection.single(Math.min(anchor, length), Math.min(head, length)));
}

function withBreaks(state: EditorState, breaks: LineBreaks): EditorState {
  const now = lineBreaksOf(state);
  if (JSON.stringify(writtenBreaks(now)) === JSON.stringify(writtenBreaks(breaks))) return state;
  return state.update({ effects: setLineBreaks.of(breaks), annotations: Transaction.addToHistory.of(false), filter: false }).state;
}

/** A state with a selection as it was kept, as far as the text reaches. */
export function withSelection(state: EditorState, { ranges, main }: JournalSelection): EditorState {
  const near = (at: number) => Math.min(at, state.doc.length);
  const kept = ranges.map(({ anchor, head }) => EditorSelection.range(near(anchor), near(head)));
  return unseen(state, EditorSelection.create(kept, Math.min(main, kept.length - 1)));
}

const unseen = (state: EditorState, selection: EditorSelection) =>
  state.update({ selection, annotations: Transaction.addToHistory.of(false), filter: false }).state;

/** A selection as it is kept. */
export function writtenSelection({ selection: { ranges, mainIndex } }: EditorState): JournalSelection {
  return { ranges: ranges.map(({ anchor, head }) => ({ anchor, head })), main: mainIndex };
}

/** What can be taken back in a state, as it is kept; null where there is nothing. */
export function writtenHistory(state: EditorState): unknown {
  if (undoDepth(state) + redoDepth(state) === 0) return null;
  return (state.toJSON({ history: historyField }) as { history?: unknown }).history ?? null;
}
