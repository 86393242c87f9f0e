import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { Decoration } from '@codemirror/view';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decorationsOf } from '#renderer/editor/live/drawn.ts';
import { inlineDrawings } from '#renderer/editor/live/inline.ts';
import { references } from '#renderer/editor/live/references.ts';
import { blockDrawings } from '#renderer/editor/live/shapes.ts';
import { grammar } from '#renderer/editor/syntax.ts';

const drawings = { ...blockDrawings, ...inlineDrawings };

/** What is hidden or drawn instead of a document's text while the cursor is at a place; null: nowhere. */
function hiddenIn(doc: string, cursor: number | null): { from: number; to: number }[] {
  const state = EditorState.create({ doc, extensions: [grammar, references] });
  ensureSyntaxTree(state, doc.length, 30_000);
  const settled = state.update({}).state;
  const drawn = decorationsOf(
    settled,
    [{ from: 0, to: doc.length }],
    drawings,
    (from, to) => cursor !== null && cursor >= from && cursor <= to,
  );
  expect(settled.doc.toString()).toBe(doc);
  const hidden: { from: number; to: number }[] = [];
  for (const at = Decoration.set(drawn, true).iter(); at.value !== null; at.next()) {
    const isReplaced = at.from < at.to && (at.value.spec as { class?: string; attributes?: object }).class === undefined;
    if (isReplaced && (at.value.spec as { attributes?: object }).attributes === undefined) hidden.push({ from: at.from, to: at.to });
  }
  return hidden;
}

/** What is left of a text once what is hidden is taken out. */
const seen = (doc: string) => hiddenIn(doc, null).reduceRight((text, { from, to }) => text.slice(0, from) + text.slice(to), doc);

describe('what is hidden of a text', () => {
  it.each([
    ['a *b* **c** ~~d~~ ==e== `f`', 'a b c d e f'],
    ['[a](b "t") and [c][d] and [e]\n\n[d]: x', 'a and c and [e]\n\n[d]: x'],
    ['[not a link] [ ] [x]', '[not a link] [ ] [x]'],
    ['## A ##\n\nB\n===', 'A\n\nB\n'],
    ['> a\n> > b\n> c', 'a\nb\nc'],
    ['- a\n  - b\n    c\n1. d', 'a\nb\nc\nd'],
    ['- [ ] a\n- [x] b', 'a\nb'],
    ['[[a]] [[b|c]] \\* \\q', 'a c * \\q'],
    ['`` ` `` <https://a.b>', ' `  https://a.b'],
    ['```js\nlet *a*\n```', '\nlet *a*\n'],
    ['---\ntitle: *x*\n---\n*a*', '---\ntitle: *x*\n---\na'],
    ['a  \nb\\\nc', 'a  \nb\\\nc'],
    ['<b>a</b> &amp;', '<b>a</b> &amp;'],
  ])('%j', (doc, left) => expect(seen(doc)).toBe(left));

  const part = fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '~~',
    '==',
    '[',
    ']',
    '](b.md)',
    '[[',
    ']]',
    '!',
    '$',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '- [ ] ',
    '# ',
    '```\n',
    '---\n',
    'word',
    ' ',
    '日本',
    'שלום',
    '\\',
    '|',
    '[^a]',
    '    ',
    '\t',
    '<',
    '>',
  );
  const doc = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));

  it('never holds a line break, nor the cursor', () => {
    fc.assert(
      fc.property(doc, fc.nat(), (text, pick) => {
        const cursor = pick % (text.length + 1);
        for (const { from, to } of hiddenIn(text, cursor)) {
          expect(text.slice(from, to)).not.toContain('\n');
          expect(from < cursor && cursor < to, `${from}-${to} around ${cursor}`).toBe(false);
        }
      }),
      { numRuns: 600 },
    );
  });
});
