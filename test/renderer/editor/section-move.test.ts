import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '#renderer/editor/outline.ts';
import { moveSection, placeAbove, placeBelow, sectionEnd } from '#renderer/editor/section-move.ts';

const textOf = (text: string) => Text.of(text.split('\n'));

function moved(text: string, at: number, before: number): string | null {
  const doc = textOf(text);
  const move = moveSection(doc, at, before);
  return move === null ? null : ChangeSet.of(move.changes, doc.length).apply(doc).toString();
}

const line = fc.constantFrom(
  '# One',
  '## Two',
  '### Three',
  'words of a text',
  '',
  '',
  '- item',
  '> quote',
  'Title',
  '===',
  '---',
  '```',
  '#### Four',
);
const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

describe('a section that is moved', () => {
  it('keeps every heading and every line of words, in the order that was asked for', () => {
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(12), (text, at, before) => {
        const doc = textOf(text);
        const headings = outlineOf(doc);
        const result = moved(text, at, before);
        if (result === null) return;
        const end = sectionEnd(headings, at);
        const others = headings.filter((_, index) => index < at || index >= end);
        const place = before < at ? before : before - (end - at);
        const wanted = others.toSpliced(place, 0, ...headings.slice(at, end)).map(({ words }) => words);
        expect(outlineOf(textOf(result)).map(({ words }) => words)).toEqual(wanted);
        const words = (some: string) =>
          some
            .split('\n')
            .filter((one) => one.trim() !== '')
            .sort();
        expect(words(result)).toEqual(words(text));
        expect(result.endsWith('\n')).toBe(text.endsWith('\n'));
      }),
    );
  });

  it('says the line of its heading', () => {
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(12), (text, at, before) => {
        const doc = textOf(text);
        const headings = outlineOf(doc);
        const move = moveSection(doc, at, before);
        if (move === null) return;
        const after = ChangeSet.of(move.changes, doc.length).apply(doc);
        expect(outlineOf(after).find(({ line }) => line === move.line)?.words).toBe(headings[at]!.words);
      }),
    );
  });

  it('goes up with what is below it, and blank lines stay between sections', () => {
    const text = '# A\n\na\n\n# B\n\nb\n\n## B1\n\nb1\n';
    expect(moved(text, 1, 0)).toBe('# B\n\nb\n\n## B1\n\nb1\n\n# A\n\na\n');
    expect(moved(text, 0, 3)).toBe('# B\n\nb\n\n## B1\n\nb1\n\n# A\n\na\n');
  });

  it('stays where nothing would change, and does not go into itself', () => {
    const text = '# A\n\n## A1\n\n## A2\n\n# B\n';
    for (const before of [0, 1, 2, 3]) expect(moved(text, 0, before)).toBeNull();
    expect(moved(text, 9, 0)).toBeNull();
    expect(moved(text, 0, 9)).toBeNull();
  });

  it('stays where an open fence would swallow what follows', () => {
    expect(moved('# A\n\na\n\n# B\n\n```\nopen\n', 1, 0)).toBeNull();
  });

  it('keeps a text apart from a heading that is underlined', () => {
    expect(moved('# A\na\nB\n=\nb', 1, 0)).toBe('B\n=\nb\n\n# A\na');
  });

  it('leaves what stands before the first heading, and the frontmatter, on top', () => {
    expect(moved('---\nt: 1\n---\nwords\n\n# A\n\n# B\n', 1, 0)).toBe('---\nt: 1\n---\nwords\n\n# B\n\n# A\n');
  });

  it('touches nothing that it passes', () => {
    const doc = textOf('# A\n\na\n\n# B\n\nb\n\n# C\n');
    const changes = ChangeSet.of(moveSection(doc, 0, 2)!.changes, doc.length);
    const b = doc.toString().indexOf('# B');
    expect(changes.touchesRange(b + 1, b + 5)).toBe(false);
  });
});

describe('one place up or down', () => {
  const headings = outlineOf(textOf('# A\n## A1\n## A2\n# B\n## B1\n# C\n'));
  it.each([
    [0, null, 5],
    [1, 0, 3],
    [2, 1, 4],
    [3, 0, 6],
    [4, 3, 6],
    [5, 3, null],
  ])('from %i leads before %j, or before %j', (at, above, below) => {
    expect([placeAbove(headings, at), placeBelow(headings, at)]).toEqual([above, below]);
  });
});
