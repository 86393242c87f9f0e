import { useEffect, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import type { RecentFolder } from '#protocol/app-data-calls';
import { Fault } from '#protocol/fault';
import { desktop } from '#renderer/connection.ts';
import { faultWords, locale, useWords } from '#renderer/words.ts';
import { Box, takeFocus } from './box.tsx';
import { type Studio, useStudio, useWorkspace } from './studio.ts';

/** How a folder is called: by the last part of its path. */
export const folderName = (root: string): string => root.split(/[\\/]/u).findLast((part) => part !== '') ?? root;

/** Opens a folder by its absolute path: in a window of its own, or in this page of a browser. Answers why it could not; null: it is done. */
export async function openFolderAt({ connection }: Studio, root: string): Promise<string | null> {
  const bridge = desktop();
  if (bridge !== null) bridge.openPath(root);
  if (bridge !== null || connection.shell === null) return null;
  try {
    const opened = await connection.shell('shell/open-folder', { path: root });
    location.assign(`/?folder=${encodeURIComponent(opened.root)}`);
    return null;
  } catch (error) {
    return error instanceof Fault ? faultWords(error.code, error.detail, locale.getState().locale) : String(error);
  }
}

/** The folders that windows showed before, but for the one of this window; null: not known yet. */
export function useRecentFolders() {
  const { connection } = useStudio();
  const root = useWorkspace(({ info }) => info?.root ?? null);
  const [folders, setFolders] = useState<readonly RecentFolder[] | null>(null);
  useEffect(() => {
    let isShown = true;
    const take = (known: readonly RecentFolder[]) => isShown && setFolders(known);
    connection.call('folders/recent', {}).then(
      ({ folders: known }) => take(known),
      () => take([]),
    );
    return () => {
      isShown = false;
    };
  }, [connection]);
  const forget = (gone: string) =>
    connection.call('folders/forget', { root: gone }).then(
      (left) => setFolders(left.folders),
      () => undefined,
    );
  return { folders: root === null ? null : (folders?.filter((folder) => folder.root !== root) ?? null), forget };
}

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
