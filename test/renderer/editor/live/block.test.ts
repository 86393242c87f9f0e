import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attention } from '#renderer/editor/live/attention.ts';
import { type DrawBlock, drawnBlocks, staleRange } from '#renderer/editor/live/block.ts';
import { drawDiagram } from '#renderer/editor/live/diagram.ts';
import { drawFormulaBlock } from '#renderer/editor/live/math.ts';
import { drawTable } from '#renderer/editor/live/table-widget.ts';
import { grammar } from '#renderer/editor/syntax.ts';

const extensions: Extension = [
  attention,
  grammar,
  drawnBlocks({ Table: drawTable as DrawBlock, MathBlock: drawFormulaBlock, FencedCode: drawDiagram }),
];

/** The blocks that are drawn in a state: where, and what. */
function drawnIn(state: EditorState): string[] {
  const found: string[] = [];
  for (const set of state.facet(EditorView.decorations)) {
    if (typeof set === 'function') continue;
    for (const cursor = set.iter(); cursor.value !== null; cursor.next()) {
      const { widget } = cursor.value.spec as { widget: object };
      found.push(`${cursor.from}-${cursor.to} ${widget.constructor.name} ${Object.values(widget).join('~')}`);
    }
  }
  return found;
}

/** A state whose document was read to its end, as a view would see to. */
function settled(state: EditorState): EditorState {
  ensureSyntaxTree(state, state.doc.length, 30_000);
  // A tree that was read on is taken over by the next transaction.
  return state.update({}).state;
}

const make = (doc: string) => settled(EditorState.create({ doc, extensions }));

const line = fc.constantFrom(
  '',
  'text',
  '| a | b |',
  '| --- | --- |',
  '| c |',
  '$$',
  'x^2',
  '```mermaid',
  'graph LR',
  '```',
  '> | a |',
  '> | - |',
  '- item',
  '  $$',
  '# h',
  '<div>',
  '</div>',
);
const doc = fc.array(line, { maxLength: 24 }).map((lines) => lines.join('\n'));
const edit = fc.tuple(fc.nat(), fc.nat(5), fc.constantFrom('', 'x', '\n', '\n\n', '`', '```\n', '$$', '|', '\n| --- | --- |\n', '> ', '<'));

describe('the blocks that are drawn', () => {
  it('are after any edits those of a document that was opened so', () => {
    fc.assert(
      fc.property(doc, fc.array(edit, { minLength: 1, maxLength: 5 }), (before, edits) => {
        let state = make(before);
        for (const [start, length, insert] of edits) {
          const from = start % (state.doc.length + 1);
          state = settled(state.update({ changes: { from, to: Math.min(state.doc.length, from + length), insert } }).state);
          expect(drawnIn(state), state.doc.toString()).toEqual(drawnIn(make(state.doc.toString())));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('are none in the frontmatter', () => {
    expect(drawnIn(make('---\n| a |\n| - |\n---\n\n| b |\n| - |\n'))).toHaveLength(1);
  });

  it('are looked for again only around an edit', () => {
    const part = `# Heading\n\n${'Some text of a paragraph. '.repeat(10)}\n\n| a | b |\n| - | - |\n| c | d |\n\n`;
    const state = make(part.repeat(200));
    const at = part.length * 100 + 20;
    const { state: next, changes } = state.update({ changes: { from: at, insert: 'x' } });
    const after = settled(next);
    const range = staleRange(syntaxTree(state), syntaxTree(after), changes, state.doc.length, after.doc);
    expect(range.from).toBeGreaterThan(at - part.length);
    expect(range.to).toBeLessThan(at + part.length);
    expect(drawnIn(after)).toHaveLength(200);
  });
});
