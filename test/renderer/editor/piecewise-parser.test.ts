import { globSync, readFileSync } from 'node:fs';
import { Tree, TreeFragment } from '@lezer/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PiecewiseParser } from '#renderer/editor/piecewise-parser.ts';
import { grammar } from '#renderer/editor/syntax.ts';

const { whole } = grammar.language.parser as PiecewiseParser;
/** Cuts wherever it may. */
const small = new PiecewiseParser(whole, 8);

/** The nodes of a tree with their places. */
function nodesOf(tree: Tree): string[] {
  const nodes: string[] = [];
  tree.iterate({ enter: ({ name, from, to }) => void nodes.push(`${name} ${from} ${to}`) });
  return nodes;
}

const piecesOf = (tree: Tree) => tree.children.filter((piece) => piece instanceof Tree && piece.type.isAnonymous);

const lines = fc.constantFrom(
  ...[
    'text',
    'Ünder',
    '# Head',
    '#',
    '#tag',
    '- item',
    '  more',
    '    deep',
    '1. one',
    '> quote',
    '> ```',
    '- ```',
    '```',
    '~~~',
    '~~~~ js',
    '$$',
  ],
  ...[
    '<div>',
    '</div>',
    '<!-- a',
    '-->',
    '<?php',
    '?>',
    '<pre>',
    '</pre>',
    '| a | b |',
    '| --- | --- |',
    '[^1]: note',
    '[a]: /b',
    '===',
    '---',
    '\t',
  ],
);
const text = fc
  .array(fc.tuple(lines, fc.constantFrom('\n', '\n\n', '\n\n', '\n \n', '\n\n\n')), { minLength: 1, maxLength: 24 })
  .map((parts) => parts.flat().join(''));

describe('a text that is read in pieces', () => {
  it('has the tree that it has as a whole', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(nodesOf(small.parse(source))).toEqual(nodesOf(whole.parse(source)));
      }),
      { numRuns: 1500 },
    );
  });

  it('has it after any edits, whose trees are built on each other', () => {
    const insert = fc.oneof(lines, fc.constantFrom('', '\n', '\n\n', '`', 'x', '\n\ntext\n\n', '<', ' '));
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(12), insert), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, edits, (source, changes) => {
        let [now, tree] = [source, small.parse(source)];
        let fragments = TreeFragment.addTree(tree);
        for (const [place, length, put] of changes) {
          const fromA = place % (now.length + 1);
          const toA = Math.min(now.length, fromA + length);
          now = now.slice(0, fromA) + put + now.slice(toA);
          // A gap of two lines instead of the usual 128 characters: with none Lezer's own reading takes over what a line beside it made another block.
          fragments = TreeFragment.applyChanges(fragments, [{ fromA, toA, fromB: fromA, toB: fromA + put.length }], 40) as TreeFragment[];
          tree = small.parse(now, fragments);
          fragments = TreeFragment.addTree(tree, fragments) as TreeFragment[];
          expect(nodesOf(tree)).toEqual(nodesOf(whole.parse(now)));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('is one of a hundred real ones', () => {
    const files = globSync('node_modules/**/*.md')
      .sort()
      .slice(0, 300)
      .filter((_, at) => at % 3 === 0);
    expect(files.length).toBe(100);
    for (const file of files) {
      const source = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
      expect(nodesOf(small.parse(source))).toEqual(nodesOf(whole.parse(source)));
    }
  });

  it('keeps all its pieces but the one that is typed in', () => {
    const source = Array.from({ length: 400 }, (_, at) => `# Head ${at}\n\nSome words in a paragraph, and *some* more.`).join('\n\n');
    const { parser } = grammar.language;
    const before = parser.parse(source);
    expect(piecesOf(before).length).toBeGreaterThan(4);
    const place = source.indexOf('Head 200');
    const after = `${source.slice(0, place)}e${source.slice(place)}`;
    const fragments = TreeFragment.applyChanges(TreeFragment.addTree(before), [{ fromA: place, toA: place, fromB: place, toB: place + 1 }]);
    const tree = parser.parse(after, fragments);
    const known = new Set(before.children);
    expect(tree.children.filter((piece) => !known.has(piece)).length).toBe(1);
  });

  it('can be left half read, and read on from there', () => {
    const source = 'Words\n\n'.repeat(4000);
    const { parser } = grammar.language;
    const parse = parser.startParse(source);
    parse.stopAt(9000);
    let tree: Tree | null = null;
    while (tree === null) tree = parse.advance();
    expect(tree.length).toBe(parse.stoppedAt);
    expect(tree.length).toBeGreaterThanOrEqual(9000);
    expect(tree.length).toBeLessThan(16_000);
    const rest = parser.parse(source, TreeFragment.addTree(tree, [], true));
    expect(nodesOf(rest)).toEqual(nodesOf(whole.parse(source)));
    expect(rest.children.slice(0, tree.children.length)).toEqual(tree.children);
  });
});
