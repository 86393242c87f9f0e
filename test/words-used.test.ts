import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flat } from './protocol/catalogue.ts';

const root = join(import.meta.dirname, '../src');
const named = readdirSync(root, { recursive: true, encoding: 'utf8' });
const source = named
  .filter((file) => /\.(tsx?|html)$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

/** Keys that are put together: `states.${state}` asks for each word of that section. What has no fixed word with a dot is too vague. */
const hole = /\$\{(?:[^{}]|\{[^{}]*\})*\}/;
const patterns = Array.from(source.matchAll(/`((?:[\w.-]|\$\{(?:[^{}`]|\{[^{}]*\})*\})+)`/g), ([, text]) => text!.split(hole))
  .filter((parts) => parts.length > 1 && /[a-z]{2}/.test(parts.join('')) && parts.join('').includes('.'))
  .map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll(/[.-]/g, '\\$&')).join('[\\w.-]*')}$`));

/** Sections that lists ask by their name, and what CodeMirror asks for. */
const sections = [...source.matchAll(/\bnameOf\(words, '(\w+)'/g)].map(([, section]) => section!).concat(sectionsOfReasons());
const require = createRequire(import.meta.url);
const codeMirror = ['autocomplete', 'commands', 'language', 'lint', 'merge', 'search', 'view']
  .map((part) => readFileSync(require.resolve(`@codemirror/${part}`), 'utf8'))
  .join('\n');

function sectionsOfReasons(): string[] {
  const [, list = ''] = /const sections = \[([^\]]*)\]/.exec(source) ?? [];
  return Array.from(list.matchAll(/'(\w+)'/g), ([, section]) => section!);
}

function isAsked(key: string, texts: string): boolean {
  const [section = '', ...rest] = key.split('.');
  if (section === 'phrases')
    return [source, codeMirror].some((text) => text.includes(`"${rest.join('.')}"`) || text.includes(`'${rest.join('.')}'`));
  return (
    source.includes(`'${key}'`) ||
    texts.includes(`$t(${key}`) ||
    sections.includes(section) ||
    patterns.some((pattern) => pattern.test(key))
  );
}

/** The keys of a catalogue that nothing asks for; plurals are one key. */
function unasked(catalogue: object): string[] {
  const words = flat(catalogue);
  const texts = words.map(([, text]) => text).join('\n');
  const keys = [...new Set(words.map(([key]) => key.replace(/_(one|other)$/, '')))];
  return keys.filter((key) => !isAsked(key, texts));
}

describe('the words of a catalogue', () => {
  const catalogues = named.filter((file) => /\bwords[/\\]en\.json$/.test(file)).sort();

  it.each(catalogues)('are all asked for: %s', (file) => {
    expect(unasked(JSON.parse(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('are missed where nothing asks for them', () => {
    expect(catalogues.length).toBeGreaterThan(4);
    expect(unasked({ nobody: { asks: 'x' }, states: { stale: 'y' }, phrases: { Nothing: 'z' } })).toEqual([
      'nobody.asks',
      'phrases.Nothing',
    ]);
  });
});

describe('the Spanish words', () => {
  // As `usted` says it; where a sentence is about somebody else, these stand behind `que` or a noun.
  const formal =
    /\busted\b|(?:^|[.;:,] |\b[yo] )(?:compruebe|elija|indique|ejecute|vuelva|use|escriba|pulse|abra|cierre|haga|ponga|guarde|quite|añada|espere|pida|tome|revise|instale|actualice|libere|inicie|mire|diga|vincule)\b/i;

  it('call the writer tú, everywhere', () => {
    expect(['Elija otro.', 'No existe; compruebe el nombre.', 'Espere y vuelva a probar'].filter((text) => formal.test(text))).toHaveLength(
      3,
    );
    const said = named
      .filter((file) => file.endsWith('es.json'))
      .flatMap((file) => flat(JSON.parse(readFileSync(join(root, file), 'utf8'))));
    expect(said.length).toBeGreaterThan(1000);
    expect(said.filter(([, text]) => formal.test(text))).toEqual([]);
  });
});
