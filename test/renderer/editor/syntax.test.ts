import { TreeFragment } from '@lezer/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grammar } from '#renderer/editor/syntax.ts';

const { parser } = grammar.language;

/** The names of the nodes of ours in a text, each with its source. */
function found(source: string): string[] {
  const nodes: string[] = [];
  const ours = /^(?:Highlight|InlineMath|MathBlock|Wikilink|WikilinkTarget|WikilinkWords|Embed|Footnote\w+|CalloutKind|Tag)$/u;
  parser.parse(source).iterate({
    enter: ({ name, from, to }) => void (ours.test(name) && nodes.push(`${name} ${source.slice(from, to)}`)),
  });
  return nodes;
}

describe('our Markdown', () => {
  it.each([
    ['a ==b== c', ['Highlight ==b==']],
    ['a == b == c', []],
    ['a === b ===', []],
    ['$x$ and $y_1$', ['InlineMath $x$', 'InlineMath $y_1$']],
    ['it costs $5 and $6', []],
    ['$ x $', []],
    ['\\$x$', []],
    ['a $$x$$ b', ['InlineMath $$x$$']],
    ['`$x$`', []],
    ['$$\nx\n$$', ['MathBlock $$\nx\n$$']],
    ['$$ x $$', ['MathBlock $$ x $$']],
    ['$$\nx\n\ny', ['MathBlock $$\nx']],
    ['> $$\n> x\n> $$\n\ny', ['MathBlock $$\n> x\n> $$']],
    ['[[a]]', ['Wikilink [[a]]', 'WikilinkTarget a']],
    ['[[a#b|c]]', ['Wikilink [[a#b|c]]', 'WikilinkTarget a#b', 'WikilinkWords c']],
    ['![[a.png]]', ['Embed ![[a.png]]', 'WikilinkTarget a.png']],
    ['| [[a\\|b]] |\n| --- |', ['Wikilink [[a\\|b]]', 'WikilinkTarget a', 'WikilinkWords b']],
    ['[[]] [[a\nb]]', []],
    ['a[^1]', ['FootnoteReference [^1]']],
    ['[^1]: a *b*', ['FootnoteDefinition [^1]: a *b*', 'FootnoteLabel [^1]:']],
    ['[^a]: b\n[^c]: d', ['FootnoteDefinition [^a]: b', 'FootnoteLabel [^a]:', 'FootnoteDefinition [^c]: d', 'FootnoteLabel [^c]:']],
    ['> [!note] A\n> b', ['CalloutKind [!note]']],
    ['> [!tip]-\n> b', ['CalloutKind [!tip]-']],
    ['a [!note]', []],
    ['#one and #two/three, #4 a#b `#c`', ['Tag #one', 'Tag #two/three']],
    ['- #año\n\n# #in a heading', ['Tag #año', 'Tag #in']],
    ['\\#a [#b](#c) #d/-', ['Tag #d']],
    ['```\n#a\n```', []],
  ])('%j', (source, nodes) => expect(found(source)).toEqual(nodes));

  it('is read after an edit as if it were read anew', () => {
    const line = fc.constantFrom(
      '$$',
      'x $a$',
      '',
      '> [!note] t',
      '> b',
      '[^1]: note',
      '    more',
      '- [[a]]',
      '==h==',
      '```',
      '| a | b |',
      '| --- | --- |',
      'text',
    );
    const doc = fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(
        doc,
        fc.nat(),
        fc.nat(4),
        fc.constantFrom('', 'x', '$$', '\n', '\n\n', '`', '|', '> ', '    ', '\n$$\n'),
        (before, start, length, insert) => {
          const from = start % (before.length + 1);
          const to = Math.min(before.length, from + length);
          const after = before.slice(0, from) + insert + before.slice(to);
          const changed = [{ fromA: from, toA: to, fromB: from, toB: from + insert.length }];
          const fragments = TreeFragment.applyChanges(TreeFragment.addTree(parser.parse(before)), changed);
          expect(parser.parse(after, fragments).toString()).toBe(parser.parse(after).toString());
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is read in time that grows with the text, whatever stands in it', () => {
    // A mark that is never closed looks only so far for its end.
    for (const part of ['$a ', '==a ', '[[a', '[^a', '$$a ', '[!a'])
      expect(parser.parse(part.repeat(20_000)).length).toBe(part.length * 20_000);
  });
});
