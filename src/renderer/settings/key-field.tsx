import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type CommandId, commandTitle } from '#protocol/commands';
import { isKeptByBrowser, keyFault, rivals } from '#protocol/keymap';
import { desktop } from '#renderer/connection.ts';
import { keyOf, shownKey } from '#renderer/palette/keys.ts';
import { useStudio } from '#renderer/ui/studio.ts';
import { useLocale, useWords } from '#renderer/words.ts';

interface KeyFieldProps {
  readonly id: CommandId;
  /** Takes the key, from the commands that have it. */
  readonly take: (key: string, from: readonly CommandId[]) => Promise<void>;
  readonly leave: () => void;
}

/** Hears which key a command is to have. One that another command has is taken from it only when the writer says so. */
export function KeyField({ id, take, leave }: KeyFieldProps) {
  const words = useWords();
  const locale = useLocale();
  const { isMac, preferences } = useStudio();
  const { keymap } = useStore(preferences.keys);
  const field = useRef<HTMLDivElement>(null);
  const [heard, setHeard] = useState<string | null>(null);
  const fault = heard === null ? null : keyFault(heard, preferences.system);
  const others = heard === null ? [] : rivals(keymap, id, heard, preferences.system);
  useEffect(() => {
    field.current?.focus();
    const hear = (event: KeyboardEvent) => {
      if (document.activeElement !== field.current) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') return leave();
      if (event.key === 'Tab' && !event.ctrlKey && !event.metaKey && !event.altKey)
        return field.current?.parentElement?.querySelector('button')?.focus();
      const key = keyOf(event, isMac);
      if (key === null) return;
      const isFree =
        keyFault(key, preferences.system) === null && rivals(preferences.keys.getState().keymap, id, key, preferences.system).length === 0;
      const isKept = desktop() === null && isKeptByBrowser(key, preferences.system);
      if (isFree && !isKept) void take(key, []);
      else setHeard(key);
    };
    // In the window, where commands are heard too: a key is asked for here, and nothing else is done.
    window.addEventListener('keydown', hear, { capture: true });
    return () => window.removeEventListener('keydown', hear, { capture: true });
  }, [id, isMac, leave, preferences, take]);
  const shown = heard === null ? '' : shownKey(heard, isMac);
  const names = others.map((other) => commandTitle(other, locale)).join(', ');
  return (
    <div className="key-asking">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it hears keys, which is what it is for */}
      <div ref={field} className="key-field" tabIndex={0} role="application" aria-label={words('settings.keys.press')}>
        {heard === null ? words('settings.keys.press') : shown}
      </div>
      <p role="status" className="small">
        {fault !== null && <span className="lost">{words(`settings.keys.fault-${fault}`, { key: shown })}</span>}
        {fault === null && others.length > 0 && <span className="lost">{words('settings.keys.taken', { key: shown, names })}</span>}
        {fault === null && others.length === 0 && heard !== null && words('settings.keys.kept-long', { key: shown })}
      </p>
      <div className="acts">
        {heard !== null && fault === null && (
          <button type="button" className="line" onClick={() => void take(heard, others)}>
            {words(others.length > 0 ? 'settings.keys.take' : 'settings.keys.use')}
          </button>
        )}
        <button type="button" className="line" onClick={leave}>
          {words('dialog.cancel')}
        </button>
      </div>
    </div>
  );
}
