import { type Sentences, sentencesOf } from './catalogue.ts';
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };

/** The languages that have a complete catalogue. */
export type Locale = 'en' | 'es';

/** Words a key (`faults.disk-full`) with the values of its placeholders; `count` picks the plural. An unknown key comes back as it is. */
export type Words = (key: string, detail?: Readonly<Record<string, unknown>>) => string;

const ready = new Map<Locale, Words>();

/** The words of a language; anything but Spanish reads English. Made at the first use and kept. */
export function wordsFor(locale: string): Words {
  const known = localeOf(locale);
  const words = ready.get(known) ?? makeWords(known);
  ready.set(known, words);
  return words;
}

/** The language of a terminal, as POSIX orders it: LC_ALL, then LC_MESSAGES, then LANG; an empty one counts as unset. */
export function localeFrom(env: {
  readonly LC_ALL?: string | undefined;
  readonly LC_MESSAGES?: string | undefined;
  readonly LANG?: string | undefined;
}): Locale {
  return localeOf(env.LC_ALL || env.LC_MESSAGES || env.LANG || '');
}

function localeOf(tag: string): Locale {
  return /^es(?![a-z])/i.test(tag) ? 'es' : 'en';
}

function makeWords(locale: Locale): Words {
  const sentences = locale === 'es' ? sentencesOf('es', es, { tag: 'en', catalogue: en }) : sentencesOf('en', en);
  return (key, detail = {}) => {
    // A sentence that ends with what could have been meant ends before that where there is nothing.
    const bare = `without-candidates.${key}`;
    return word(sentences, detail.candidates === '' && sentences.has(bare) ? bare : key, detail);
  };
}

function word({ say }: Sentences, key: string, detail: Readonly<Record<string, unknown>>): string {
  const values = Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, shown(value)]));
  return say(key, typeof detail.count === 'number' ? { ...values, count: detail.count } : values);
}

// C0 and C1 controls, line separators and bidirectional overrides: a file's name must not move the cursor or reorder the sentence.
const hostile = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

function shown(value: unknown): string {
  return String(value).replace(hostile, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`);
}
