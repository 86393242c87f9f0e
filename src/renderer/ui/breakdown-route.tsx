import { useEffect } from 'react';
import { desktop } from '#renderer/connection.ts';
import { useWords } from '#renderer/words.ts';
import { BreakdownPage } from './coherence.tsx';
import { Part } from './part.tsx';
import { focusPage, useStudio } from './studio.ts';

/** The breakdown as a page of its own; in a browser with the way back to the editor. */
export function BreakdownRoute() {
  const words = useWords();
  const studio = useStudio();
  useEffect(() => () => focusPage(studio), [studio]);
  return (
    <div className="breakdown-route">
      {desktop() === null && (
        <button type="button" className="quiet back" onClick={() => studio.view.go('editor')}>
          <span aria-hidden="true">←</span> {words('breakdown.back')}
        </button>
      )}
      <Part>
        <BreakdownPage />
      </Part>
    </div>
  );
}
