import { useEffect, useState } from 'react';
import type { RecentFolder } from '#protocol/app-data-calls';
import { desktop } from '#renderer/connection.ts';
import { problemWords } from '#renderer/words.ts';
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
    return problemWords(error);
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
