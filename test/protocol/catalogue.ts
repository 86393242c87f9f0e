import en from '../../src/protocol/words/en.json' with { type: 'json' };
import es from '../../src/protocol/words/es.json' with { type: 'json' };

/** A catalogue as one flat record, its keys joined by dots. */
export function catalogue(locale: 'en' | 'es'): Record<string, string> {
  return Object.fromEntries(flat(locale === 'en' ? en : es));
}

/** The names between `{{` and `}}`, sorted, each once. */
export function placeholders(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name]) => name!))].sort();
}

/** The texts of a tree of words, by their keys joined with dots. */
export function flat(tree: object, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + name, value]] : flat(value, `${prefix}${name}.`),
  );
}
