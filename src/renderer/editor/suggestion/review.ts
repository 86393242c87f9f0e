import { invertedEffects } from '@codemirror/commands';
import { type ChangeDesc, type EditorState, type Extension, StateEffect, StateField, type Transaction } from '@codemirror/state';
import type { StartedRun } from '#protocol/ai-calls';
import { opened } from '../live/attention.ts';
import { fromDisk } from '../lock.ts';

/** An answer about a part of a document, coming or come. */
export interface Run {
  readonly id: string;
  /** What was asked: a genie’s name, or the writer’s words. */
  readonly label: string;
  readonly kind: 'genie' | 'ai-suggestion';
  readonly inputs: StartedRun['inputs'];
  /** Whether nothing was unsaved when it was asked, and all that was read is pinned. */
  readonly clean: boolean;
  readonly action: 'replace' | 'insert';
  /** What was asked about, as it was then. */
  readonly original: string;
  /** Where that began, and what has changed in the document since. */
  readonly start: number;
  readonly since: ChangeDesc | null;
  /** As far as it has come. */
  readonly text: string;
  readonly model: string | null;
  readonly isComing: boolean;
}

/** One part of an answer, to be taken or left by itself. `from` and `to`: what it would replace; once taken, where its text stands. */
export interface Suggestion {
  readonly id: string;
  readonly run: string;
  readonly from: number;
  readonly to: number;
  readonly removed: string;
  readonly inserted: string;
  readonly status: 'pending' | 'accepted' | 'rejected';
  /** How many changes by hand there had been when it was taken. */
  readonly takenAt: number;
}

/** All answers about a document, the suggestion that is looked at, and how many changes by hand there have been. */
export interface Review {
  readonly runs: readonly Run[];
  readonly suggestions: readonly Suggestion[];
  readonly current: string | null;
  readonly typing: number;
}

/** A suggestion that becomes another: its status, and where it is after the transaction. */
export interface Mark {
  readonly id: string;
  readonly status: Suggestion['status'];
  readonly from: number;
  readonly to: number;
}

/** Begins an answer. */
export const beginRun = StateEffect.define<Run>();
/** Tells how far it has come. */
export const growRun = StateEffect.define<{ readonly id: string; readonly text: string }>();
/** Ends it: with suggestions, or (null) without a trace. */
export const endRun = StateEffect.define<{
  readonly id: string;
  readonly model: string | null;
  readonly suggestions: readonly Suggestion[] | null;
}>();
/** Takes, leaves, or puts back suggestions; undo and redo say the same. */
export const markSuggestions = StateEffect.define<readonly Mark[]>({
  map: (marks, changes) => marks.map((mark) => ({ ...mark, ...mapped(mark, changes) })),
});
/** Brings back what was taken in another life of the window. */
export const resumeTaken = StateEffect.define<Omit<Review, 'current'>>();
/** Turns to a suggestion. */
export const lookAt = StateEffect.define<string | null>();
/** Shows the answers as another view of the same text has them. */
export const showReview = StateEffect.define<Review>();
/** Whether it says what becomes of a suggestion, or which is looked at. */
export const isReviewAct = (effect: StateEffect<unknown>): boolean => effect.is(markSuggestions) || effect.is(lookAt);

const empty: Review = { runs: [], suggestions: [], current: null, typing: 0 };
/** How many answers are remembered, so that undo can bring theirs back. */
const most = 60;

/** Text that is added at an edge is not the suggestion’s. */
function mapped({ from, to }: { readonly from: number; readonly to: number }, changes: ChangeDesc) {
  if (from === to) {
    const at = changes.mapPos(from, -1);
    return { from: at, to: at };
  }
  const start = changes.mapPos(from, 1);
  return { from: start, to: Math.max(start, changes.mapPos(to, -1)) };
}

function moved(review: Review, transaction: Transaction): Review {
  const { changes, effects } = transaction;
  const isByHand = transaction.annotation(fromDisk) !== true && !effects.some((effect) => effect.is(markSuggestions));
  return {
    ...review,
    runs: !review.runs.some(({ isComing }) => isComing)
      ? review.runs
      : review.runs.map((run) => (run.isComing ? { ...run, since: run.since?.composeDesc(changes.desc) ?? changes.desc } : run)),
    suggestions: review.suggestions.map((one) => ({ ...one, ...mapped(one, changes.desc) })),
    typing: review.typing + (isByHand ? 1 : 0),
  };
}

