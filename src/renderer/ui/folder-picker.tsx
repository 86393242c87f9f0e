import { Folder, FolderUp } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import type { ShellOutputs } from '#protocol/shell-calls';
import { problemWords, useWords } from '#renderer/words.ts';
import { Box } from './box.tsx';
import { useStudio, useWorkspace } from './studio.ts';

type Listing = ShellOutputs['shell/folders'];

/** What a folder is picked for: to be opened, or to have the sample put into it. */
export type FolderPurpose = 'folder' | 'sample';

/** Picks a folder of this machine in the page, where no dialog of the system can be had. */
export function FolderPicker({ purpose }: { readonly purpose: FolderPurpose }) {
  const words = useWords();
  const { view } = useStudio();
  const { listing, problem, move, open } = useFolders(purpose);
  return (
    <Box title={words(`${purpose}.title`)} className="picker">
      {purpose === 'sample' && <p className="muted">{words('sample.explain')}</p>}
      <p className="picker-path" title={listing?.path}>
        <bdi>{listing?.path ?? ' '}</bdi>
        {listing?.isWorkspace === true && <span className="small fine"> {words('folder.is-workspace')}</span>}
      </p>
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
      {listing !== null && <FolderList listing={listing} go={move} />}
      <div className="acts end">
        <button type="button" className="line" onClick={view.answered}>
          {words('dialog.cancel')}
        </button>
        <button type="button" className="solid" disabled={listing === null} onClick={() => listing !== null && void open(listing.path)}>
          {words(`${purpose}.open`)}
        </button>
      </div>
    </Box>
  );
}

function FolderList({ listing: { path, parent, folders }, go }: { readonly listing: Listing; readonly go: (path: string) => void }) {
  const words = useWords();
  const separator = path.includes('\\') ? '\\' : '/';
  const inside = (name: string) => (path.endsWith(separator) ? path + name : path + separator + name);
  const items = [
    ...(parent === null ? [] : [{ id: parent, name: words('folder.up'), isUp: true }]),
    ...folders.map((name) => ({ id: inside(name), name, isUp: false })),
  ];
  return (
    <ListBox
      key={path}
      className="folders"
      aria-label={words('folder.list')}
      items={items}
      selectionMode="none"
      autoFocus="first"
      onAction={(key) => go(String(key))}
      renderEmptyState={() => <p className="muted none">{words('folder.none')}</p>}
    >
      {({ id, name, isUp }) => (
        <ListBoxItem id={id} textValue={name} className="folder">
          {isUp ? (
            <FolderUp className="folder-icon" size={15} aria-hidden="true" />
          ) : (
            <Folder className="folder-icon" size={15} aria-hidden="true" />
          )}
          <span>{name}</span>
        </ListBoxItem>
      )}
    </ListBox>
  );
}

function useFolders(purpose: FolderPurpose) {
  const { connection } = useStudio();
  const root = useWorkspace(({ info }) => info?.root ?? null);
  const newest = useRef(0);
  const hasMoved = useRef(false);
  const [listing, setListing] = useState<Listing | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = useCallback((error: unknown) => setProblem(problemWords(error)), []);
  const go = useCallback(
    (path: string | null) => {
      setProblem(null);
      const asked = ++newest.current;
      // What was asked for before is not shown over what was asked for after.
      connection.shell?.('shell/folders', { path }).then((found) => asked === newest.current && setListing(found), failed);
    },
    [connection, failed],
  );
  const open = async (path: string) => {
    try {
      const { shell } = connection;
      if (shell === null) return;
      const isSample = purpose === 'sample';
      const { root } = await (isSample ? shell('shell/copy-sample', { into: path }) : shell('shell/open-folder', { path }));
      location.assign(`/?folder=${encodeURIComponent(root)}${isSample ? '&open=README.md' : ''}`);
    } catch (error) {
      failed(error);
    }
  };
  // Another workspace is usually near the open one, which may not be known yet; the sample has no place among the writer's work.
  useEffect(() => {
    if (!hasMoved.current) go(purpose === 'sample' ? null : root);
  }, [go, root, purpose]);
  return {
    listing,
    problem,
    move(path: string) {
      hasMoved.current = true;
      go(path);
    },
    open,
  };
}
