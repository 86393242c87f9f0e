import { describe, expect, it } from 'vitest';
import type { ByPathReason } from '#kernel/identity';
import { codeStates, dropReasons, incompleteReasons, localeFrom, rowStates, silences, wordsFor } from '#protocol';
import { catalogue, placeholders } from './catalogue.ts';

const english = catalogue('en');
const spanish = catalogue('es');

/** Sections whose words stand in lists and badges, not in sentences. */
const labels = /^(states|silences|badges|confidences|agents|roles|kinds|intents|headings)\./;

describe('the two catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(spanish)).toEqual(Object.keys(english));
  });

  it('end a sentence before what could have been meant where there is nothing', () => {
    const said = (candidates: string) => wordsFor('en')('faults.repository-unknown', { name: 'engine', candidates });
    expect(said('rows')).toBe('No repository named engine is linked here. There are: rows.');
    expect(said('')).toMatch(/^No repository named engine is linked here, nor any other\./);
    const bare = Object.keys(english).filter((key) => key.startsWith('without-candidates.'));
    expect(bare.filter((key) => !english[key.replace('without-candidates.', '')]?.includes('{{candidates}}'))).toEqual([]);
  });

  it('have the same placeholders, code spans and nested keys behind every key', () => {
    const marks = (text: string) => [...placeholders(text), ...(text.match(/\$t\([^)]*\)|`--?[a-z-]+`|`stemma [a-z]+`/g) ?? []).sort()];
    for (const [key, text] of Object.entries(english)) expect(marks(spanish[key]!), key).toEqual(marks(text));
  });

  it('have a singular and a plural of whatever is counted', () => {
    for (const key of Object.keys(english)) {
      if (key.endsWith('_one')) expect(english, key).toHaveProperty([key.replace(/_one$/, '_other')]);
      if (key.endsWith('_other')) expect(english, key).toHaveProperty([key.replace(/_other$/, '_one')]);
      if (/_(one|other)$/.test(key)) expect(placeholders(english[key]!), key).toContain('count');
    }
  });

  it.each([
    ['en', english],
    ['es', spanish],
  ])('end every sentence with punctuation and no label (%s)', (_, words) => {
    for (const [key, text] of Object.entries(words)) {
      if (labels.test(key)) expect(text, key).toMatch(/[\p{L}\p{N})]$/u);
      else expect(text, key).toMatch(/([.?:]|\{\{reason\}\})$/);
    }
  });

  it('never say upstream, downstream or derived', () => {
    for (const [key, text] of Object.entries({ ...english, ...spanish }))
      expect(text, key).not.toMatch(/upstream|downstream|deriv(ed|ad)/i);
  });

  it('differ in all but names and commands', () => {
    const same = Object.keys(english).filter(
      (key) => english[key] === spanish[key] && /[a-z]{4}/i.test(english[key]!.replace(/\{\{\w+\}\}/g, '')),
    );
    expect(same).toEqual([]);
  });
});

describe('the terms that are fixed', () => {
  const terms: readonly [key: string, en: string, es: string][] = [
    ['states.section-changed', 'section changed', 'sección anclada modificada'],
    ['states.anchor-lost', 'anchor lost', 'ancla perdida'],
    ['silences.document-finished', 'document finished', 'documento terminado'],
    ['silences.section-unchanged', 'section it depends on unchanged', 'sección de la que depende sin cambios'],
    ['badges.verified-valid', 'verified valid', 'verificada válida'],
    ['badges.contradicted', 'contradicted', 'contradicha'],
    ['badges.unchecked', 'unchecked', 'sin verificar'],
    ['headings.breakdown', 'Coherence breakdown', 'Desglose de coherencia'],
    ['headings.log', 'Coherence log', 'Registro de coherencia'],
    ['headings.silenced', 'No questions about these', 'Sin preguntas sobre esto'],
    ['headings.provenance-unknown', 'Provenance unknown', 'Procedencia desconocida'],
    ['states.version-stale', 'changed', 'modificada'],
    ['states.diverged', 'diverged', 'divergente'],
    ['states.diverged-multi-head', 'several versions', 'varias versiones'],
    ['states.waived', 'waived', 'eximida'],
    ['states.unpinnable', 'cannot be resolved', 'no se puede resolver'],
  ];

  it.each(terms)('%s reads "%s" and "%s"', (key, en, es) => {
    expect([wordsFor('en')(key), wordsFor('es')(key)]).toEqual([en, es]);
  });

  it('count in Spanish as the guide does', () => {
    expect(wordsFor('es')('badges.resolved', { count: 3 })).toBe('resuelto 3 veces');
    expect(wordsFor('es')('badges.resolved', { count: 1 })).toBe('resuelto 1 vez');
    expect(wordsFor('es')('badges.resolved', { count: 1_000_000 })).toBe('resuelto 1000000 veces');
  });
});

describe('every word of a closed list', () => {
  // A new reason in the kernel does not compile here until it has words.
  const byPath = {
    bom: true,
    unterminated: true,
    'adjacent-fences': true,
    'spaced-fence': true,
    'other-frontmatter': true,
    'inline-map': true,
    'header-comment': true,
    'not-a-mapping': true,
    'continued-value': true,
    'unwritable-schema': true,
    'stamp-not-a-mapping': true,
  } satisfies Record<ByPathReason, true>;

  it.each([
    ['states', [...rowStates, ...codeStates]],
    ['silences', silences],
    ['incomplete', incompleteReasons],
    ['dropped', dropReasons],
    ['byPath', Object.keys(byPath)],
  ])('%s is worded', (section, names) => {
    for (const name of names) expect(english, name).toHaveProperty([`${section}.${name}`]);
  });
});

describe('words', () => {
  it('are English for a language that has no catalogue', () => {
    expect(wordsFor('fr')('states.waived')).toBe('waived');
  });

  it('give an unknown key back, and a section as its name', () => {
    expect(wordsFor('es')('cli.nowhere')).toBe('cli.nowhere');
  });

  it('take a detail that is named like a setting of the translator as a value', () => {
    expect(wordsFor('en')('faults.context-unknown', { context: 'canon', candidates: 'default', lng: 'es', defaultValue: 'x' })).toBe(
      'There is no context named canon. There are: default.',
    );
  });
});

describe('the language of a terminal', () => {
  it.each([
    [{}, 'en'],
    [{ LANG: 'es_ES.UTF-8' }, 'es'],
    [{ LANG: 'es' }, 'es'],
    [{ LANG: 'es-419' }, 'es'],
    [{ LANG: 'ES_mx@euro' }, 'es'],
    [{ LANG: 'est_EE.UTF-8' }, 'en'],
    [{ LANG: 'et_EE' }, 'en'],
    [{ LANG: 'C.UTF-8' }, 'en'],
    [{ LC_ALL: 'C', LANG: 'es_ES.UTF-8' }, 'en'],
    [{ LC_ALL: '', LC_MESSAGES: 'es_AR', LANG: 'en_US' }, 'es'],
    [{ LC_ALL: 'es_CL', LC_MESSAGES: 'en_US', LANG: 'en_US' }, 'es'],
    [{ LC_MESSAGES: 'en_US', LANG: 'es_ES' }, 'en'],
  ] as const)('of %j is %s', (env, locale) => {
    expect(localeFrom(env)).toBe(locale);
  });
});
