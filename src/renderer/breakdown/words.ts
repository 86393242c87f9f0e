import { type Locale, type Words, wordsFor } from '#protocol/words';
import type { Said, SaidFault } from '#renderer/breakdown/listing.ts';
import { clockTime, dayOf, type TimeStyle, whenOf } from '#renderer/breakdown/moment.ts';
import { catalogueOf, faultWords, useLocale } from '#renderer/words.ts';
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };

const own = catalogueOf({ en, es });
const both: Readonly<Record<Locale, Words>> = { en: combined('en'), es: combined('es') };

/** The words of this folder, and where it has none those that all faces share (states, headings, reasons). */
function combined(locale: Locale): Words {
  const words = own(locale);
  const shared = wordsFor(locale);
  return (key, detail) => {
    const said = words(key, detail);
    return said === key ? shared(key, detail) : said;
  };
}

/** The words of the breakdown in a language. */
export const breakdownWords = (locale: Locale): Words => both[locale];

/** The words of the breakdown in the language of the window. */
export const useBreakdownWords = (): Words => both[useLocale()];

/** How times are written in the language of the window: in the habit of the writer's own region, where it speaks that language. */
export function useTimeStyle(): TimeStyle {
  const locale = useLocale();
  return { tag: navigator.languages.find((tag) => tag.toLowerCase().startsWith(locale)) ?? (locale === 'en' ? 'en-GB' : 'es') };
}

/** The words of something that is to be said. */
export function useSaid(): (said: Said) => string {
  const words = useBreakdownWords();
  const locale = useLocale();
  const faulty = ({ code, detail }: SaidFault) => faultWords(code, detail, locale);
  return (said) => {
    if (said.kind === 'words') return words(said.key, said.detail);
    return said.kind === 'fault' ? faulty(said) : words('outcome.failed', { fault: faulty(said.fault) });
  };
}

/** `this morning`, `yesterday`, `14 Nov`; what is no time stays as it is. */
export function spokenDay(time: string, now: number, words: Words, style: TimeStyle): string {
  const instant = Date.parse(time);
  if (Number.isNaN(instant)) return time;
  const when = whenOf(instant, now, style);
  return when === 'date' ? dayOf(instant, now, style) : words(`when.${when}`);
}

/** `today 09:12`, `yesterday 18:00`, `14 Nov`: for a caption. What is no time stays as it is. */
export function spokenTime(time: string, now: number, words: Words, style: TimeStyle): string {
  const instant = Date.parse(time);
  if (Number.isNaN(instant)) return time;
  const when = whenOf(instant, now, style);
  if (when === 'date') return dayOf(instant, now, style);
  return words(when === 'yesterday' ? 'when.yesterday-at' : 'when.today-at', { time: clockTime(instant, style) });
}
