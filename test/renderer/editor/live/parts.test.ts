import { ensureSyntaxTree } from '@codemirror/language';
import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { Decoration, type DecorationSet } from '@codemirror/view';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decorationsOf, partsOf } from '#renderer/editor/live/drawn.ts';
import { inlineDrawings } from '#renderer/editor/live/inline.ts';
import { type Part, redrawn } from '#renderer/editor/live/parts.ts';
import { references } from '#renderer/editor/live/references.ts';
import { blockDrawings } from '#renderer/editor/live/shapes.ts';
import { grammar } from '#renderer/editor/syntax.ts';

const drawings = { ...blockDrawings, ...inlineDrawings };

function settled(state: EditorState): EditorState {
  ensureSyntaxTree(state, state.doc.length, 30_000);
  return state.update({}).state;
}

const draw = (state: EditorState, seen: readonly Part[]) =>
  decorationsOf(state, seen, drawings, (from, to) => state.selection.ranges.some((range) => range.from <= to && range.to >= from));

/** Decorations as text, so that two ways to them can be compared. */
function said(set: DecorationSet): string[] {
  const found: string[] = [];
  for (const at = set.iter(); at.value !== null; at.next()) {
    const { widget, ...spec } = at.value.spec as { widget?: object };
    found.push(`${at.from}-${at.to} ${JSON.stringify(spec)} ${widget?.constructor.name ?? ''} ${JSON.stringify(widget) ?? ''}`);
  }
  return found.sort();
}

const line = fc.constantFrom(
  '',
  '',
  'one *two* **three** `four`',
  '# heading',
  'under',
  '===',
  '- item [a](b)',
  '  - [ ] inner',
  '1. first',
  '> quote',
  '> [!note] Title',
  '```js',
  '~~~',
  '    code',
  '| a | b |',
  '| --- | --- |',
  '$$',
  '---',
  '<div>',
  '</div>',
  '[^1]: note',
  '==high== [[link|words]] $x$ #tag',
);
const act = fc.record({
  at: fc.nat(),
  length: fc.nat(4),
  insert: fc.constantFrom('', 'x', ' ', '\n', '\n\n', '*', '`', '```\n', '> ', '- ', '# ', '$$', '[', 'x\ny'),
  isMove: fc.boolean(),
});

it('what is drawn part by part is what is drawn of the whole', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 24 }), fc.array(act, { minLength: 1, maxLength: 6 }), (lines, acts) => {
      let state = settled(EditorState.create({ doc: lines.join('\n'), extensions: [grammar, references] }));
      let drawn = Decoration.set(draw(state, [{ from: 0, to: state.doc.length }]), true);
      for (const { at, length, insert, isMove } of acts) {
        const from = at % (state.doc.length + 1);
        const to = Math.min(state.doc.length, from + length);
        const spec: TransactionSpec = isMove
          ? { selection: EditorSelection.range(from, to) }
          : { changes: { from, to, insert }, selection: { anchor: from + insert.length } };
        const { state: next, changes } = state.update(spec);
        const after = settled(next);
        const seen = [{ from: 0, to: after.doc.length }];
        drawn = redrawn(drawn.map(changes), partsOf(state, after, changes, seen), seen, (some) => draw(after, some));
        state = after;
        expect(said(drawn), JSON.stringify(state.doc.toString())).toEqual(said(Decoration.set(draw(state, seen), true)));
      }
    }),
    { numRuns: 300 },
  );
});

it('a letter in one paragraph of many looks at that one', () => {
  const doc = Array.from({ length: 200 }, (_, at) => `Paragraph *${at}* of many.`).join('\n\n');
  const state = settled(EditorState.create({ doc, extensions: [grammar, references], selection: { anchor: 2800 } }));
  const { state: next, changes } = state.update(state.replaceSelection('e'));
  const parts = partsOf(state, settled(next), changes, [{ from: 0, to: next.doc.length }]);
  // The grammar reads the last paragraph anew as well.
  expect(parts.reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThan(200);
});
