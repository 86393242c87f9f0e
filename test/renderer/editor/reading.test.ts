import { markdown } from '@codemirror/lang-markdown';
import { ChangeSet, EditorState, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyStart, frontOf } from '#renderer/editor/front.ts';
import { addressAt } from '#renderer/editor/link.ts';
import { targetOf } from '#renderer/editor/link-target.ts';
import { countWords, minutesToRead, recount, tallyOf } from '#renderer/editor/tally.ts';

const text = (source: string) => Text.of(source.split('\n'));

describe('what stands in front of a text', () => {
  it('is nothing, or the frontmatter to the end of its fence', () => {
    expect(frontOf(text('# A\n---\n'))).toBeNull();
    expect(frontOf(text('---\ntitle: A\n---\n# A'))).toEqual({ all: { from: 0, to: 16 }, identity: [] });
  });

  it('shows where the identity block is, and that it is all there is', () => {
    const mixed = text('---\ntitle: A\nvmark:\n  id: x\nend: 1\n---\ntext');
    const [block] = frontOf(mixed)!.identity;
    expect(mixed.sliceString(block!.from, block!.to)).toBe('vmark:\n  id: x');
    const alone = text('---\nvmark:\n  id: x\n---\ntext');
    expect(frontOf(alone)!.identity).toEqual([{ from: 0, to: 22 }]);
  });

  it('lets the cursor begin behind it', () => {
    const start = (doc: string) => bodyStart(EditorState.create({ doc }));
    expect(['text', '---\na: b\n---\ntext', '---\na: b\n---'].map(start)).toEqual([0, 13, 12]);
  });
});

describe('words', () => {
  it.each([
    ['', 0],
    ['one two', 2],
    ["don’t won't café-bar 3.5", 4],
    ['— … *** #', 0],
    ['¿Quién eres?', 2],
    ['海の船', 3],
    ['one ภาษาไทย two', 4],
    ['**bold**word', 2],
  ])('of %j are %i', (source, count) => expect(countWords(source)).toBe(count));

  it('leave the frontmatter out, and are not counted in a very long text', () => {
    expect(tallyOf(text('---\ntitle: a b c\n---\none two'))).toEqual({ words: 2, characters: 7 });
    expect(tallyOf(Text.of(['x'.repeat(5_000_001)]))).toEqual({ words: null, characters: null });
  });

  it('are after any change as if all were counted anew', () => {
    const part = fc.constantFrom('one two ', "don't", '\n', '\n\n', '---\n', 'title: a\n', ' ', '海', '👩‍👩‍👧', 'cafe\u0301', '# h', '\t');
    const edit = fc.tuple(fc.nat(), fc.nat(6), part);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.array(edit, { minLength: 1, maxLength: 4 }), (parts, edits) => {
        const doc = text(parts.join(''));
        // Several at once, each in the document as it was.
        const specs = edits.map(([at, length, insert]) => {
          const from = at % (doc.length + 1);
          return { from, to: Math.min(doc.length, from + length), insert };
        });
        const apart = specs.sort((a, b) => a.from - b.from).filter(({ from }, at) => at === 0 || from >= specs[at - 1]!.to);
        const changes = ChangeSet.of(apart.length === specs.length ? apart : apart.slice(0, 1), doc.length);
        const after = changes.apply(doc);
        const { words, characters } = tallyOf(doc);
        const followed = recount({ doc, words: words!, characters: characters! }, changes, after);
        if (followed !== null) expect(followed).toEqual({ doc: after, ...tallyOf(after) });
      }),
      { numRuns: 500 },
    );
  });

  it('are followed where somebody types', () => {
    const doc = text('---\ntitle: a\n---\none two\n');
    const changes = ChangeSet.of({ from: doc.length, insert: 'three' }, doc.length);
    expect(recount({ doc, words: 2, characters: 7 }, changes, changes.apply(doc))).toMatchObject({ words: 3, characters: 13 });
  });

  it('take the time that somebody reads', () => {
    expect([0, 230, 2300].map(minutesToRead)).toEqual([1, 1, 10]);
  });

  it('have letters as readers count them', () => {
    expect(['cafe\u0301', '👩‍👩‍👧', '𝕬b', '海の船'].map((word) => tallyOf(text(word)).characters)).toEqual([4, 1, 2, 3]);
  });
});

describe('where a link leads', () => {
  it.each([
    ['https://example.org/a', { kind: 'outside', url: 'https://example.org/a' }],
    ['mailto:a@b.c', { kind: 'outside', url: 'mailto:a@b.c' }],
    ['javascript:alert(1)', { kind: 'refused' }],
    ['JavaScript:alert(1)', { kind: 'refused' }],
    [' javascript:alert(1)', { kind: 'refused' }],
    ['data:text/html,x', { kind: 'refused' }],
    ['file:///etc/passwd', { kind: 'refused' }],
    ['//host/share', { kind: 'refused' }],
    ['../../out.md', { kind: 'refused' }],
    ['../bible/marcus.md#habits', { kind: 'document', path: 'bible/marcus.md', heading: 'habits' }],
    ['two%20words.md', { kind: 'document', path: 'chapters/two words.md', heading: null }],
    ['#here', { kind: 'document', path: 'chapters/a.md', heading: 'here' }],
    ['/outline.md', { kind: 'document', path: 'outline.md', heading: null }],
    ['<b.md>', { kind: 'document', path: 'chapters/b.md', heading: null }],
    ['%E0%A4%A', { kind: 'document', path: 'chapters/%E0%A4%A', heading: null }],
    ['', { kind: 'refused' }],
  ])('%j', (address, target) => expect(targetOf(address, 'chapters/a.md')).toEqual(target));

  it('is read from the link around the place, its reference, or an address alone', () => {
    const state = EditorState.create({ doc: 'a [text](b.md) <https://c.d> [ref] end\n\n[ref]: e.md\n', extensions: [markdown()] });
    expect([0, 4, 10, 18, 31, 36].map((at) => addressAt(state, at))).toEqual([null, 'b.md', 'b.md', 'https://c.d', 'e.md', null]);
  });
});
