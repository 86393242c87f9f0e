import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { folderOf, nameOf } from '#kernel/address';
import type { Outside } from '#renderer/editor/buffer.ts';
import { problemWords, useLocale, useWords } from '#renderer/words.ts';
import { Box, takeFocus } from './box.tsx';
import { Difference } from './difference.tsx';
import { forgetLeft, openLeft, readLeft } from './recovery.ts';
import type { LeftText } from './recovery-store.ts';
import { focusPage, type Studio, useStudio } from './studio.ts';
import './recovered-texts.css';

/** The texts that were not on disk when a window ended: what they are and from when, to be opened, compared or discarded. */
export function RecoveredTexts() {
  const words = useWords();
  const studio = useStudio();
  const { texts, isKnown } = useStore(studio.recovery.store);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      setProblem(null);
      if (studio.recovery.store.getState().texts.length === 0) close(studio);
    } catch (error) {
      setProblem(problemWords(error));
    }
  };
  const openAll = () =>
    attempt(async () => {
      for (const text of [...texts].reverse()) await openLeft(studio, text);
    });
  return (
    <Box title={words('recovery.title')} className="recovered">
      <p className="muted" aria-busy={!isKnown}>
        {texts.length > 0 ? words('recovery.explain', { count: texts.length }) : isKnown && words('recovery.none')}
      </p>
      {problem !== null && (
        <p className="lost small" role="alert">
          {problem}
        </p>
      )}
      <ul className="recovered-list" aria-label={words('recovery.title')}>
        {texts.map((text) => (
          <Item key={`${text.session} ${text.doc}`} text={text} attempt={attempt} />
        ))}
      </ul>
      <div className="acts end">
        <button type="button" className="line" onClick={studio.view.answered} ref={texts.length === 0 ? takeFocus : null}>
          {words(texts.length === 0 ? 'dialog.close' : 'recovery.later')}
        </button>
        {texts.length > 0 && (
          <button type="button" className="solid" ref={takeFocus} onClick={() => void openAll()}>
            {words('recovery.open-all', { count: texts.length })}
          </button>
        )}
      </div>
    </Box>
  );
}

function close(studio: Studio): void {
  studio.view.answered();
  focusPage(studio);
}

interface ItemProps {
  readonly text: LeftText;
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

function Item({ text, attempt }: ItemProps) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const [isComparing, setComparing] = useState(false);
  const [isSure, setSure] = useState(false);
  const found = useLeft(studio, text);
  const name = nameOf(text.path);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(text.at);
  const state = found === null ? null : words(`recovery.file-${found.outside?.kind ?? (found.isNew ? 'new' : 'same')}`);
  return (
    <li className="recovered-item">
      <div className="recovered-head">
        <p>
          <strong>{name}</strong> <span className="muted small">{folderOf(text.path)}</span>
        </p>
        <p className="muted small">{[words('recovery.from', { time }), state].filter(Boolean).join(' · ')}</p>
      </div>
      <div className="acts">
        <button
          type="button"
          className="line"
          aria-label={words('recovery.open-name', { name })}
          onClick={() => void attempt(() => openLeft(studio, text))}
        >
          {words('recovery.open')}
        </button>
        <button
          type="button"
          className="line"
          aria-pressed={isComparing}
          aria-label={words('recovery.compare-name', { name })}
          disabled={found === null}
          onClick={() => setComparing(!isComparing)}
        >
          {words('change.compare')}
        </button>
        <button
          type="button"
          className="line"
          aria-label={words(isSure ? 'recovery.discard-sure-name' : 'recovery.discard-name', { name })}
          onClick={() => (isSure ? void attempt(() => forgetLeft(studio, text)) : setSure(true))}
          onBlur={() => setSure(false)}
        >
          {words(isSure ? 'recovery.discard-sure' : 'recovery.discard')}
        </button>
      </div>
      {isComparing && found !== null && (
        <Difference before={found.onDisk} after={found.text} names={{ before: words('compare.theirs'), after: words('recovery.left') }} />
      )}
    </li>
  );
}

interface Found {
  readonly text: string;
  readonly onDisk: string;
  readonly outside: Outside | null;
  readonly isNew: boolean;
}

/** What was left and what is on disk now; null until both are read. */
function useLeft(studio: Studio, left: LeftText): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isWanted = true;
    const read = async () => {
      const text = await readLeft(studio, left);
      const next = text === null ? null : await studio.documents.foresee(text);
      if (isWanted) setFound(next);
    };
    // What cannot be read now can still be opened or discarded.
    read().catch(() => null);
    return () => {
      isWanted = false;
    };
  }, [studio, left]);
  return found;
}