function changedBy(review: Review, effect: StateEffect<unknown>): Review {
  if (effect.is(beginRun)) return { ...review, runs: [...review.runs.slice(-most + 1), effect.value] };
  if (effect.is(growRun)) {
    const { id, text } = effect.value;
    return { ...review, runs: review.runs.map((run) => (run.id === id ? { ...run, text } : run)) };
  }
  if (effect.is(endRun)) return ended(review, effect.value);
  if (effect.is(resumeTaken)) return resumed(review, effect.value);
  if (effect.is(lookAt)) return { ...review, current: effect.value };
  if (!effect.is(markSuggestions)) return review;
  const marks = new Map(effect.value.map((mark) => [mark.id, mark]));
  const suggestions = review.suggestions.map((one) => {
    const mark = marks.get(one.id);
    return mark === undefined
      ? one
      : { ...one, ...mark, takenAt: mark.status === 'accepted' && one.status !== 'accepted' ? review.typing : one.takenAt };
  });
  return { ...review, suggestions };
}

function resumed(review: Review, { runs, suggestions, typing }: Omit<Review, 'current'>): Review {
  const others = review.suggestions.filter(({ run }) => !runs.some(({ id }) => id === run));
  return {
    ...review,
    runs: [...review.runs.filter(({ id }) => !runs.some((run) => run.id === id)), ...runs],
    suggestions: [...others, ...suggestions].sort((a, b) => a.from - b.from),
    typing: Math.max(review.typing, typing),
  };
}

function ended(
  review: Review,
  { id, model, suggestions }: { id: string; model: string | null; suggestions: readonly Suggestion[] | null },
): Review {
  if (suggestions === null) return { ...review, runs: review.runs.filter((run) => run.id !== id) };
  return {
    ...review,
    runs: review.runs.map((run) => (run.id === id ? { ...run, model, isComing: false } : run)),
    suggestions: [...review.suggestions, ...suggestions].sort((a, b) => a.from - b.from),
    current: review.current ?? suggestions[0]?.id ?? null,
  };
}

const field = StateField.define<Review>({
  create: () => empty,
  update(review, transaction) {
    for (const effect of transaction.effects) if (effect.is(showReview)) return effect.value;
    const isIdle = review.runs.length === 0 && !transaction.effects.some((effect) => effect.is(beginRun) || effect.is(resumeTaken));
    // Counted from the first answer on: before it there is nothing that could be taken.
    if (isIdle) return review;
    let next = transaction.docChanged ? moved(review, transaction) : review;
    for (const effect of transaction.effects) next = changedBy(next, effect);
    return next;
  },
  provide: (self) => opened.compute([self], (state) => pendingIn(state.field(self))),
});

/** The answers about a document. */
export const reviewOf = (state: EditorState): Review => state.field(field, false) ?? empty;

const places = new WeakMap<readonly Suggestion[], readonly Suggestion[]>();
const nothing: readonly Suggestion[] = [];

/** The suggestions that are neither taken nor left; the same list as long as there are no others. */
export function pendingIn({ suggestions }: Review): readonly Suggestion[] {
  let known = places.get(suggestions);
  if (known === undefined) {
    known = suggestions.filter(({ status }) => status === 'pending');
    if (known.length === 0) known = nothing;
    places.set(suggestions, known);
  }
  return known;
}

/** Whether what is asked or suggested became other between two states, as far as it is shown beside the text. */
export function isReviewChanged(before: EditorState, after: EditorState): boolean {
  const [old, now] = [reviewOf(before), reviewOf(after)];
  return old !== now && (old.runs !== now.runs || old.current !== now.current || pendingIn(old) !== pendingIn(now));
}

/** Whether a suggestion is still about what stands in the text: nothing is applied over what was changed. */
export const fits = ({ doc }: EditorState, { from, to, removed }: Suggestion): boolean => doc.sliceString(from, to) === removed;

/** Keeps the answers about a document true through edits, undo and redo. */
export const review: Extension = [
  field,
  invertedEffects.of((transaction) => {
    const { suggestions } = reviewOf(transaction.startState);
    if (suggestions.length === 0) return [];
    const ids = new Set(transaction.effects.flatMap((effect) => (effect.is(markSuggestions) ? effect.value.map(({ id }) => id) : [])));
    const before = suggestions.filter((one) => ids.has(one.id) || isCut(one, transaction));
    return before.length === 0 ? [] : [markSuggestions.of(before.map(({ id, status, from, to }) => ({ id, status, from, to })))];
  }),
];

/** Whether a change takes away a part of where a suggestion stands: what undo brings back is the suggestion’s again. */
function isCut(one: Suggestion, { docChanged, changes }: Transaction): boolean {
  if (!docChanged || one.status === 'rejected' || one.from === one.to) return false;
  const { from, to } = mapped(one, changes);
  return to - from < one.to - one.from;
}
