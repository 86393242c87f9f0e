import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Fault } from '#protocol/fault';
import { chooseLocale, faultWords, locale, problemWords, say, wordsIn } from '#renderer/words.ts';
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

  it('say a fault in the language of the window, whatever its message is for programs', () => {
    chooseLocale('es');
    const fault = new Fault('disk-full', { path: 'one.md' });
    expect(problemWords(fault)).toBe(faultWords('disk-full', { path: 'one.md' }, 'es'));
    expect(problemWords(fault)).not.toBe(fault.message);
    expect(problemWords(new TypeError('Of the system.'))).toBe('Of the system.');
    chooseLocale('en');
  });

  it('stand where a message of an error could be shown: as they are only those of KaTeX, of Mermaid and of our own bugs', () => {
    const root = join(import.meta.dirname, '../../src/renderer');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    const message = /\b(?:error|problem|reason|fault)\.message\b|String\((?:error|problem|fault)\)/;
    const bug = /'bug', (?:detail: )?\{ problem: String\(error\) \}/g;
    const shows = files.filter((file) => message.test(readFileSync(join(root, file), 'utf8').replaceAll(bug, '')));
    expect(shows.sort()).toEqual([
      'editor/live/diagram-picture.ts',
      'editor/live/math.ts',
      'export/manuscript-worker.ts',
      'reading/finish.ts',
      'reading/reading-worker.ts',
      'words.ts',
    ]);
  });
});
