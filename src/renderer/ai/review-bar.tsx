import { useStore } from 'zustand';
import { currentOf } from '#renderer/editor/suggestion/act.ts';
import { pendingIn, reviewOf } from '#renderer/editor/suggestion/review.ts';
import { shownKey } from '#renderer/palette/keys.ts';
import { useStudio } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { actOnReview, type ReviewAct, type ReviewPlace } from './review-act.ts';
import './ai.css';

/** What is suggested in a document, and what can be done with it where that is shown. Nothing where nothing is. */
export function ReviewBar({ path, where }: { readonly path: string; readonly where: ReviewPlace }) {
  const words = useWords();
  const studio = useStudio();
  useStore(studio.models.store, ({ turn }) => turn);
  const activities = useStore(studio.models.store, (state) => state.activities);
  const buffer = studio.documents.bufferOf(path);
  const review = buffer === undefined ? null : reviewOf(buffer.state);
  const pending = review === null ? [] : pendingIn(review);
  const coming = activities.filter((one) => one.buffer === buffer);
  if (buffer === undefined || review === null || (pending.length === 0 && coming.length === 0)) return null;
  const current = currentOf(buffer.state);
  const run = review.runs.find(({ id }) => id === (current ?? pending[0])?.run);
  const at = current === null ? 0 : pending.indexOf(current) + 1;
  return (
    <section className="review-bar" aria-label={words(where === 'front' ? 'review.region' : 'review.region-beside')}>
      {coming.map((one) => (
        <p key={one.run} className="review-coming">
          <span className="review-dot" aria-hidden="true" />
          <b>{one.label}</b>
          <span className="muted">
            {one.waits === null ? words('review.coming', { count: one.characters }) : words('review.waits', { count: one.waits })}
          </span>
          <button type="button" className="line" onClick={() => void studio.models.cancel(one.run)}>
            {words('review.cancel')}
          </button>
        </p>
      ))}
      {pending.length > 0 && (
        <div className="review-acts">
          <p>
            <b>{run?.label}</b> <span className="muted">{words('review.place', { at, total: pending.length })}</span>
            {run?.model != null && <span className="faint small"> · {run.model}</span>}
          </p>
          <div className="acts">
            {acts.map((act) => (
              <Act key={act} act={act} where={where} />
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

const none: readonly string[] = [];
const acts: readonly ReviewAct[] = ['previous', 'next', 'accept', 'reject', 'accept-all', 'reject-all'];

function Act({ act, where }: { readonly act: ReviewAct; readonly where: ReviewPlace }) {
  const words = useWords();
  const studio = useStudio();
  const [key] = useStore(studio.preferences.keys, ({ keymap }) => keymap.get(`ai.${act}`) ?? none);
  return (
    <button type="button" className={act === 'accept' ? 'solid' : 'line'} onClick={() => actOnReview(studio, act, where)}>
      {words(`review.${act}`)}
      {key !== undefined && <kbd className="wide">{shownKey(key, studio.isMac)}</kbd>}
    </button>
  );
}

/** What is on its way in documents that are not in front, with Cancel, for the bar at the foot. */
export function AiActivity() {
  const words = useWords();
  const { models } = useStudio();
  const activities = useStore(models.store, (state) => state.activities);
  const [first] = activities;
  if (first === undefined) return null;
  return (
    <span className="ai-activity">
      <span>{words('review.activity', { count: activities.length, label: first.label })}</span>
      <button type="button" className="quiet" onClick={() => activities.forEach(({ run }) => void models.cancel(run))}>
        {words('review.cancel')}
      </button>
    </span>
  );
}
