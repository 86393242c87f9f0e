import { ReviewBar } from '#renderer/ai/review-bar.tsx';
import { RevisionNotice } from '#renderer/breakdown/revision-notice.tsx';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { FileTree } from '#renderer/explorer/file-tree.tsx';
import { SearchPanel } from '#renderer/search/search-panel.tsx';
import { useWords } from '#renderer/words.ts';
import { Beside } from './beside.tsx';
import { ChangeBar } from './change-bar.tsx';
import { ChangedOthers } from './changed-others.tsx';
import { CoherencePanel } from './coherence.tsx';
import { CompareView } from './compare-view.tsx';
import { CopyBar } from './copy-bar.tsx';
import { MergeView } from './merge-view.tsx';
import { OutlinePanel } from './outline.ts';
import { Page } from './page.tsx';
import { Part } from './part.tsx';
import { useHasSide } from './room.ts';
import { StatusBar } from './status-bar.tsx';
import { focusPage, useFront, usePreference, useStudio, useTabs, useView } from './studio.ts';
import { TitleBar } from './title-bar.tsx';
import { Welcome } from './welcome.tsx';

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
          <FileTree isHidden={side !== 'files'} />
          {side === 'outline' && <OutlinePanel />}
          {isSearching && <SearchPanel />}
        </Part>
      )}
      <div className="pages" data-beside={beside !== null}>
        <main className="page" data-region="page" tabIndex={-1} aria-label={words('regions.page')}>
          {front?.outside != null && <ChangeBar tab={front} outside={front.outside} isComparing={isComparing} isMerging={isMerging} />}
          {front?.content === 'text' && <ReviewBar path={front.path} where="front" />}
          <ChangedOthers front={front?.path ?? null} />
          {front !== undefined && <CopyBar key={front.path} path={front.path} />}
          {front !== undefined && <RevisionNotice path={front.path} answered={() => focusPage(studio)} />}
          {isComparing && <CompareView path={front.path} />}
          {isMerging && <MergeView key={front.path} path={front.path} />}
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
