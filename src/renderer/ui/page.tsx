import { useEffect, useRef } from 'react';
import { hearHeadingMenu, markAnchors } from '#renderer/code/document-anchors.ts';
import { type Buffer, transact } from '#renderer/editor/buffer.ts';
import type { Tab } from '#renderer/editor/documents.ts';
import { setChip } from '#renderer/editor/identity-chip.ts';
import { showLive } from '#renderer/editor/mode.ts';
import { createPane } from '#renderer/editor/pane.ts';
import { scrollToCharacter } from '#renderer/editor/scroll.ts';
import { plainFrom } from '#renderer/editor/setup.ts';
import { setHabits } from '#renderer/editor/writing.ts';
import { faultWords, useLocale, useWords } from '#renderer/words.ts';
import { useChipWords } from './chip.ts';
import { EncodingBar } from './encoding-bar.tsx';
import { useWantedHabits } from './habits.ts';
import { LongBar, LongQuestion } from './long-bar.tsx';
import type { Mode } from './mode.ts';
import { Part } from './part.tsx';
import { ReadingHost } from './reading-host.tsx';
import { useMode } from './shown-mode.ts';
import { type Studio, useStudio } from './studio.ts';

/** The page: the document in front, or why there is none to see. */
export function Page({ tab, isHidden }: { readonly tab: Tab; readonly isHidden: boolean }) {
  const isText = tab.content === 'text';
  const { documents } = useStudio();
  const length = isText ? (documents.bufferOf(tab.path)?.state.doc.length ?? 0) : 0;
  const mode = useMode(isText ? tab.path : null, length);
  const isRead = isText && (mode === 'reading' || mode === 'split');
  return (
    <>
      {isText && !isHidden && length > plainFrom && <LongBar key={tab.path} length={length} mode={mode} />}
      {tab.readOnly !== null && !isHidden && <EncodingBar path={tab.path} reason={tab.readOnly} />}
      <div className="page-body" data-mode={mode} hidden={isHidden || !isText}>
        <EditorHost path={isText ? tab.path : null} isHidden={mode === 'reading'} tab={tab} mode={mode} />
        {isRead && (
          <Part>
            <ReadingHost key={tab.path} path={tab.path} isBeside={mode === 'split'} />
          </Part>
        )}
      </div>
      {!isText && <Unreadable tab={tab} />}
    </>
  );
}

interface EditorHostProps {
  readonly path: string | null;
  readonly isHidden: boolean;
  readonly tab: Tab;
  readonly mode: Mode;
}

/** The one place where React holds an editor: it is made once and shown another buffer as tabs change. */
function EditorHost({ path, isHidden, tab, mode }: EditorHostProps) {
  const studio = useStudio();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => hostPane(studio, host.current!), [studio]);
  useEffect(() => {
    const buffer = path === null ? undefined : studio.documents.bufferOf(path);
    if (buffer === undefined) return studio.position.nothing();
    studio.pane?.show(buffer);
    showLive(buffer, mode === 'live');
    // Hidden, an editor has no place; it gets that of what was shown instead of it.
    const place = isHidden ? null : studio.modes.takePlace(buffer.path);
    if (place !== null && buffer.view !== null) scrollToCharacter(buffer.view, place);
  }, [studio, path, mode, isHidden]);
  useChip(path, tab);
  useAnchorMarks(path, tab);
  useHabits(path);
  return <div className="editor-host" ref={host} hidden={isHidden} />;
}

function hostPane(studio: Studio, parent: HTMLElement): () => void {
  const { documents, position, autosave } = studio;
  const edited = (buffer: Buffer, isByWriter: boolean) => {
    documents.edited(buffer, isByWriter);
    studio.textChanged(buffer);
  };
  hearHeadingMenu(studio, parent);
  const pane = createPane(parent, { edited, reviewed: studio.models.reviewed, moved: position.moved, left: autosave.left });
  studio.pane = pane;
  return () => {
    studio.pane = null;
    position.nothing();
    pane.destroy();
  };
}

/** Keeps the editor true to how the writer wants to write. */
function useHabits(path: string | null): void {
  const { documents } = useStudio();
  const habits = useWantedHabits();
  useEffect(() => {
    const buffer = path === null ? undefined : documents.bufferOf(path);
    if (buffer !== undefined) transact(buffer, { effects: setHabits(habits) });
  }, [documents, path, habits]);
}

/** Marks the headings that describe code: when a document comes to the front, and when it is tracked or saved. */
function useAnchorMarks(path: string | null, { tracking, isDirty }: Tab): void {
  const studio = useStudio();
  const locale = useLocale();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a save headings may be others, in another language they read otherwise.
  useEffect(() => {
    if (path !== null && !isDirty) void markAnchors(studio, path);
  }, [studio, path, tracking.by, isDirty, locale]);
}

/** Keeps the chip above the text true to how the document is tracked. */
function useChip(path: string | null, tab: Tab): void {
  const { documents } = useStudio();
  const chip = useChipWords(tab);
  useEffect(() => {
    const buffer = path === null ? undefined : documents.bufferOf(path);
    if (buffer !== undefined) transact(buffer, { effects: setChip.of(chip) });
  }, [documents, path, chip]);
}

function Unreadable({ tab }: { readonly tab: Tab }) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const { content, path } = tab;
  if (typeof content === 'object' && 'long' in content) return <LongQuestion path={path} length={content.long} />;
  if (content === 'loading' || content === 'text') return <div className="empty" aria-busy="true" />;
  return (
    <div className="empty">
      <p>{content === 'not-text' ? words('page.not-text', { path }) : faultWords(content.code, content.detail, locale)}</p>
      <p>
        <button type="button" className="line" onClick={() => studio.documents.close(path)}>
          {words('tab.close-short')}
        </button>
      </p>
    </div>
  );
}
