import { useEffect, useMemo, useState } from 'react';
import { Fault } from '#protocol/fault';
import { faultOf } from '#renderer/breakdown/listing.ts';
import type { Connection } from '#renderer/connection.ts';
import { Box } from '#renderer/ui/box.tsx';
import { focusPage, useStudio } from '#renderer/ui/studio.ts';
import type { Binding, CodeSaid } from './code-list.ts';
import { CodePicker } from './code-picker.tsx';
import { useCodeSaid } from './code-said.ts';
import { markAnchors } from './document-anchors.ts';
import { sectionsOf } from './section-at.ts';
import { TurnOn } from './turn-on.tsx';
import { useCodeWords } from './words.ts';

/** Ties a section of the document in front to code that it describes. What is unsaved is saved first: an anchor is about a text on disk. */
export function AnchorDialog({ path, section: first }: { readonly path: string; readonly section: readonly string[] }) {
  const words = useCodeWords();
  const studio = useStudio();
  const { connection, documents, view, workspace } = studio;
  const [section, setSection] = useState(JSON.stringify(first));
  const [repository, setRepository] = useState<string | null>(null);
  const repositories = useRepositories(connection);
  const [said, setSaid] = useState<CodeSaid | null>(null);
  const saidOf = useCodeSaid();
  const [waiting, setWaiting] = useState<{ to: Binding; what: string } | null>(null);
  const sections = useMemo(() => sectionsOf(documents.bufferOf(path)?.state.doc.toString() ?? ''), [documents, path]);
  const anchor = async (to: Binding, what: string) => {
    const saved = await documents.save(path);
    if (saved !== 'saved' && saved !== 'clean') return view.notify(words('pick.unsaved', { document: path }));
    try {
      await connection.call('anchor/add', { ...to, path, section: JSON.parse(section) as string[] });
    } catch (error) {
      // Nothing was ever recorded here, and the writer has not said that it may be.
      if (error instanceof Fault && error.code === 'no-workspace-record') return setWaiting({ to, what });
      throw error;
    }
    view.answered();
    view.notify(words('said.added', { document: path, what }));
    await markAnchors(studio, path);
    focusPage(studio);
  };
  const turnOn = async ({ to, what }: { to: Binding; what: string }) => {
    try {
      await workspace.setProvenance(true);
      setWaiting(null);
      await anchor(to, what);
    } catch (error) {
      setSaid(faultOf(error));
    }
  };
  return (
    <Box title={words('pick.title')} className="code-box">
      <p className="muted">{words('pick.about')}</p>
      <label className="code-field">
        <span className="bd-faint">{words('pick.section')}</span>
        <select value={section} onChange={(event) => setSection(event.target.value)}>
          <option value="[]">{words('pick.whole')}</option>
          {sections.map((one) => (
            <option key={one.start} value={JSON.stringify(one.path)}>
              § {one.path.join(' › ')}
            </option>
          ))}
        </select>
      </label>
      {repositories.length > 0 && (
        <label className="code-field">
          <span className="bd-faint">{words('pick.repository')}</span>
          <select value={repository ?? ''} onChange={(event) => setRepository(event.target.value || null)}>
            <option value="">{words('pick.here')}</option>
            {repositories.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <CodePicker
        key={repository}
        call={connection.call}
        repository={repository}
        file={null}
        act={words('pick.anchor')}
        choose={anchor}
        close={view.answered}
      />
      {waiting !== null && <TurnOn about="pick" run={() => void turnOn(waiting)} />}
      {said !== null && (
        <p className="bd-note" role="alert">
          {saidOf(said)}
        </p>
      )}
    </Box>
  );
}

/** The names of the linked repositories; none where they cannot be told. */
function useRepositories({ call }: Connection): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isWanted = true;
    call('repository/list', {}).then(
      ({ repositories }) => isWanted && setNames(repositories.map(({ name }) => name)),
      () => isWanted && setNames([]),
    );
    return () => {
      isWanted = false;
    };
  }, [call]);
  return names;
}
