import { lazy, Suspense } from 'react';
import { GeniePicker } from '#renderer/ai/genie-picker.tsx';
import { LinkQuestion } from '#renderer/explorer/link-question.tsx';
import { MoveTo, NewFolder, NoTrashQuestion } from '#renderer/explorer/questions.tsx';
import { ExportDialog } from '#renderer/export/export-dialog.tsx';
import { HistoryDialog } from '#renderer/history/history-dialog.tsx';
import { StopTracking } from '#renderer/history/stop-tracking.tsx';
import { Palette } from '#renderer/palette/palette.tsx';
import { SettingsDialog } from '#renderer/settings/settings-dialog.tsx';
import { useWords } from '#renderer/words.ts';
import { Box, takeFocus } from './box.tsx';
import { CloseQuestion } from './close-question.tsx';
import { FolderPicker } from './folder-picker.tsx';
import { FormatBox } from './format-box.tsx';
import { GoalDialog } from './goal-dialog.tsx';
import { CopyDocument, NameDocument } from './name-document.tsx';
import { NewDocument } from './new-document.tsx';
import { OpenDropped, RecentFoldersDialog } from './recent-folders.tsx';
import { RecoveredTexts } from './recovered-texts.tsx';
import { useStudio } from './studio.ts';
import type { Asking } from './view.ts';

/** The picker of code, loaded when it is first asked for. */
const AnchorDialog = lazy(async () => ({ default: (await import('#renderer/code/anchor-dialog.tsx')).AnchorDialog }));

/** The question what document another is paired with, loaded when it is first asked. */
const PairDialog = lazy(async () => ({ default: (await import('#renderer/code/pair-dialog.tsx')).PairDialog }));
/** The linked repositories, loaded when they are first asked for. */
const RepositoriesDialog = lazy(async () => ({ default: (await import('#renderer/code/repositories-dialog.tsx')).RepositoriesDialog }));

/** What lies over the window and waits for an answer. */
export function Asked({ asking }: { readonly asking: Asking }) {
  if (asking.kind === 'palette') return <Palette text={asking.text} />;
  if (asking.kind === 'genie') return <GeniePicker path={asking.path} where={asking.where} />;
  if (asking.kind === 'settings') return <SettingsDialog section={asking.section} />;
  if (asking.kind === 'close') return <CloseQuestion path={asking.path} />;
  if (asking.kind === 'format') return <FormatBox key={asking.path} path={asking.path} />;
  if (asking.kind === 'history') return <HistoryDialog key={asking.path} path={asking.path} />;
  if (asking.kind === 'folder' || asking.kind === 'sample') return <FolderPicker purpose={asking.kind} />;
  if (asking.kind === 'new-document') return <NewDocument folder={asking.folder} />;
  if (asking.kind === 'name-document') return <NameDocument key={asking.path} path={asking.path} named={asking.named} />;
  if (asking.kind === 'save-copy') return <CopyDocument key={asking.path} path={asking.path} />;
  if (asking.kind === 'new-folder') return <NewFolder folder={asking.folder ?? ''} />;
  if (asking.kind === 'move-to') return <MoveTo path={asking.path} />;
  if (asking.kind === 'pair') {
    return (
      <Suspense fallback={null}>
        <PairDialog path={asking.path} />
      </Suspense>
    );
  }
  if (asking.kind === 'anchor') {
    return (
      <Suspense fallback={null}>
        <AnchorDialog path={asking.path} section={asking.section} />
      </Suspense>
    );
  }
  if (asking.kind === 'repositories') {
    return (
      <Suspense fallback={null}>
        <RepositoriesDialog />
      </Suspense>
    );
  }
  if (asking.kind === 'links') return <LinkQuestion moves={asking.moves} links={asking.links} />;
  if (asking.kind === 'no-trash') return <NoTrashQuestion paths={asking.paths} reason={asking.reason} />;
  if (asking.kind === 'stop-tracking') return <StopTracking />;
  if (asking.kind === 'recovered') return <RecoveredTexts />;
  if (asking.kind === 'export') return <ExportDialog />;
  if (asking.kind === 'recent-folders') return <RecentFoldersDialog />;
  if (asking.kind === 'open-dropped') return <OpenDropped root={asking.root} />;
  if (asking.kind === 'goal') return <GoalDialog />;
  return <About />;
}

function About() {
  const words = useWords();
  const { view } = useStudio();
  return (
    <Box title="Stemma" className="narrow">
      <p>{words('about.what')}</p>
      <p className="muted">{words('about.promise')}</p>
      <div className="acts end">
        <button type="button" className="line" ref={takeFocus} onClick={view.answered}>
          {words('dialog.close')}
        </button>
      </div>
    </Box>
  );
}
