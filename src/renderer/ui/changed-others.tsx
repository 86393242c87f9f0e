import { useMemo } from 'react';
import { useWords } from '#renderer/words.ts';
import { focusPage, useStudio, useTabs } from './studio.ts';

/** So many documents are named; the others are counted. */
const named = 6;

/** Says which other open documents somebody else wrote over unsaved changes, as when git checks out another branch, and lets all be decided at once. */
export function ChangedOthers({ front }: { readonly front: string | null }) {
  const words = useWords();
  const studio = useStudio();
  const { documents } = studio;
  const tabs = useTabs((state) => state.tabs);
  const changed = useMemo(() => tabs.filter((tab) => tab.outside === 'changed').map(({ path }) => path), [tabs]);
  const others = changed.filter((path) => path !== front);
  if (others.length === 0) return null;
  const all = (act: (path: string) => void) => () => {
    for (const path of changed) act(path);
    focusPage(studio);
  };
  return (
    <section className="change-bar" data-region="changed-others" tabIndex={-1} aria-label={words('change.others-region')}>
      <p>
        {words('change.others', { count: others.length })}{' '}
        {others.slice(0, named).map((path) => (
          <button type="button" className="quiet" key={path} onClick={() => documents.activate(path)}>
            {path}
          </button>
        ))}
        {others.length > named && words('change.more', { count: others.length - named })}
      </p>
      <div className="acts">
        <button type="button" className="line" onClick={all(documents.keepMine)}>
          {words('change.keep-all', { count: changed.length })}
        </button>
        <button type="button" className="line" onClick={all(documents.takeTheirs)}>
          {words('change.take-all', { count: changed.length })}
        </button>
      </div>
    </section>
  );
}
