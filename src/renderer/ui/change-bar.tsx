import type { Tab } from '#renderer/editor/documents.ts';
import { useWords } from '#renderer/words.ts';
import { focusPage, useStudio } from './studio.ts';

interface ChangeBarProps {
  readonly tab: Tab;
  readonly outside: 'changed' | 'removed';
  readonly isComparing: boolean;
  readonly isMerging: boolean;
}

/** Says that somebody else wrote or removed the document in front, and waits for the writer to choose. Nothing is written until then. */
export function ChangeBar({ tab: { path }, outside, isComparing, isMerging }: ChangeBarProps) {
  const words = useWords();
  const studio = useStudio();
  const { documents, view } = studio;
  const decide = (act: (path: string) => void) => () => {
    act(path);
    view.compare(null);
    focusPage(studio);
  };
  return (
    <section className="change-bar" data-region="change" tabIndex={-1} aria-label={words('change.region')}>
      <p>{words(`change.${outside}`, { path })}</p>
      {outside === 'changed' ? (
        <div className="acts">
          <button type="button" className="line" aria-pressed={isComparing} onClick={() => view.compare(isComparing ? null : path)}>
            {words('change.compare')}
          </button>
          <button type="button" className="line" onClick={decide(documents.keepMine)}>
            {words('change.keep-mine')}
          </button>
          <button type="button" className="line" onClick={decide(documents.takeTheirs)}>
            {words('change.take-theirs')}
          </button>
          <button type="button" className="line" aria-pressed={isMerging} onClick={() => view.merge(isMerging ? null : path)}>
            {words('change.merge')}
          </button>
        </div>
      ) : (
        <div className="acts">
          <button type="button" className="line" onClick={decide((removed) => void documents.save(removed))}>
            {words('change.save-again')}
          </button>
          <button type="button" className="line" onClick={() => documents.close(path)}>
            {words('tab.close-short')}
          </button>
        </div>
      )}
    </section>
  );
}
