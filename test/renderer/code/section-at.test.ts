import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOfSection, sectionAt, sectionsOf } from '#renderer/code/section-at.ts';

const text = '# A\n\nintro\n\n## B\n\nb\n\n## C\n\nc';

describe('the section that is anchored', () => {
  it('is the innermost one that a place is in, up to the very end', () => {
    const at = (words: string) => sectionAt(text, text.indexOf(words))?.path;
    expect([at('intro'), at('b\n'), at('## C'), sectionAt(text, text.length)?.path]).toEqual([['A'], ['A', 'B'], ['A', 'C'], ['A', 'C']]);
    expect(sectionAt('no heading', 3)).toBeNull();
  });

  it('is one that its path leads to alone', () => {
    const twice = '# A\n\n## B\n\n## B\n\n# D\n';
    expect(sectionsOf(twice).map(({ path }) => path)).toEqual([['A'], ['D']]);
    expect(sectionAt(twice, twice.lastIndexOf('## B') + 2)?.path).toEqual(['A']);
    expect(placeOfSection(twice, ['A', 'B'], 0)).toBeNull();
  });

  it('is found again at its own place, whatever the text', () => {
    const line = fc.constantFrom('# A', '## B', '### C', '## A', '```', 'words', '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const made = lines.join('\n');
        for (const { path, start } of sectionsOf(made)) expect(placeOfSection(made, path, 0)).toBe(start);
      }),
    );
  });
});
