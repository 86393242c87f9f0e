import { useState } from 'react';
import { useWords } from '#renderer/words.ts';
import { drawnTo, type Mode } from './mode.ts';
import { showAs } from './shown-mode.ts';
import { focusPage, useStudio } from './studio.ts';

interface LongBarProps {
  readonly length: number;
  readonly mode: Mode;
}

const focusButton = (button: HTMLButtonElement | null) => button?.focus();

/** Says that a long document is shown as it is, and offers live preview as far as there is hope for it. */
export function LongBar({ length, mode }: LongBarProps) {
  const words = useWords();
  const studio = useStudio();
  const [isSeen, setSeen] = useState(false);
  if (isSeen || mode !== 'source') return null;
  const size = (length / 1_000_000).toFixed(1);
  return (
    <section className="change-bar" data-region="long" tabIndex={-1} aria-label={words('long.region')}>
      <p>{words(length > drawnTo ? 'long.plain' : 'long.source', { size })}</p>
      <div className="acts">
        {length <= drawnTo && (
          <button type="button" className="line" onClick={() => showAs(studio, 'live')}>
            {words('long.show')}
          </button>
        )}
        <button type="button" className="line" onClick={() => setSeen(true)}>
          {words('long.dismiss')}
        </button>
      </div>
    </section>
  );
}

interface LongQuestionProps {
  readonly path: string;
  readonly length: number;
}

/** Says how long a document is before it is opened, and waits for a yes. */
export function LongQuestion({ path, length }: LongQuestionProps) {
  const words = useWords();
  const studio = useStudio();
  const open = () => void studio.documents.openLong(path).then(() => focusPage(studio));
  return (
    <div className="empty">
      <p>{words('long.ask', { path, size: (length / 1_000_000).toFixed(1) })}</p>
      <p className="acts">
        <button type="button" className="solid" ref={focusButton} onClick={open}>
          {words('long.open')}
        </button>
        <button type="button" className="line" onClick={() => studio.documents.close(path)}>
          {words('tab.close-short')}
        </button>
      </p>
    </div>
  );
}
