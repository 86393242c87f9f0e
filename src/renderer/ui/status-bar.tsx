import { memo, useCallback, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { encodingNames } from '#protocol/encoding';
import { AiActivity } from '#renderer/ai/review-bar.tsx';
import type { Tab } from '#renderer/editor/documents.ts';
import { type Goal, reached } from '#renderer/editor/goal.ts';
import { minutesToRead } from '#renderer/editor/tally.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { takeBack } from '#renderer/explorer/acts.ts';
import { runCommand } from '#renderer/palette/run.ts';
import { faultWords, useLocale, useWords } from '#renderer/words.ts';
import { modes } from './mode.ts';
import type { Position } from './position.ts';
import { showAs, useMode } from './shown-mode.ts';
import { useFront, usePreference, useStudio, useView, useWorkspace } from './studio.ts';

/** The bar at the foot: where the writer is, what the document is, and what became of the last save. */
export function StatusBar() {
  const front = useFront();
  const isText = front?.content === 'text';
  return (
    <footer className="bar" data-region="status" tabIndex={-1}>
      {isText && <Where />}
      <span className="space" />
      <Notice />
      <AiActivity />
      <Connection />
      <Sharing />
      <Language />
      {isText && <Saved tab={front} />}
      <Provenance tracked={front?.tracking.by != null} />
    </footer>
  );
}

const usePosition = <Part,>(select: (position: Position | null) => Part): Part =>
  useStore(useStudio().position.store, ({ position }) => select(position));

/** Where the writer is and what the document holds. With each key only that part is drawn anew that says something else. */
function Where() {
  const isSomewhere = usePosition((position) => position !== null);
  if (!isSomewhere) return null;
  return (
    <>
      <Place />
      <Counts />
      <ModeSwitch />
      <FileFormat />
    </>
  );
}

function useNumbers() {
  const locale = useLocale();
  return useMemo(() => new Intl.NumberFormat(locale), [locale]);
}

/**
 * Has an element follow the position without React: with each commit React looks through all that is seen of the text for the place of its
 * cursor, and these say something else with every key.
 */
function useFollowed<Seen extends HTMLElement>(show: (element: Seen, position: Position) => void) {
  const { store } = useStudio().position;
  const seen = useRef<Seen>(null);
  useLayoutEffect(() => {
    const tell = () => {
      const { position } = store.getState();
      if (position !== null && seen.current !== null) show(seen.current, position);
    };
    tell();
    return store.subscribe(tell);
  }, [store, show]);
  return seen;
}

function Place() {
  const words = useWords();
  const studio = useStudio();
  const number = useNumbers();
  const show = useCallback(
    (button: HTMLButtonElement, { line, column }: Position) => {
      button.textContent = words('status.place', { line: number.format(line), column: number.format(column) });
    },
    [words, number],
  );
  const button = useFollowed(show);
  return <button type="button" className="quiet" ref={button} onClick={() => runCommand(studio, 'go.line')} />;
}

function Counts() {
  const words = useWords();
  const number = useNumbers();
  const selected = usePosition((position) => position?.selected ?? 0);
  const selectedWords = usePosition((position) => position?.selectedWords ?? 0);
  const count = usePosition((position) => position?.words ?? null);
  if (selected > 0) {
    return (
      <span>
        {words('status.selected', { count: selectedWords, words: number.format(selectedWords), characters: number.format(selected) })}
      </span>
    );
  }
  return count === null ? null : <Total count={count} />;
}

function Total({ count }: { readonly count: number }) {
  const words = useWords();
  const number = useNumbers();
  const show = useCallback(
    (span: HTMLSpanElement, { characters }: Position) => {
      span.title = characters === null ? '' : words('status.characters', { count: characters, characters: number.format(characters) });
    },
    [words, number],
  );
  return (
    <span ref={useFollowed(show)}>
      <Count count={count} />
      <Minutes count={minutesToRead(count)} />
    </span>
  );
}

const Minutes = memo(({ count }: { readonly count: number }) => {
  const words = useWords();
  return <span className="wide"> · {words('status.minutes', { minutes: useNumbers().format(count) })}</span>;
});

/** How many words the document has; where it, or the setting, has a goal, how far it is. */
function Count({ count }: { readonly count: number }) {
  const words = useWords();
  const number = useNumbers();
  const own = usePosition((position) => position?.goal ?? null);
  const usual = usePreference('editor.goal');
  const goal: Goal | null = own ?? (usual > 0 ? { count: usual, unit: 'words' } : null);
  const characters = usePosition((position) => (goal?.unit === 'characters' ? (position?.characters ?? null) : null));
  const now = goal === null ? null : reached(goal, { words: count, characters });
  if (goal === null || now === null) return words('status.words', { count, words: number.format(count) });
  const sentence = words(`status.goal-${goal.unit}`, { now: number.format(now), goal: number.format(goal.count) });
  return now >= goal.count ? `${sentence} ✓` : sentence;
}

/** How the file in front is written; pressing it lets that be changed. */
function FileFormat() {
  const words = useWords();
  const bom = usePosition((position) => position?.bom ?? false);
  const breaks = usePosition((position) => position?.breaks ?? 'LF');
  const studio = useStudio();
  const path = useFront()?.path;
  const encoding = path === undefined ? undefined : studio.documents.bufferOf(path)?.encoding;
  const form = `${encodingNames[encoding ?? 'utf-8']}${bom ? ' BOM' : ''} · ${breaks === 'mixed' ? words('status.mixed') : breaks}`;
  return (
    <button
      type="button"
      className="quiet wide"
      aria-label={words('format.change', { form })}
      onClick={() => runCommand(studio, 'file.format')}
    >
      {form}
    </button>
  );
}

/** How the document in front is shown; pressing it goes on to the next way. */
function ModeSwitch() {
  const words = useWords();
  const studio = useStudio();
  const path = useFront()?.path ?? null;
  const length = path === null ? 0 : (studio.documents.bufferOf(path)?.state.doc.length ?? 0);
  const mode = useMode(path, length);
  const name = words(`mode.${mode}`);
  const next = modes[(modes.indexOf(mode) + 1) % modes.length]!;
  return (
    <button type="button" className="quiet" aria-label={words('mode.change', { mode: name })} onClick={() => showAs(studio, next)}>
      {name}
    </button>
  );
}

function Notice() {
  const words = useWords();
  const studio = useStudio();
  const { view } = studio;
  const notice = useView((state) => state.notice);
  const undo = useView((state) => state.undo);
  if (notice === null) return null;
  return (
    <span className="notice" role="status" title={notice}>
      <span>{notice}</span>
      {undo !== null && (
        <button type="button" className="quiet notice-undo" onClick={() => void takeBack(studio, undo)}>
          {words('notice.undo')}
        </button>
      )}
      <button type="button" className="quiet notice-dismiss" aria-label={words('notice.dismiss')} onClick={() => view.notify(null)}>
        ✕
      </button>
    </span>
  );
}

function Connection() {
  const words = useWords();
  const { connection } = useStudio();
  const state = useSyncExternalStore(connection.onState, connection.state);
  const unwatched = useWorkspace((workspace) => workspace.unwatched);
  if (state === 'lost') return <span className="lost">{words('status.lost')}</span>;
  if (unwatched === null) return null;
  const why =
    unwatched === 'ENOSPC' || unwatched === 'EMFILE' ? 'limit' : unwatched === 'network' || unwatched === 'late' ? unwatched : 'other';
  return (
    <span className="lost" role="status" title={words(`unwatched.${why}`, { reason: unwatched })}>
      {words(why === 'network' ? 'status.network' : 'status.unwatched')}
      <span className="unseen"> {words(`unwatched.${why}`, { reason: unwatched })}</span>
    </span>
  );
}

/** Where the ledger cannot be locked, who else works there is kept out by nothing. */
function Sharing() {
  const words = useWords();
  const isShared = useWorkspace(({ info }) => info?.shared);
  return isShared ? <span title={words('status.shared-more')}>{words('status.shared')}</span> : null;
}

function Language() {
  const words = useWords();
  const { view } = useStudio();
  return (
    <button type="button" className="quiet wide" onClick={() => view.ask({ kind: 'settings', section: 'language' })}>
      {words('status.language')}
    </button>
  );
}

function Saved({ tab: { path, save, isDirty } }: { readonly tab: Tab }) {
  const words = useWords();
  const locale = useLocale();
  const time = (at: number) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
  if (save.kind === 'failed')
    return <span className="lost">{words('status.not-saved', { problem: faultWords(save.code, save.detail, locale) })}</span>;
  if (save.kind === 'waiting') return <span className="lost">{words('status.waiting')}</span>;
  if (isUntitled(path)) return <span>{words('status.no-file')}</span>;
  if (save.kind !== 'saved') return isDirty ? <span>{words('status.unsaved')}</span> : null;
  const { recorded } = save;
  const saved = words('status.saved', { time: time(save.at) });
  if (recorded.kind === 'failed') {
    return (
      <span className="lost">{words('status.not-recorded', { saved, problem: faultWords(recorded.code, recorded.detail, locale) })}</span>
    );
  }
  const record = recorded.kind === 'off' ? null : words(`status.${recorded.kind}`);
  return <span>{[saved, record].filter(Boolean).join(' · ')}</span>;
}

function Provenance({ tracked }: { readonly tracked: boolean }) {
  const words = useWords();
  const { view } = useStudio();
  const setting = useWorkspace(({ info }) => info?.setting);
  if (setting === undefined) return null;
  const state = setting === 'on' ? 'on' : tracked ? 'tracked' : 'off';
  return (
    <button type="button" className="quiet" onClick={() => view.ask({ kind: 'settings', section: 'files' })}>
      <span aria-hidden="true">{state === 'off' ? '○' : '◉'}</span> {words(`status.provenance-${state}`)}
    </button>
  );
}
