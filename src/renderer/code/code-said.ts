import { faultWords, useLocale } from '#renderer/words.ts';
import type { CodeSaid } from './code-list.ts';
import { useCodeWords } from './words.ts';

/** What was said, in the language of the window. */
export function useCodeSaid(): (said: CodeSaid) => string {
  const words = useCodeWords();
  const locale = useLocale();
  return (said) => (said.kind === 'words' ? words(said.key, said.detail) : faultWords(said.code, said.detail, locale));
}
