import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Language as Grammar, Parser, type TreeCursor } from 'web-tree-sitter';
import { loadGrammar } from '#core/grammars/runtime';
import type { Language } from '#kernel/declaration';
import type { SyntaxTree } from '#kernel/declaration-tree';

type Row = [kind: number, field: number, start: number, end: number, next: number];

const rowsOf = ({ size, kinds, fields, starts, ends, next }: SyntaxTree): Row[] =>
  Array.from({ length: size }, (_, node) => [kinds[node]!, fields[node]!, starts[node]!, ends[node]!, next[node]!]);

/** The same as the runtime's own cursor says it. */
function walked(cursor: TreeCursor, kindNames: readonly string[]): { rows: Row[]; damage: number[] } {
  const rows: Row[] = [];
  const damage: number[] = [];
  const walk = (): void => {
    const kind = cursor.nodeTypeId;
    const isToken = kindNames[kind]?.startsWith("'") ?? false;
    const row: Row = [kind, isToken ? 0 : cursor.currentFieldId, cursor.startIndex, cursor.endIndex, 0];
    if (kind === 0xffff || (cursor.startIndex === cursor.endIndex && cursor.nodeIsMissing)) damage.push(rows.length);
    rows.push(row);
    if (!isToken && cursor.gotoFirstChild()) {
      do walk();
      while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    row[4] = rows.length;
  };
  walk();
  return { rows, damage };
}

const samples: readonly (readonly [Language, string])[] = [
  ['typescript', 'a.ts'],
  ['tsx', 'a.tsx'],
  ['javascript', 'a.js'],
  ['swift', 'a.swift'],
  ['kotlin', 'a.kt'],
  ['python', 'a.py'],
  ['go', 'a.go'],
  ['rust', 'a.rs'],
  ['java', 'a.java'],
];

it.each(samples)('%s: a tree read from memory is the tree that the cursor walks, damaged or not', async (language, file) => {
  const text = readFileSync(new URL(`samples/${file}.txt`, import.meta.url), 'utf8');
  const grammar = await loadGrammar(language);
  const own = await Grammar.load(new Uint8Array(readFileSync(new URL(`../../../grammars/${language}.wasm`, import.meta.url))));
  const both = (source: string) => {
    const read = grammar.parse(source)!;
    const parser = new Parser();
    parser.setLanguage(own);
    const tree = parser.parse(source)!;
    const cursor = tree.walk();
    const expected = walked(cursor, grammar.kindNames);
    for (const part of [cursor, tree, parser]) part.delete();
    expect(rowsOf(read)).toEqual(expected.rows);
    expect(read.damage).toEqual(expected.damage);
    return expected;
  };
  const { rows } = both(text);
  expect(rows.some(([, field]) => field > 0)).toBe(true);
  const blow = fc.tuple(fc.nat(text.length), fc.nat(30), fc.constantFrom('', ' ', '(', '}', 'class ', '"', 'ä😀', '\r\n'));
  fc.assert(
    fc.property(fc.array(blow, { minLength: 1, maxLength: 4 }), (blows) => {
      both(blows.reduce((source, [at, length, added]) => source.slice(0, at) + added + source.slice(at + length), text));
    }),
    { numRuns: 12 },
  );
});
