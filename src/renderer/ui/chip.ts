import { useMemo } from 'react';
import type { Tab } from '#renderer/editor/documents.ts';
import type { ChipWords } from '#renderer/editor/identity-chip.ts';
import { useWords } from '#renderer/words.ts';
import { usePreference } from './studio.ts';

/** How the chip above a document reads, as it is tracked now. */
export function useChipWords({ tracking: { by } }: Pick<Tab, 'tracking'>): ChipWords {
  const words = useWords();
  const showsBlock = usePreference('editor.identity');
  return useMemo(() => {
    const label = by === null ? null : `◉ ${words(by === 'id' ? 'chip.tracked' : 'chip.by-path')}`;
    return { label, title: words(by === 'path' ? 'chip.by-path-title' : 'chip.tracked-title'), showsBlock };
  }, [words, by, showsBlock]);
}
