import type { ChangeDesc, EditorState, StateEffect } from '@codemirror/state';
import type { CallInput } from '#protocol/calls';
import type { JournalTaken } from '#protocol/journal-calls';
import { type Run, resumeTaken, reviewOf, type Suggestion } from './suggestion/review.ts';

/** Text of models that a save tells of: what stands in it, and what of earlier saves was taken back. */
export interface Acceptances {
  readonly accepted: NonNullable<CallInput<'document/save'>['accepted']>;
  readonly undone: readonly string[];
  /** The suggestions that are told of, by the answers that they are of. */
  readonly taken: ReadonlyMap<string, readonly string[]>;
  /** All suggestions whose text stands in it. */
  readonly standing: ReadonlySet<string>;
  /** How many changes by hand there had been. */
  readonly typing: number;
}

/** What the saves of a buffer have told of an answer: suggestions that the ledger has, and those that are still due. */
interface ToldAnswer {
  readonly recorded: ReadonlySet<string>;
  readonly due: { readonly suggestions: readonly string[]; readonly clean: boolean } | null;
}

/** What the saves of a buffer have told, by the answers' ids. */
export interface ToldAcceptances {
  readonly answers: ReadonlyMap<string, ToldAnswer>;
  /** What the ledger has and the last save, which is still due, has not: forgotten once that is recorded, so that it is told anew if it comes back. */
  readonly gone: ReadonlySet<string>;
  /** How many changes by hand the ledger has, and how many the last save holds. */
  readonly typing: number;
  readonly saved: number;
}

/** Before the first save. */
export const nothingTold: ToldAcceptances = { answers: new Map(), gone: new Set(), typing: 0, saved: 0 };
const untold: ToldAnswer = { recorded: new Set(), due: null };

/**
 * What a save of this moment says (`spec/format.md` §6): an answer counts as long as any text of it that was taken stands. It is `clean` if
 * nothing was typed between what is recorded and its first taking, `typed` if anything was after. What is recorded is not told again.
 */
export function acceptancesOf(state: EditorState, { answers, typing: saved }: ToldAcceptances): Acceptances {
  const { runs, suggestions, typing } = reviewOf(state);
  const standing = suggestions.filter(isStanding);
  const fresh = runs.flatMap((run) => {
    const { recorded, due } = answers.get(run.id) ?? untold;
    const taken = standing.filter((one) => one.run === run.id && !recorded.has(one.id));
    return taken.length === 0 ? [] : [{ run, due, taken, first: Math.min(...taken.map(({ takenAt }) => takenAt)) }];
  });
  const told = new Set(fresh.map(({ run }) => run.id));
  return {
    accepted: fresh.map(({ run: { id, model, kind, inputs, clean }, due, first }) => ({
      ...{ id, model, kind, inputs: [...inputs] },
      // What is due was taken before that save; what was taken back since and taken again is not, and has all that was typed before it.
      clean: due === null ? clean && first === saved : due.clean && first <= saved,
      typed: typing > first,
    })),
    undone: [...answers].filter(([id, { due }]) => due !== null && !told.has(id)).map(([id]) => id),
    taken: new Map(fresh.map(({ run, taken }) => [run.id, taken.map(({ id }) => id)])),
    standing: new Set(standing.map(({ id }) => id)),
    typing,
  };
}

/** What stands in a text and no save has told of: the ledger has none of it if the window ends now and what is due is recorded. */
export function untoldIn(state: EditorState, told: ToldAcceptances): JournalTaken[] {
  const { accepted, taken } = acceptancesOf(state, { ...told, answers: withoutGone(told) });
  if (accepted.length === 0) return [];
  const { suggestions } = reviewOf(state);
  return accepted.flatMap((acceptance) => {
    const due = told.answers.get(acceptance.id)?.due?.suggestions ?? [];
    const ids = taken.get(acceptance.id)!.filter((id) => !due.includes(id));
    const places = suggestions.filter(({ id }) => ids.includes(id)).map(({ from, to }): [number, number] => [from, to]);
    return places.length === 0 ? [] : [{ ...acceptance, places }];
  });
}

/**
 * Brings what was untold in another life of the window into a text that it ended with; undo of that life cannot say which of it is a
 * model's. `since`: what was done after a save that reached the ledger: what stood in that save is told.
 */
export function resumingTaken(
  { doc }: EditorState,
  left: readonly JournalTaken[],
  since: ChangeDesc | null = null,
): StateEffect<unknown>[] {
  const back = since?.invertedDesc;
  const isTold = ([from, to]: readonly [number, number]) =>
    back !== undefined && (from === to || back.mapPos(from, 1) < back.mapPos(to, -1));
  const untold = left
    .map((one) => ({ ...one, places: one.places.filter((place) => place[1] <= doc.length && place[0] <= place[1] && !isTold(place)) }))
    .filter(({ places }) => places.length > 0);
  if (untold.length === 0) return [];
  const typing = untold.some(({ typed }) => typed) ? 1 : 0;
  const suggestions = untold.flatMap(({ id, typed, places }) =>
    places.map(([from, to], at): Suggestion => {
      const inserted = doc.sliceString(from, to);
      return { id: `${id} ${at}`, run: id, from, to, removed: '', inserted, status: 'accepted', takenAt: typed ? 0 : typing };
    }),
  );
  return [resumeTaken.of({ runs: untold.map(endedRun), suggestions, typing })];
}

const endedRun = ({ id, kind, model, inputs, clean }: JournalTaken): Run => {
  const asked = { label: '', action: 'replace', original: '', start: 0, since: null, text: '' } as const;
  return { ...asked, id, kind, model, inputs, clean, isComing: false };
};

/** What only took something out stands as long as it is not taken back. */
const isStanding = ({ status, from, to, inserted }: Suggestion) => status === 'accepted' && (to > from || inserted === '');

/** What is remembered after a save was answered. `isRecorded` false: it is due, or the ledger refused it. */
export function toldBy(
  before: ToldAcceptances,
  { accepted, undone, taken, standing, typing }: Acceptances,
  isRecorded: boolean,
): ToldAcceptances {
  const answers = new Map(before.answers);
  for (const id of undone) answers.set(id, { recorded: answers.get(id)?.recorded ?? untold.recorded, due: null });
  for (const { id, clean } of accepted) {
    const { recorded } = answers.get(id) ?? untold;
    answers.set(id, { recorded, due: { suggestions: taken.get(id) ?? [], clean } });
  }
  const known = [...answers.values()].flatMap(({ recorded }) => [...recorded]);
  const next: ToldAcceptances = { answers, gone: new Set(known.filter((id) => !standing.has(id))), typing: before.typing, saved: typing };
  return isRecorded ? allRecorded(next) : next;
}

/** What is remembered once everything due is recorded. */
export function allRecorded({ answers, gone, saved }: ToldAcceptances): ToldAcceptances {
  const settled = ({ recorded, due }: ToldAnswer): ToldAnswer => ({
    recorded: new Set([...recorded, ...(due?.suggestions ?? [])]),
    due: null,
  });
  const left = withoutGone({ answers, gone });
  return { answers: new Map([...left].map(([id, answer]) => [id, settled(answer)])), gone: nothingTold.gone, typing: saved, saved };
}

function withoutGone({ answers, gone }: Pick<ToldAcceptances, 'answers' | 'gone'>): ToldAcceptances['answers'] {
  const left = ({ recorded, due }: ToldAnswer): ToldAnswer => ({ recorded: new Set([...recorded].filter((id) => !gone.has(id))), due });
  return new Map([...answers].map(([id, answer]) => [id, left(answer)]));
}
