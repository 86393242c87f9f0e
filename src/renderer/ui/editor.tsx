import { lazy, Suspense } from 'react';
import { ReviewBar } from '#renderer/ai/review-bar.tsx';
import { RevisionNotice } from '#renderer/breakdown/revision-notice.tsx';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { closeSearch } from '#renderer/search/opening.ts';
import { useWords } from '#renderer/words.ts';
import { Beside } from './beside.tsx';
import { ChangeBar } from './change-bar.tsx';
import { ChangedOthers } from './changed-others.tsx';
import { CoherencePanel } from './coherence.tsx';
import { CopyBar } from './copy-bar.tsx';
import { EarlyField } from './early-field.tsx';
import { OutlinePanel } from './outline.ts';
import { Page } from './page.tsx';
import { Part } from './part.tsx';
import { useHasSide } from './room.ts';
import { afterStart } from './start.ts';
import { StatusBar } from './status-bar.tsx';
import { focusPage, useFront, usePreference, useStudio, useTabs, useView } from './studio.ts';
import { TitleBar } from './title-bar.tsx';
import { Welcome } from './welcome.tsx';
// The part at the left has its place before it is loaded.
import '#renderer/explorer/explorer.css';

const CompareView = lazy(async () => ({ default: (await import('./compare-view.tsx')).CompareView }));
const MergeView = lazy(async () => ({ default: (await import('./merge-view.tsx')).MergeView }));
const SearchPanel = lazy(async () => ({ default: (await import('#renderer/search/search-panel.tsx')).SearchPanel }));
/** The text is there before the tree of the files. */
const FileTree = lazy(async () => {
  await afterStart;
  return { default: (await import('#renderer/explorer/file-tree.tsx')).FileTree };
});

/** Where the search is still to come and was asked for, it has what is typed; where the window begins with it, the text does. */
function SearchLoading() {
  const studio = useStudio();
  const isAsked = studio.search.store.getState().turn > 0;
  return <section className="side search">{isAsked && <EarlyField leave={() => closeSearch(studio)} />}</section>;
}

/** The editor's window: title bar, files, page, coherence, status bar. */
export function Editor() {
  const words = useWords();
  const studio = useStudio();
  const front = useFront();
  // Where there is no room the files are only hidden: what is unfolded in them stays so.
  const isSideWanted = usePreference('view.sidebar');
  const hasSide = useHasSide();
  const hasPanel = usePreference('view.coherence');
  const side = useView((view) => view.side);
  const isSearching = side === 'search';
  const comparing = useView((view) => view.comparing);
  const merging = useView((view) => view.merging);
  const beside = useTabs((tabs) => tabs.beside);
  const isChanged = front?.outside === 'changed';
  const isComparing = isChanged && comparing === front.path;
  const isMerging = isChanged && merging === front.path;
  return (
    <div className="frame" data-side={hasSide} data-searching={isSearching} data-panel={hasPanel}>
      <TitleBar />
      {isSideWanted && (
        <Part>
          <Suspense fallback={<div className="side" hidden={side !== 'files'} />}>
            <FileTree isHidden={side !== 'files'} />
          </Suspense>
          {side === 'outline' && <OutlinePanel />}
          {isSearching && (
            <Suspense fallback={<SearchLoading />}>
              <SearchPanel />
            </Suspense>
          )}
        </Part>
      )}
      <div className="pages" data-beside={beside !== null}>
        <main className="page" data-region="page" tabIndex={-1} aria-label={words('regions.page')}>
          {front?.outside != null && <ChangeBar tab={front} outside={front.outside} isComparing={isComparing} isMerging={isMerging} />}
          {front?.content === 'text' && <ReviewBar path={front.path} where="front" />}
          <ChangedOthers front={front?.path ?? null} />
          {front !== undefined && <CopyBar key={front.path} path={front.path} />}
          {front !== undefined && <RevisionNotice path={front.path} answered={() => focusPage(studio)} />}
          {isComparing && (
            <Part>
              <CompareView path={front.path} />
            </Part>
          )}
          {isMerging && (
            <Part>
              <MergeView key={front.path} path={front.path} />
            </Part>
          )}
          {front === undefined ? <Welcome /> : <Page tab={front} isHidden={isComparing || isMerging} />}
        </main>
        {beside !== null && (
          <Part>
            <Beside path={beside} />
          </Part>
        )}
      </div>
      {hasPanel && (
        <aside className="panel" data-region="coherence" tabIndex={-1} aria-label={words('regions.coherence')}>
          {front === undefined || isUntitled(front.path) ? (
            <p className="muted">{words(front === undefined ? 'coherence.none' : 'coherence.untitled')}</p>
          ) : (
            <Part>
              <CoherencePanel path={front.path} />
            </Part>
          )}
        </aside>
      )}
      <StatusBar />
    </div>
  );
}
