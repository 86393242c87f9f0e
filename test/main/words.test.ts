import { describe, expect, it } from 'vitest';
import { shellWords } from '#main/words';
import en from '../../src/main/words/en.json' with { type: 'json' };
import es from '../../src/main/words/es.json' with { type: 'json' };

type Tree = { readonly [key: string]: string | Tree };
const keysOf = (tree: Tree, prefix = ''): string[] =>
  Object.entries(tree).flatMap(([key, value]) => (typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`)));
const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/gu)].map(String).sort();

describe("the shell's words", () => {
  it('are the same in both languages, with the same places for names', () => {
    expect(keysOf(es)).toEqual(keysOf(en));
    for (const key of keysOf(en)) {
      expect(shellWords('es')(key), key).not.toBe('');
      const [english, spanish] = ['en', 'es'].map((locale) => shellWords(locale)(key, { folder: '{{folder}}', name: '{{name}}' }));
      expect(placeholders(spanish!), key).toEqual(placeholders(english!));
    }
  });

  it('are Spanish for every Spanish and English for the rest', () => {
    expect(['es', 'es-MX', 'ES_ES'].map((locale) => shellWords(locale)('roles.copy'))).toEqual(['Copiar', 'Copiar', 'Copiar']);
    expect(['en', 'est', 'fr-FR', ''].map((locale) => shellWords(locale)('roles.copy'))).toEqual(['Copy', 'Copy', 'Copy', 'Copy']);
  });

  it('take names as they are', () => {
    expect(shellWords('en')('notOpened.message', { folder: '$& {{folder}}' })).toBe('$& {{folder}} could not be opened.');
  });
});
