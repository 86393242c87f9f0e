import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Buffer } from '#renderer/editor/buffer.ts';
import { type OutlineHeading, outlineOf } from '#renderer/editor/outline.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { modeOf } from '#renderer/ui/mode.ts';
import { SideTitle } from '#renderer/ui/side-title.tsx';
import { focusPage, type Studio, useFront, useStudio } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { HeadingList } from './heading-list.tsx';
import { LinkList } from './link-list.tsx';
import { headingAt } from './sections.ts';
import { TagList } from './tag-list.tsx';
import './outline.css';

/** How long the writer rests before the headings are looked for anew, in ms. */
const rest = 150;

/** What the document in front is made of and stands among: its headings, what links to it, the tags. In the place of the files; Escape puts it away. */
export function OutlinePanel() {
  const words = useWords();
  const studio = useStudio();
  const front = useFront();
  const buffer = front?.content === 'text' ? studio.documents.bufferOf(front.path) : undefined;
  return (
    <section
      className="side outline"
      data-region="files"
      tabIndex={-1}
      aria-label={words('outline.name')}
      onKeyDown={(event) => event.key === 'Escape' && closeOutline(studio)}
    >
      <SideTitle title={words('outline.name')} closing={words('outline.close')} close={() => closeOutline(studio)} />
      {buffer === undefined ? <p className="muted none">{words('outline.nothing')}</p> : <Parts key={buffer.path} buffer={buffer} />}
    </section>
  );
}

function closeOutline(studio: Studio): void {
  studio.view.show('files');
  focusPage(studio);
}

function Parts({ buffer }: { readonly buffer: Buffer }) {
  const words = useWords();
  const headings = useHeadings(buffer);
  const current = headingAt(headings, useLine(buffer));
  return (
    <>
      {headings.length === 0 ? (
        <p className="muted none">{words('outline.no-headings')}</p>
      ) : (
        <HeadingList buffer={buffer} headings={headings} current={current} />
      )}
      <p id="outline-help" className="unseen">
        {words('outline.help')}
      </p>
      {!isUntitled(buffer.path) && <LinkList path={buffer.path} />}
      <TagList buffer={buffer} />
    </>
  );
}

/** The headings of a document, a moment after its text has changed. */
function useHeadings(buffer: Buffer): readonly OutlineHeading[] {
  const studio = useStudio();
  const [headings, setHeadings] = useState(() => outlineOf(buffer.state.doc));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let { doc } = buffer.state;
    const look = () => {
      if (buffer.state.doc === doc) return;
      doc = buffer.state.doc;
      setHeadings(outlineOf(doc));
    };
    const stop = studio.hearText((changed) => {
      if (changed !== buffer) return;
      clearTimeout(timer);
      // What is dragged or moved by a key stands at its new place at once.
      if (document.activeElement?.closest('.outline') != null) look();
      else timer = setTimeout(look, rest);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [studio, buffer]);
  return headings;
}

/** The line that is looked at: that of the cursor, or the one at the top of what is read. */
function useLine(buffer: Buffer): number {
  const studio = useStudio();
  const cursor = useStore(studio.position.store, ({ position }) => position?.line ?? 1);
  const read = useStore(studio.readPlace);
  if (modeOf(studio, buffer.path) !== 'reading' || read.path !== buffer.path) return cursor;
  return buffer.state.doc.lineAt(Math.min(Math.ceil(read.at), buffer.state.doc.length)).number;
}
