import { useEffect, useMemo, useState } from 'react';
import { Header } from 'react-aria-components/Header';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { nameOf } from '#kernel/address';
import { maskIdentity } from '#kernel/identity';
import { canonicalText } from '#kernel/text';
import type { HistoryOutputs, SavedVersion } from '#protocol/history-calls';
import { join } from '#renderer/editor/line-breaks.ts';
import { Box, takeFocus } from '#renderer/ui/box.tsx';
import { Difference } from '#renderer/ui/difference.tsx';
import { focusPage, type Studio, useStudio } from '#renderer/ui/studio.ts';
import { problemWords, useLocale, useWords } from '#renderer/words.ts';
import { restoreVersion } from './restoring.ts';
import { byDay, dayName } from './version-day.ts';
import './history.css';

type Listed = HistoryOutputs['history/list'];

/** The saved versions of a document by their days, each beside the text as it is now, to be put back. */
export function HistoryDialog({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const [listed, problem, setProblem] = useVersions(studio, path);
  const [chosen, setChosen] = useState<string | null>(null);
  const version = listed?.versions.find((one) => keyOf(one) === chosen) ?? firstOf(listed);
  const shown = useTexts(studio, path, version?.version ?? null);
  const isSame = isTexts(shown) ? shown.before === shown.after : version?.isNow === true;
  const restore = async () => {
    if (version === undefined) return;
    try {
      const done = await restoreVersion(studio, path, version.version);
      if (done !== 'restored') return setProblem(words(`history.${done}`));
      studio.view.answered();
      studio.view.announce(words('history.restored-said', { name: nameOf(path) }));
      focusPage(studio);
    } catch (error) {
      setProblem(problemWords(error));
    }
  };
  const isEmpty = listed !== null && listed.versions.length === 0;
  return (
    <Box title={words('history.title', { name: nameOf(path) })} className="history">
      {listed !== null && (
        <p className="muted small">{words(isEmpty ? 'history.none' : listed.isTracked ? 'history.ledger' : 'history.kept')}</p>
      )}
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
      {listed !== null && version !== undefined && (
        <div className="history-body">
          <VersionList versions={listed.versions} chosen={keyOf(version)} choose={setChosen} />
          <VersionText shown={shown} />
        </div>
      )}
      <div className="acts end">
        <button type="button" className="line" ref={isEmpty ? takeFocus : null} onClick={studio.view.answered}>
          {words('dialog.close')}
        </button>
        {version !== undefined && (
          <button type="button" className="solid" disabled={shown === null || isSame} onClick={() => void restore()}>
            {words('history.restore')}
          </button>
        )}
      </div>
    </Box>
  );
}

/** A text that was put back is the same version twice, at two times. */
const keyOf = ({ version, at }: SavedVersion) => `${version} ${at}`;

/** What the file holds now is no news: the one before it is. */
const firstOf = (listed: Listed | null) => listed?.versions.find(({ isNow }) => !isNow) ?? listed?.versions[0];

function useVersions({ connection }: Studio, path: string): [Listed | null, string | null, (problem: string) => void] {
  const [listed, setListed] = useState<Listed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    connection.call('history/list', { path }).then(
      (found) => isWanted && setListed(found),
      (error: unknown) => isWanted && setProblem(problemWords(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [connection, path]);
  return [listed, problem, setProblem];
}

interface VersionListProps {
  readonly versions: readonly SavedVersion[];
  readonly chosen: string;
  readonly choose: (key: string) => void;
}

function VersionList({ versions, chosen, choose }: VersionListProps) {
  const words = useWords();
  const locale = useLocale();
  const days = useMemo(() => byDay(versions), [versions]);
  const now = Date.now();
  return (
    <ListBox
      className="versions"
      aria-label={words('history.versions')}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      autoFocus
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        for (const key of keys) choose(String(key));
      }}
    >
      {days.map(({ day, versions: ofDay }) => (
        <ListBoxSection key={day} id={day}>
          <Header className="versions-day">{dayName(day, now, locale)}</Header>
          {ofDay.map((version) => (
            <VersionRow key={keyOf(version)} version={version} />
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  );
}

function VersionRow({ version }: { readonly version: SavedVersion }) {
  const words = useWords();
  const locale = useLocale();
  const { at, author, name, act, label, isNow } = version;
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
  const isNamed = name !== null && ['writer', 'ai', 'agent'].includes(author);
  const who = isNamed ? words(`history.by-${author}-named`, { name }) : words(`history.by-${author}`);
  const what = act === 'restore' || act === 'join' ? words(`history.act-${act}`) : null;
  const more = [what, label, isNow && words('history.now')].filter(Boolean).join(' · ');
  return (
    <ListBoxItem id={keyOf(version)} textValue={`${time} ${who} ${more}`} className="version" data-author={author}>
      <span className="version-time">{time}</span>
      <span className="version-who">{who}</span>
      <span className="muted small">{more}</span>
    </ListBoxItem>
  );
}

/** A version and the text as it stands, without what belongs to the file alone; or why that cannot be shown; null until it is read. */
type Shown = { readonly before: string; readonly after: string } | string | null;

const isTexts = (shown: Shown): shown is Exclude<Shown, string | null> => shown !== null && typeof shown !== 'string';

function VersionText({ shown }: { readonly shown: Shown }) {
  const words = useWords();
  if (shown === null) return <p className="muted version-none" aria-busy="true" />;
  if (typeof shown === 'string') return <p className="muted version-none">{shown}</p>;
  if (shown.before === shown.after) return <p className="muted version-none">{words('history.same')}</p>;
  return (
    <Difference before={shown.before} after={shown.after} names={{ before: words('history.then'), after: words('history.as-it-is') }} />
  );
}

function useTexts(studio: Studio, path: string, version: string | null): Shown {
  const words = useWords();
  const [shown, setShown] = useState<Shown>(null);
  useEffect(() => {
    let isWanted = true;
    const read = async (version: string) => {
      const [{ text }, now] = await Promise.all([studio.connection.call('history/text', { path, version }), textNow(studio, path)]);
      if (!isWanted) return;
      setShown(text === null || now === null ? words('history.no-text') : { before: bare(text), after: bare(now) });
    };
    setShown(null);
    if (version === null) return;
    read(version).catch((error: unknown) => isWanted && setShown(problemWords(error)));
    return () => {
      isWanted = false;
    };
  }, [studio, path, version, words]);
  return shown;
}

const bare = (text: string) => maskIdentity(canonicalText(text));

async function textNow({ documents, connection }: Studio, path: string): Promise<string | null> {
  const buffer = documents.bufferOf(path);
  if (buffer !== undefined) return join(buffer.state);
  const opened = await connection.call('document/open', { path });
  return opened.kind === 'text' ? opened.text : null;
}
