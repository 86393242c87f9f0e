import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseLocale, faultWords, locale, say, wordsIn } from '#renderer/words.ts';
import en from '../../src/renderer/words/en.json' with { type: 'json' };
import es from '../../src/renderer/words/es.json' with { type: 'json' };
import { flat } from '../protocol/catalogue.ts';

const english = Object.fromEntries(flat(en));
const spanish = Object.fromEntries(flat(es));
const placeholders = (text: string) => (text.match(/\{\{\w+\}\}|\$(?!t)/g) ?? []).sort();

describe('the words of the window', () => {
  it('are the same keys with the same placeholders in both languages', () => {
    expect(Object.keys(spanish)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(english)) expect(placeholders(spanish[key]!), key).toEqual(placeholders(text));
  });

  it('differ in all but names', () => {
    const same = Object.keys(english).filter((key) => english[key] === spanish[key]);
    expect(same).toEqual([
      'settings.section-editor',
      'settings.heading-editor',
      'settings.language.options.en',
      'settings.language.options.es',
    ]);
  });

  it('have every key that the source asks for by name', () => {
    const root = join(import.meta.dirname, '../../src/renderer');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !/^(breakdown|code)\b/.test(file),
    );
    const asked = files.flatMap((file) =>
      Array.from(readFileSync(join(root, file), 'utf8').matchAll(/\b(?:words|say)\(\s*'([\w.-]+)'/g), ([, key]) => key!),
    );
    expect(asked.length).toBeGreaterThan(80);
    const known = (key: string) => key in english || `${key}_one` in english;
    expect(asked.filter((key) => !known(key))).toEqual([]);
  });

  it('never say upstream, downstream or derived', () => {
    for (const [key, text] of Object.entries({ ...english, ...spanish }))
      expect(text, key).not.toMatch(/upstream|downstream|deriv(ed|ad)/i);
  });

  it('count', () => {
    expect([1, 2].map((count) => wordsIn('es')('status.words', { count, words: String(count) }))).toEqual(['1 palabra', '2 palabras']);
  });

  it('follow the setting, and the system where that says so', () => {
    chooseLocale('es', 'en-GB');
    expect([locale.getState().locale, say('dialog.cancel')]).toEqual(['es', 'Cancelar']);
    chooseLocale('system', 'es-419');
    expect(locale.getState().locale).toBe('es');
    chooseLocale('system', 'et-EE');
    expect([locale.getState().locale, say('dialog.cancel')]).toEqual(['en', 'Cancel']);
  });

  it('have a sentence for a fault, the window’s own where the general one speaks of the command line', () => {
    expect(faultWords('no-workspace-record', {}, 'en')).not.toContain('`');
    expect(faultWords('disk-full', { path: 'a.md' }, 'es')).toContain('a.md');
  });
});
