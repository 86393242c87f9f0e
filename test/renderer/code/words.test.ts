import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorReasons } from '#kernel/anchor';
import { codeWords } from '#renderer/code/words.ts';
import en from '../../../src/renderer/code/words/en.json' with { type: 'json' };
import es from '../../../src/renderer/code/words/es.json' with { type: 'json' };
import { flat } from '../../protocol/catalogue.ts';

const english = new Map(flat(en));
const spanish = new Map(flat(es));
const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

describe('the words about code', () => {
  it('are the same keys in both languages, with the same placeholders', () => {
    expect([...spanish.keys()]).toEqual([...english.keys()]);
    for (const [key, text] of english) expect(placeholders(spanish.get(key)!), key).toEqual(placeholders(text));
  });

  it('differ in all but frames', () => {
    const same = [...english].filter(([key, text]) => spanish.get(key) === text && /[a-z]{3}/i.test(text.replace(/\{\{\w+\}\}/g, '')));
    expect(same).toEqual([]);
  });

  it('have every key that the source asks for by name', () => {
    const root = join(import.meta.dirname, '../../../src/renderer/code');
    const texts = readdirSync(root)
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8'));
    const asked = texts.flatMap((text) => [...text.matchAll(/\bwords\(\s*'([\w.-]+)'/g)].map(([, key]) => key!));
    expect(asked.length).toBeGreaterThan(40);
    expect(asked.filter((key) => !english.has(key) && !english.has(`${key}_one`))).toEqual([]);
  });

  it('have a clause for every reason of the format', () => {
    for (const reason of anchorReasons) expect(codeWords('es')(`why.${reason}`), reason).not.toBe(`why.${reason}`);
  });
});
