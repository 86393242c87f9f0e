import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ReviewBar } from '#renderer/ai/review-bar.tsx';
import type { Buffer } from '#renderer/editor/buffer.ts';
import type { Tab } from '#renderer/editor/documents.ts';
import { setChip } from '#renderer/editor/identity-chip.ts';
import { createMirror, type Mirror } from '#renderer/editor/mirror.ts';
import { setLive } from '#renderer/editor/setup.ts';
import { setHabits } from '#renderer/editor/writing.ts';
import { useWords } from '#renderer/words.ts';
import { useChipWords } from './chip.ts';
import { useWantedHabits } from './habits.ts';
import { besidePlaceOf, putBesideAt } from './layout.ts';
import { useMode } from './shown-mode.ts';
import { focusPage, type Studio, useStudio, useTabs } from './studio.ts';
import './beside.css';

/** The second editor: a document that is open, beside the one in front. Both may be the same; then both show one text. */
export function Beside({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const tab = useTabs(({ tabs }) => tabs.find((one) => one.path === path));
  const isInFront = useTabs(({ active }) => active === path);
  const buffer = tab?.content === 'text' ? studio.documents.bufferOf(path) : undefined;
  const close = () => {
    studio.documents.putBeside(null);
    focusPage(studio);
  };
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <section className="beside" data-region="beside" tabIndex={-1} aria-label={words('beside.region', { name })}>
      <header className="beside-head">
        <button type="button" className="quiet" title={path} onClick={() => studio.documents.activate(path)}>
          {name}
          {tab?.isDirty === true && <span className="dot"> ●</span>}
        </button>
        <span className="space" />
        <button type="button" className="quiet icon" aria-label={words('beside.close')} onClick={close}>
          <X size={13} aria-hidden="true" />
        </button>
      </header>
      {tab?.outside != null && <p className="beside-note">{words(`beside.${tab.outside}`)}</p>}
      {buffer !== undefined && !isInFront && <ReviewBar path={path} where="beside" />}
      {tab === undefined || buffer === undefined ? (
        <p className="muted beside-note">{words('beside.nothing')}</p>
      ) : (
        <MirrorHost key={path} buffer={buffer} tab={tab} />
      )}
    </section>
  );
}

function MirrorHost({ buffer, tab }: { readonly buffer: Buffer; readonly tab: Tab }) {
  const studio = useStudio();
  const host = useRef<HTMLDivElement>(null);
  const [mirror, setMirror] = useState<Mirror | null>(null);
  const mode = useMode(buffer.path, buffer.state.doc.length);
  const habits = useWantedHabits();
  const chip = useChipWords(tab);
  useEffect(() => hostMirror(studio, host.current!, buffer, setMirror), [studio, buffer]);
  // Where it is when it is put away can only be told while it is still there.
  useLayoutEffect(() => () => void besidePlaceOf(studio), [studio]);
  useEffect(() => {
    mirror?.apply([setLive(mode !== 'source', buffer.state.doc.length), setHabits({ ...habits, focus: false, typewriter: false })]);
  }, [mirror, mode, habits, buffer]);
  useEffect(() => mirror?.apply([setChip.of(chip)]), [mirror, chip]);
  return <div className="beside-host" ref={host} />;
}

function hostMirror(studio: Studio, parent: HTMLElement, buffer: Buffer, made: (mirror: Mirror | null) => void): () => void {
  const { documents, autosave, models } = studio;
  const edited = (changed: Buffer, isByWriter: boolean) => {
    documents.edited(changed, isByWriter);
    studio.textChanged(changed);
  };
  const mirror = createMirror(parent, buffer, documents.around, { edited, left: autosave.left, reviewed: models.reviewed });
  const place = besidePlaceOf(studio);
  if (place !== undefined) mirror.putBack(place);
  studio.beside = mirror;
  made(mirror);
  mirror.focus();
  return () => {
    studio.beside = null;
    made(null);
    mirror.destroy();
  };
}

/** Shows the document in front in a second editor, or puts that away. */
export function toggleBeside(studio: Studio): void {
  const { active, beside } = studio.documents.tabs.getState();
  const buffer = active === null ? undefined : studio.documents.bufferOf(active);
  if (buffer !== undefined) putBesideAt(buffer, null);
  studio.documents.putBeside(beside === null ? active : null);
  if (beside !== null) focusPage(studio);
}
