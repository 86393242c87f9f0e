import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageForPath, parseDeclarations, parseStored } from '#core/grammars/parse';
import { loadGrammar } from '#core/grammars/runtime';
import type { Declaration, Language } from '#kernel/declaration';
import { parseText } from '../../helpers/declarations.ts';

const samples: Readonly<Record<Language, string>> = {
  typescript: 'a.ts',
  tsx: 'a.tsx',
  javascript: 'a.js',
  swift: 'a.swift',
  kotlin: 'a.kt',
  python: 'a.py',
  go: 'a.go',
  rust: 'a.rs',
  java: 'a.java',
};
const languages = Object.keys(samples) as Language[];
const read = (language: Language) => readFileSync(new URL(`samples/${samples[language]}.txt`, import.meta.url), 'utf8');

/** What stands between two tokens can be more, where the language does not read it. */
const fillers: Readonly<Record<Language, readonly string[]>> = {
  typescript: [' ', '  ', '\t', '/* c */', ' /* d\n */ '],
  tsx: [' ', '  ', '\t', '/* c */'],
  javascript: [' ', '  ', '\t', '/* c */'],
  swift: [' ', '\t', ' /* c */ '],
  kotlin: [' ', '\t', ' /* c */ '],
  python: [' ', '  ', '\t'],
  go: [' ', '\t', ' /* c */ '],
  rust: [' ', '\n', '/* c */', ' // d\n'],
  java: [' ', '\n', '/* c */', ' // d\n'],
};

/** Places between tokens where white space stands already, and none of them inside a text. */
async function borders(language: Language, text: string): Promise<number[]> {
  const tree = (await loadGrammar(language)).parse(text);
  if (tree === null) throw new RangeError('The sample cannot be read.');
  const places: number[] = [];
  let last = 0;
  for (let node = 0; node < tree.size; node++) {
    if (tree.next[node] !== node + 1 || tree.starts[node] === tree.ends[node]) continue;
    const start = tree.starts[node] as number;
    const between = text.slice(last, start);
    if (between !== '' && /^[ \t]+$/u.test(between) && text[last - 1] !== '\n') places.push(start);
    last = tree.ends[node] as number;
  }
  return places;
}

const hashes = (declarations: readonly Declaration[]) =>
  declarations.map(({ kind, qualifiedName, bodyHash, signatureHash, tokenHash }) => [
    kind,
    qualifiedName,
    bodyHash,
    signatureHash,
    tokenHash,
  ]);

describe.each(languages)('%s', (language) => {
  const path = samples[language];
  const text = read(language);

  it('reads the sample without stumbling', async () => {
    const parsed = await parseText(path, text);
    expect(parsed.parseErrors).toBe(0);
    expect(parsed.declarations.length).toBeGreaterThan(8);
  });

  it('hashes alike whatever stands between tokens', async () => {
    const places = await borders(language, text);
    expect(places.length).toBeGreaterThan(20);
    const expected = hashes((await parseText(path, text)).declarations);
    const filler = fc.tuple(fc.nat(places.length - 1), fc.constantFrom(...fillers[language]));
    await fc.assert(
      fc.asyncProperty(fc.array(filler, { minLength: 1, maxLength: 12 }), async (fillings) => {
        let filled = text;
        for (const [index, added] of fillings.sort(([a], [b]) => b - a)) {
          const at = places[index] as number;
          filled = filled.slice(0, at) + added + filled.slice(at);
        }
        const parsed = await parseText(path, filled);
        // Some grammars stumble over a comment in the middle of a declaration: then they say so.
        fc.pre(parsed.parseErrors === 0);
        expect(hashes(parsed.declarations)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('hashes alike with blank lines and line ends of Windows', async () => {
    const expected = hashes((await parseText(path, text)).declarations);
    // A blank line is nothing between top-level statements of any of the languages.
    expect(hashes((await parseText(path, text.replaceAll(/\n\n(?=\S)/gu, '\n\n\n\n'))).declarations)).toEqual(expected);
    expect(hashes((await parseText(path, text.replaceAll('\n', '\r\n'))).declarations)).toEqual(expected);
  });

  it('hashes a stored text as it hashed it in its file', async () => {
    const { declarations } = await parseText(path, text);
    const restored = await Promise.all(
      declarations.map((declaration) => parseStored({ ...declaration, text: text.slice(declaration.start, declaration.end) })),
    );
    expect(restored.map((declaration) => declaration && hashes([declaration]))).toEqual(declarations.map((one) => hashes([one])));
  });

  it('survives any damage', async () => {
    const bytes = new TextEncoder().encode(text);
    const blow = fc.tuple(fc.nat(bytes.length - 1), fc.nat(bytes.length), fc.uint8Array({ maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(fc.array(blow, { minLength: 1, maxLength: 5 }), async (blows) => {
        let damaged: Uint8Array = bytes;
        for (const [at, length, added] of blows)
          damaged = Buffer.concat([damaged.subarray(0, at), added, damaged.subarray(at + (length % 40))]);
        const parsed = await parseDeclarations(damaged, path, { trigrams: true });
        for (const { start, end, lineStart, lineEnd } of parsed?.declarations ?? []) {
          expect(start).toBeLessThanOrEqual(end);
          expect(lineStart).toBeLessThanOrEqual(lineEnd);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('reads nothing that is no text', async () => {
    expect(await parseDeclarations(Uint8Array.of(0x66, 0xff, 0xfe), path)).toBeNull();
  });

  it('gives up on what nobody wrote, and goes on', async () => {
    const deep = await parseDeclarations(new TextEncoder().encode(`${'('.repeat(20_000)}`), path);
    expect(deep === null || deep.parseErrors > 0).toBe(true);
    expect((await parseText(path, text)).parseErrors).toBe(0);
  });
});

describe('files', () => {
  it('are told by their extension, in any case', () => {
    const paths = ['a.ts', 'a.d.ts', 'a.MTS', 'a.cts', 'a.tsx', 'a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.kts', 'a.pyi', 'x/[id]/ä.rs'];
    expect(paths.map(languageForPath)).toEqual([
      ...Array(4).fill('typescript'),
      'tsx',
      ...Array(4).fill('javascript'),
      'kotlin',
      'python',
      'rust',
    ]);
    expect(['a.md', 'ts', 'a.vue', 'a.ts.bak', ''].map(languageForPath)).toEqual([null, null, null, null, null]);
  });

  it('say themselves that they were generated', async () => {
    expect((await parseText('a.go', '// Code generated by x. DO NOT EDIT.\npackage a\n')).generated).toBe(true);
    expect((await parseText('a.ts', '/** @generated */\nexport {};\n')).generated).toBe(true);
    expect((await parseText('a.ts', 'export const generated = 1;\n')).generated).toBe(false);
  });
});
