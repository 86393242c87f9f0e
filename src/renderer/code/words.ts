import { type Locale, type Words, wordsFor } from '#protocol/words';
import { catalogueOf, useLocale } from '#renderer/words.ts';
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };

const own = catalogueOf({ en, es });

/** The words about code that texts describe, in a language; what is not here is taken from those that all faces share. */
export function codeWords(locale: Locale): Words {
  const words = own(locale);
  const shared = wordsFor(locale);
  return (key, detail) => {
    const said = words(key, detail);
    return said === key ? shared(key, detail) : said;
  };
}

const both: Readonly<Record<Locale, Words>> = { en: codeWords('en'), es: codeWords('es') };

/** The words about code in the language of the window. */
export const useCodeWords = (): Words => both[useLocale()];
