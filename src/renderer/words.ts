import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type Catalogue, sentencesOf } from '#protocol/catalogue';
import { Fault } from '#protocol/fault';
import { type Locale, type Words, wordsFor } from '#protocol/words';
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };

const store = createStore<{ locale: Locale }>()(() => ({ locale: 'en' }));

/** The language of the window; changed by `chooseLocale` only. */
export const locale: Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'> = store;

/** Takes the language of the setting; `system` follows the languages that the shell states. */
export function chooseLocale(setting: string, system: string = navigator.language): void {
  const tag = setting === 'system' ? system : setting;
  const chosen: Locale = /^es(?![a-z])/i.test(tag) ? 'es' : 'en';
  // Whoever follows the language makes the words of every editor anew.
  if (chosen !== store.getState().locale) store.setState({ locale: chosen });
}

/** A pair of catalogues as words in either language. An unknown key comes back as it is; `count` picks the plural. */
export function catalogueOf({ en, es }: { readonly en: Catalogue; readonly es: Catalogue }): (locale: Locale) => Words {
  const [english, spanish] = [sentencesOf('en', en).say, sentencesOf('es', es, { tag: 'en', catalogue: en }).say];
  return (locale) => (locale === 'es' ? spanish : english);
}

const catalogue = catalogueOf({ en, es });
const both: Readonly<Record<Locale, Words>> = { en: catalogue('en'), es: catalogue('es') };

/** The window's words in a language. */
export const wordsIn = (locale: Locale): Words => both[locale];

/** The window's words, outside React: in the language of this moment. */
export const say: Words = (key, detail) => both[store.getState().locale](key, detail);

/** The language of the window. */
export const useLocale = (): Locale => useStore(store, (state) => state.locale);

/** The window's words in its language. */
export const useWords = (): Words => both[useLocale()];

/** The sentence of a fault: the window's own where the general one speaks of the command line. */
export function faultWords(code: string, detail: Readonly<Record<string, unknown>>, locale: Locale): string {
  const own = `faults.${code}`;
  const said = both[locale](own, detail);
  return said === own ? wordsFor(locale)(own, detail) : said;
}

/** The sentence of what went wrong, in the language of this moment: the message of a fault is for programs, and English. */
export function problemWords(error: unknown): string {
  if (error instanceof Fault) return faultWords(error.code, error.detail, store.getState().locale);
  return error instanceof Error ? error.message : String(error);
}
