import { useLayoutEffect, useRef } from 'react';
import { useWords } from '#renderer/words.ts';

/** Has the focus until a part of the window is loaded; what is typed meanwhile goes to the field that has it then. Escape does not wait. */
export function EarlyField({ leave }: { readonly leave: () => void }) {
  const words = useWords();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const early = field.current!;
    early.focus();
    return () => handOver(early.value);
  }, []);
  return (
    <input
      ref={field}
      className="unseen"
      aria-label={words('loading')}
      aria-busy="true"
      spellCheck={false}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    />
  );
}

/** A part takes the focus some frames after it is there. What has no field gets nothing: it was not meant for the text either. */
function handOver(text: string, frames = 30): void {
  if (text === '') return;
  requestAnimationFrame(() => {
    const isInField = document.activeElement?.matches('input:not([type="checkbox"], [type="radio"]), textarea') === true;
    // As if it was typed now: whoever listens to the field hears of it.
    if (isInField) document.execCommand('insertText', false, text);
    else if (frames > 0) handOver(text, frames - 1);
  });
}
