import { createInstance } from 'i18next';

/** Sentences by their keys, in one language. */
export interface Catalogue {
  readonly [key: string]: string | Catalogue;
}

/** What goes into the places of a sentence; `count` picks its plural as well. */
export type Values = Readonly<Record<string, unknown>>;

/** The sentences of catalogues in the language of a tag, the first that has a key. */
export interface Sentences {
  has(key: string): boolean;
  /** An unknown key comes back as it is. */
  say(key: string, values?: Values): string;
}

/**
 * Reads catalogues by i18next: keys are paths (`faults.disk-full`); a sentence has places for values, `{{path}}`, and for other sentences,
 * `$t(reasons.{{reason}})`; one for a number has a plural of each kind. Of what stands in a value nothing is read (where `$t(` stands in one, nor
 * are the sentences in this sentence), and a place without a value stays.
 */
export function sentencesOf(
  tag: string,
  own: Catalogue,
  fallback: { readonly tag: string; readonly catalogue: Catalogue } | null = null,
): Sentences {
  const instance = createInstance();
  void instance.init({
    lng: tag,
    fallbackLng: fallback?.tag ?? false,
    // The first words would be bare keys otherwise.
    initAsync: false,
    nsSeparator: false,
    resources: { [tag]: { translation: own }, ...(fallback === null ? {} : { [fallback.tag]: { translation: fallback.catalogue } }) },
    interpolation: { escapeValue: false },
    missingInterpolationHandler: (_sentence: string, [place]: RegExpExecArray) => place,
  });
  return {
    has: (key) => instance.exists(key),
    say(key, values = {}) {
      // As `replace`, a value named like an option of i18next (`context`, `lng`) stays a value.
      return typeof values.count === 'number'
        ? instance.t(key, { replace: values, count: values.count })
        : instance.t(key, { replace: values });
    },
  };
}
