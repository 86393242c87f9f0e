import type { EditorState, TransactionSpec } from '@codemirror/state';
import { type Buffer, transact } from '#renderer/editor/buffer.ts';
import { accepting, currentOf, rejecting, showing, steppedFrom } from '#renderer/editor/suggestion/act.ts';
import { fits, pendingIn, reviewOf } from '#renderer/editor/suggestion/review.ts';
import { focusPage, type Studio } from '#renderer/ui/studio.ts';
import { say } from '#renderer/words.ts';

/** What can be done with the suggestions of a document. */
export type ReviewAct = 'accept' | 'reject' | 'accept-all' | 'reject-all' | 'next' | 'previous';

/** Which of two editors is meant: the page, or the second one. */
export type ReviewPlace = 'front' | 'beside';

/** The editor that is in use: the second one while it has the focus. */
export const placeInUse = ({ beside }: Studio): ReviewPlace => (beside?.hasFocus() === true ? 'beside' : 'front');

/** Does it in an editor, the one in use unless another is named, and says what came of it to those who cannot see it. */
export function actOnReview(studio: Studio, act: ReviewAct, where: ReviewPlace = placeInUse(studio)): void {
  const desk = deskOf(studio, where);
  if (desk === null || currentOf(desk.state()) === null) studio.view.announce(say('review.none'));
  else if (act === 'next' || act === 'previous') step(studio, desk, act === 'next' ? 1 : -1);
  else decide(studio, desk, act);
}

/** A document where it is shown, with the cursor of that place. */
interface Desk {
  state(): EditorState;
  dispatch(spec: TransactionSpec): void;
  focus(): void;
}

function deskOf(studio: Studio, where: ReviewPlace): Desk | null {
  if (where === 'beside') return studio.beside;
  const { active } = studio.documents.tabs.getState();
  const buffer = active === null ? undefined : studio.documents.bufferOf(active);
  return buffer === undefined ? null : deskOfPage(studio, buffer);
}

const deskOfPage = (studio: Studio, buffer: Buffer): Desk => ({
  state: () => buffer.state,
  dispatch: (spec) => transact(buffer, spec),
  focus: () => focusPage(studio),
});

function step({ view }: Studio, desk: Desk, by: number): void {
  const next = steppedFrom(desk.state(), by);
  if (next === null) return;
  desk.dispatch(showing(next));
  view.announce(spoken(desk.state(), next.id));
  desk.focus();
}

function decide({ view }: Studio, desk: Desk, act: Exclude<ReviewAct, 'next' | 'previous'>): void {
  const spec = specOf(desk.state(), act);
  if (spec === null) {
    view.notify(say('review.unfit'));
    return;
  }
  desk.dispatch(spec);
  const now = currentOf(desk.state());
  const left = pendingIn(reviewOf(desk.state())).length;
  const done = say(`review.${act}-said`, { count: left });
  view.announce(now === null || act.endsWith('all') ? done : `${done} ${spoken(desk.state(), now.id)}`);
}

function specOf(state: EditorState, act: Exclude<ReviewAct, 'next' | 'previous'>): TransactionSpec | null {
  const pending = pendingIn(reviewOf(state));
  const one = [currentOf(state)!];
  if (act === 'accept') return accepting(state, one);
  if (act === 'accept-all') return accepting(state, pending);
  return rejecting(state, act === 'reject' ? one : pending);
}

/** A suggestion in words: where it stands among the others, what would go, what would come. */
function spoken(state: EditorState, id: string): string {
  const pending = pendingIn(reviewOf(state));
  const at = pending.findIndex((one) => one.id === id);
  const { removed, inserted } = pending[at]!;
  const kind = removed.trim() === '' ? 'adds' : inserted.trim() === '' ? 'removes' : 'replaces';
  const place = say('review.place', { at: at + 1, total: pending.length });
  const change = say(`review.${kind}`, { removed: removed.trim(), inserted: inserted.trim() });
  return [place, change, fits(state, pending[at]!) ? '' : say('review.unfit')].filter(Boolean).join(' ');
}
