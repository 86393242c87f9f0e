import { useEffect, useRef } from 'react';
import { transact } from '#renderer/editor/buffer.ts';
import type { Tab } from '#renderer/editor/documents.ts';
import { setChip } from '#renderer/editor/identity-chip.ts';
import { createPane } from '#renderer/editor/pane.ts';
import { faultWords, useLocale, useWords } from '#renderer/words.ts';
import { type Studio, usePreference, useStudio } from './studio.ts';

/** The page: the document in front, or why there is none to see. */
export function Page({ tab, isHidden }: { readonly tab: Tab; readonly isHidden: boolean }) {
  const isText = tab.content === 'text';
  return (
    <>
      <EditorHost path={isText ? tab.path : null} isHidden={isHidden || !isText} tab={tab} />
      {!isText && <Unreadable tab={tab} />}
    </>
  );
}

/** The one place where React holds an editor: it is made once and shown another buffer as tabs change. */
function EditorHost({ path, isHidden, tab }: { readonly path: string | null; readonly isHidden: boolean; readonly tab: Tab }) {
  const studio = useStudio();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => hostPane(studio, host.current!), [studio]);
  useEffect(() => {
    const buffer = path === null ? undefined : studio.documents.bufferOf(path);
    if (buffer !== undefined) studio.pane?.show(buffer);
    else studio.position.nothing();
  }, [studio, path]);
  useChip(path, tab);
  return <div className="editor-host" ref={host} hidden={isHidden} />;
}

function hostPane(studio: Studio, parent: HTMLElement): () => void {
  const { documents, position, autosave } = studio;
  const pane = createPane(parent, { edited: documents.edited, moved: position.moved, left: autosave.left });
  studio.pane = pane;
  return () => {
    studio.pane = null;
    position.nothing();
    pane.destroy();
  };
}

/** Keeps the chip above the text true to how the document is tracked. */
function useChip(path: string | null, { tracking: { by } }: Tab): void {
  const words = useWords();
  const { documents } = useStudio();
  const showsBlock = usePreference('editor.identity');
  useEffect(() => {
    const buffer = path === null ? undefined : documents.bufferOf(path);
    if (buffer === undefined) return;
    const label = by === null ? null : `◉ ${words(by === 'id' ? 'chip.tracked' : 'chip.by-path')}`;
    const title = by === 'path' ? words('chip.by-path-title') : words('chip.tracked-title');
    transact(buffer, { effects: setChip.of({ label, title, showsBlock }) });
  }, [documents, path, by, showsBlock, words]);
}

function Unreadable({ tab }: { readonly tab: Tab }) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const { content, path } = tab;
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
