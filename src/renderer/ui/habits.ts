import { useMemo } from 'react';
import { smartLanguages } from '#renderer/editor/smart-sign.ts';
import type { Habits } from '#renderer/editor/writing.ts';
import { usePreference } from './studio.ts';

/** How the writer wants to write, as the settings are now. */
export function useWantedHabits(): Habits {
  const pairs = usePreference('editor.pairs');
  const smart = usePreference('editor.smart');
  const focus = usePreference('editor.focus');
  const typewriter = usePreference('editor.typewriter');
  const isSpelled = usePreference('spelling.check');
  const spelledIn = usePreference('spelling.language');
  return useMemo(() => {
    const spelling = { isOn: isSpelled, language: spelledIn === 'system' ? null : spelledIn };
    return { pairs, smart: smartLanguages.find((known) => known === smart) ?? null, spelling, focus, typewriter };
  }, [pairs, smart, focus, typewriter, isSpelled, spelledIn]);
}
