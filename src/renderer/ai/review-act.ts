import type { TransactionSpec } from '@codemirror/state';
import { type Buffer, transact } from '#renderer/editor/buffer.ts';
import { accepting, currentOf, rejecting, showing, steppedFrom } from '#renderer/editor/suggestion/act.ts';
import { fits, pendingIn, reviewOf } from '#renderer/editor/suggestion/review.ts';
import { focusPage, type Studio } from '#renderer/ui/studio.ts';
import { say } from '#renderer/words.ts';

/** What can be done with the suggestions of the document in front. */
export type ReviewAct = 'accept' | 'reject' | 'accept-all' | 'reject-all' | 'next' | 'previous';

/** Does it, and says what came of it to those who cannot see it. */
export function actOnReview(studio: Studio, act: ReviewAct): void {
  const { active } = studio.documents.tabs.getState();
  const buffer = active === null ? undefined : studio.documents.bufferOf(active);
  const current = buffer === undefined ? null : currentOf(buffer.state);
  if (buffer === undefined || current === null) studio.view.announce(say('review.none'));
  else if (act === 'next' || act === 'previous') step(studio, buffer, act === 'next' ? 1 : -1);
  else decide(studio, buffer, act);
}

function step(studio: Studio, buffer: Buffer, by: number): void {
  const next = steppedFrom(buffer.state, by);
  if (next === null) return;
  transact(buffer, showing(next));
  studio.view.announce(spoken(buffer, next.id));
  focusPage(studio);
}

function decide(studio: Studio, buffer: Buffer, act: Exclude<ReviewAct, 'next' | 'previous'>): void {
  const spec = specOf(buffer, act);
  if (spec === null) {
    studio.view.notify(say('review.unfit'));
    return;
  }
  transact(buffer, spec);
  const now = currentOf(buffer.state);
  const left = pendingIn(reviewOf(buffer.state)).length;
  const done = say(`review.${act}-said`, { count: left });
  studio.view.announce(now === null || act.endsWith('all') ? done : `${done} ${spoken(buffer, now.id)}`);
}

function specOf({ state }: Buffer, act: Exclude<ReviewAct, 'next' | 'previous'>): TransactionSpec | null {
  const pending = pendingIn(reviewOf(state));
  const one = [currentOf(state)!];
  if (act === 'accept') return accepting(state, one);
  if (act === 'accept-all') return accepting(state, pending);
  return rejecting(state, act === 'reject' ? one : pending);
}

/** A suggestion in words: where it stands among the others, what would go, what would come. */
function spoken({ state }: Buffer, id: string): string {
  const pending = pendingIn(reviewOf(state));
  const at = pending.findIndex((one) => one.id === id);
  const { removed, inserted } = pending[at]!;
  const kind = removed.trim() === '' ? 'adds' : inserted.trim() === '' ? 'removes' : 'replaces';
  const place = say('review.place', { at: at + 1, total: pending.length });
  const change = say(`review.${kind}`, { removed: removed.trim(), inserted: inserted.trim() });
  return [place, change, fits(state, pending[at]!) ? '' : say('review.unfit')].filter(Boolean).join(' ');
}
