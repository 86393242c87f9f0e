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

function sentenceAt(catalogue: Catalogue, key: string): string | undefined {
  let found: string | Catalogue | undefined = catalogue;
  for (const part of key.split('.')) found = typeof found === 'object' && Object.hasOwn(found, part) ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** A sentence has places for values, `{{path}}`, and for other sentences, `$t(reasons.{{reason}})`. Of what stands in a value nothing is read, and a place without a value stays. */
const place = /\$t\(([^)]*)\)|\{\{(\w+)\}\}/g;

/** Reads catalogues: keys are paths (`faults.disk-full`), a sentence for a number has one for each plural (`_one`, `_other`, and `_zero` where nothing is told apart). */
export function sentencesOf(tag: string, ...catalogues: readonly Catalogue[]): Sentences {
  const plurals = new Intl.PluralRules(tag);
  const find = (key: string) => {
    for (const catalogue of catalogues) {
      const sentence = sentenceAt(catalogue, key);
      if (sentence !== undefined) return sentence;
    }
    return undefined;
  };
  const plural = (key: string, count: number) =>
    (count === 0 ? find(`${key}_zero`) : undefined) ?? find(`${key}_${plurals.select(count)}`) ?? find(`${key}_other`) ?? find(key);
  const fill = (sentence: string, values: Values): string =>
    sentence.replace(place, (found, other?: string, name = '') => {
      if (other !== undefined) return say(fill(other, values), values);
      return values[name] === undefined ? found : String(values[name] ?? '');
    });
  const say = (key: string, values: Values = {}): string => {
    const sentence = typeof values.count === 'number' ? plural(key, values.count) : find(key);
    return sentence === undefined ? key : fill(sentence, values);
  };
  return { has: (key) => find(key) !== undefined, say };
}
