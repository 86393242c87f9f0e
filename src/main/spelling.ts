import type { Session } from 'electron';
import type { WindowReport } from '#protocol/desktop';

/** A part of a session: what looks for wrong words. */
export type Speller = Pick<Session, 'availableSpellCheckerLanguages' | 'setSpellCheckerLanguages' | 'setSpellCheckerEnabled'>;

/**
 * Has the system look for wrong words as the writer wants: in one language, or in all that the system prefers (null), as far as there are
 * dictionaries. macOS chooses the languages itself, by the words.
 */
export function followSpelling(
  speller: Speller,
  { check, language }: WindowReport['spelling'],
  preferred: readonly string[],
  isMac: boolean,
): void {
  speller.setSpellCheckerEnabled(check);
  if (isMac || !check) return;
  const known = speller.availableSpellCheckerLanguages;
  const wanted = (language === null ? preferred : [language]).flatMap((tag) => knownLanguage(tag, known) ?? []);
  if (wanted.length > 0) speller.setSpellCheckerLanguages([...new Set(wanted)]);
}

/** The dictionary of a language: the same tag, else that of the language alone, else one of its countries. */
export function knownLanguage(tag: string, known: readonly string[]): string | undefined {
  const [language = ''] = tag.split('-');
  return known.find((one) => one === tag) ?? known.find((one) => one === language) ?? known.find((one) => one.startsWith(`${language}-`));
}
