import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import type { RecentFolder } from '#protocol/app-data-calls';
import { useWords } from '#renderer/words.ts';
import { Box, takeFocus } from './box.tsx';
import { folderName, openFolderAt, useRecentFolders } from './recent-folder.ts';
import { useStudio } from './studio.ts';

/** Chooses among the folders that were open before. Those that are gone are shown as such, and Delete takes one off the list. */
export function RecentFoldersDialog() {
  const words = useWords();
  const studio = useStudio();
  const { folders, forget } = useRecentFolders();
  const [problem, setProblem] = useState<string | null>(null);
  const open = async ({ root, isThere }: RecentFolder) => {
    if (!isThere) return setProblem(words('recent.gone', { root }));
    const failed = await openFolderAt(studio, root);
    if (failed === null) studio.view.answered();
    else setProblem(failed);
  };
  return (
    <Box title={words('recent.title')} className="picker">
      <p className="muted small">{words('recent.explain')}</p>
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
      {folders !== null && <FolderChoices folders={folders} open={open} forget={forget} />}
      <div className="acts end">
        <button type="button" className="line" ref={folders?.length === 0 ? takeFocus : null} onClick={studio.view.answered}>
          {words('dialog.cancel')}
        </button>
      </div>
    </Box>
  );
}

interface FolderChoicesProps {
  readonly folders: readonly RecentFolder[];
  readonly open: (folder: RecentFolder) => unknown;
  readonly forget: (root: string) => unknown;
}

function FolderChoices({ folders, open, forget }: FolderChoicesProps) {
  const words = useWords();
  return (
    <div
      onKeyDownCapture={(event) => {
        const key = (event.target as Element).closest('[data-key]')?.getAttribute('data-key');
        if ((event.key !== 'Delete' && event.key !== 'Backspace') || key == null) return;
        event.preventDefault();
        forget(key);
      }}
    >
      <ListBox
        className="folders"
        aria-label={words('recent.list')}
        items={folders.map((folder) => ({ ...folder, id: folder.root }))}
        selectionMode="none"
        autoFocus="first"
        onAction={(key) => {
          const folder = folders.find(({ root }) => root === key);
          if (folder !== undefined) open(folder);
        }}
        renderEmptyState={() => <p className="muted none">{words('recent.none')}</p>}
      >
        {({ id, isThere }) => (
          <ListBoxItem id={id} textValue={folderName(id)} className="folder recent-folder">
            <span>{folderName(id)}</span>
            <bdi className="faint small">{id}</bdi>
            {!isThere && <span className="lost small">{words('recent.not-there')}</span>}
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  );
}

/** Asks whether a folder that was dropped is to be opened. */
export function OpenDropped({ root }: { readonly root: string }) {
  const words = useWords();
  const studio = useStudio();
  const open = () => {
    studio.view.answered();
    void openFolderAt(studio, root).then((failed) => failed !== null && studio.view.notify(failed));
  };
  return (
    <Box title={words('dropped.open-title', { name: folderName(root) })} className="narrow" isQuestion>
      <p className="muted">
        <bdi>{root}</bdi>
      </p>
      <div className="acts end">
        <button type="button" className="line" onClick={studio.view.answered}>
          {words('dialog.cancel')}
        </button>
        <button type="button" className="solid" ref={takeFocus} onClick={open}>
          {words('folder.open')}
        </button>
      </div>
    </Box>
  );
}
