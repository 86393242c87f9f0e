import { type ReactNode, useId, useMemo } from 'react';
import { type CommandId, commandTitle } from '#protocol/commands';
import { canRun, runCommand } from '#renderer/palette/run.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { folderName, openFolderAt, useRecentFolders } from './recent-folder.ts';
import { usePreference, useStudio, useTabs, useWorkspace } from './studio.ts';
import { useShownKey } from './title-bar.tsx';
import './welcome.css';

/** What is seen while no document is open: where to begin, and the three words that the first hour needs. */
export function Welcome() {
  const words = useWords();
  const name = useWorkspace(({ info }) => info?.name ?? '');
  return (
    <div className="welcome">
      <h2>{name}</h2>
      <Recent />
      <ul className="begin">
        {(['go.quick-open', 'file.new', 'file.open-folder', 'window.coherence-breakdown'] as const).map((id) => (
          <Begin key={id} id={id} />
        ))}
      </ul>
      <Folders />
      {!usePreference('view.begun') && <Offer />}
      <dl className="three">
        {['rests-on', 'changed', 'accept'].map((word) => (
          <div key={word}>
            <dt>{words(`welcome.${word}`)}</dt>
            <dd>{words(`welcome.${word}-means`)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Begin({ id }: { readonly id: CommandId }) {
  const studio = useStudio();
  const title = commandTitle(id, useLocale());
  const key = useShownKey(id);
  if (!canRun(studio, id)) return null;
  return (
    <li>
      <button type="button" onClick={() => runCommand(studio, id)}>
        {title}
        <kbd>{key}</kbd>
      </button>
    </li>
  );
}

/** The folders of other days. */
function Folders() {
  const words = useWords();
  const studio = useStudio();
  const there = useRecentFolders().folders?.filter(({ isThere }) => isThere) ?? [];
  if (there.length === 0) return null;
  const open = async (root: string) => {
    const failed = await openFolderAt(studio, root);
    if (failed !== null) studio.view.notify(failed);
  };
  return (
    <List title={words('recent.list')}>
      {there.slice(0, 3).map(({ root }) => (
        <li key={root}>
          <button type="button" title={root} onClick={() => void open(root)}>
            {folderName(root)}
            <bdi className="faint small begin-place">{root}</bdi>
          </button>
        </li>
      ))}
    </List>
  );
}

/** A list of the welcome with its heading. */
function List({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <>
      <h3 id={id} className="begin-title faint small">
        {title}
      </h3>
      <ul className="begin" aria-labelledby={id}>
        {children}
      </ul>
    </>
  );
}

/** Until a document was opened for the first time: the sample, which shows what this program is for. */
function Offer() {
  const words = useWords();
  const studio = useStudio();
  const title = commandTitle('file.open-sample', useLocale());
  return (
    <section className="offer">
      <p>{words('welcome.offer')}</p>
      <button type="button" className="line" onClick={() => runCommand(studio, 'file.open-sample')}>
        {title}
      </button>
    </section>
  );
}

function Recent() {
  const words = useWords();
  const { documents } = useStudio();
  const recent = useTabs((tabs) => tabs.recent);
  const files = useWorkspace((workspace) => workspace.files);
  const there = useMemo(() => {
    const known = new Set(files.map(({ path }) => path));
    return recent.filter((path) => known.has(path)).slice(0, 5);
  }, [recent, files]);
  if (there.length === 0) return <p className="muted">{words('welcome.invitation')}</p>;
  return (
    <List title={words('welcome.recent')}>
      {there.map((path) => (
        <li key={path}>
          <button type="button" onClick={() => void documents.open(path)}>
            {path}
          </button>
        </li>
      ))}
    </List>
  );
}
