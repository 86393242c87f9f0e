import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type EditorState, type StateEffect, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { fitted, hunksOf } from './hunk.ts';
import { endRun, fits, lookAt, type Mark, markSuggestions, pendingIn, type Run, reviewOf, type Suggestion } from './review.ts';

/** The suggestions that an answer makes, where they would stand now; `next` names them. */
export function suggestionsOf(run: Run, answer: string, next: () => string): readonly Suggestion[] {
  const place = (at: number, side: -1 | 1) => (run.since === null ? run.start + at : run.since.mapPos(run.start + at, side));
  const make = (from: number, to: number, inserted: string): Suggestion => {
    const start = place(from, from === to ? -1 : 1);
    const end = from === to ? start : Math.max(start, place(to, -1));
    return {
      id: next(),
      run: run.id,
      from: start,
      to: end,
      removed: run.original.slice(from, to),
      inserted,
      status: 'pending',
      takenAt: 0,
    };
  };
  if (run.action === 'replace')
    return hunksOf(run.original, fitted(run.original, answer)).map(({ from, to, inserted }) => make(from, to, inserted));
  const added = fitted('', answer);
  const end = run.original.length;
  return added === '' ? [] : [make(end, end, run.original === '' ? added : `\n\n${added}`)];
}

/** Takes suggestions: those that still fit, as one step of undo. Of two answers about the same words the one that begins first is taken. */
export function accepting(state: EditorState, suggestions: readonly Suggestion[]): TransactionSpec | null {
  const taken = apart(suggestions.filter((one) => fits(state, one)).toSorted((a, b) => a.from - b.from || a.to - b.to));
  if (taken.length === 0) return null;
  let shift = 0;
  const marks = taken.map(({ id, from, to, inserted }): Mark => {
    const start = from + shift;
    shift += inserted.length - (to - from);
    return { id, status: 'accepted', from: start, to: start + inserted.length };
  });
  return {
    changes: taken.map(({ from, to, inserted }) => ({ from, to, insert: inserted })),
    effects: [markSuggestions.of(marks), ...turning(state, taken)],
    annotations: isolateHistory.of('full'),
    userEvent: 'input.suggestion',
  };
}

/** Those of a list in order that share no text with one before them. */
function apart(suggestions: readonly Suggestion[]): Suggestion[] {
  const found: Suggestion[] = [];
  for (const one of suggestions) if (one.from >= (found.at(-1)?.to ?? 0)) found.push(one);
  return found;
}

/** Leaves suggestions, as one step of undo. */
export function rejecting(state: EditorState, suggestions: readonly Suggestion[]): TransactionSpec {
  const marks = suggestions.map(({ id, from, to }): Mark => ({ id, status: 'rejected', from, to }));
  return { effects: [markSuggestions.of(marks), ...turning(state, suggestions)], annotations: isolateHistory.of('full') };
}

/** Turns to the next suggestion that is left. */
function turning(state: EditorState, done: readonly Suggestion[]): StateEffect<unknown>[] {
  const review = reviewOf(state);
  const ids = new Set(done.map(({ id }) => id));
  if (review.current !== null && !ids.has(review.current)) return [];
  const left = pendingIn(review).filter(({ id }) => !ids.has(id));
  const last = done.at(-1)!.from;
  return [lookAt.of((left.find(({ from }) => from >= last) ?? left.at(-1))?.id ?? null)];
}

/** The suggestion that is looked at; where none is, the first behind the cursor. */
export function currentOf(state: EditorState): Suggestion | null {
  const review = reviewOf(state);
  const pending = pendingIn(review);
  const { head } = state.selection.main;
  return pending.find(({ id }) => id === review.current) ?? pending.find(({ to }) => to >= head) ?? pending[0] ?? null;
}

/** The suggestion so many further on than the one that is looked at, round in a circle. */
export function steppedFrom(state: EditorState, by: number): Suggestion | null {
  const pending = pendingIn(reviewOf(state));
  const now = currentOf(state);
  if (now === null) return null;
  const at = pending.indexOf(now);
  // Who looks at none yet goes to the one at hand first.
  const isSeen = reviewOf(state).current === now.id;
  return pending[(at + (isSeen ? by : 0) + pending.length) % pending.length] ?? null;
}

/** Shows a suggestion, with the cursor before it. */
export function showing(suggestion: Suggestion): TransactionSpec {
  const { id, from } = suggestion;
  return {
    selection: EditorSelection.cursor(from),
    effects: [lookAt.of(id), EditorView.scrollIntoView(from, { y: 'center' })],
  };
}

/** Ends an answer: with its suggestions, or without a trace where there is nothing to change. */
export function ending(run: Run, model: string | null, suggestions: readonly Suggestion[]): TransactionSpec {
  return { effects: endRun.of({ id: run.id, model, suggestions: suggestions.length === 0 ? null : suggestions }) };
}
