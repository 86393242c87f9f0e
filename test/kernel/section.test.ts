import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { maskIdentity } from '#kernel/identity';
import { contentHash } from '#kernel/revision';
import { headings, resolveSection, type SectionReading, sectionPaths, sectionStatus } from '#kernel/section';
import { canonicalText } from '#kernel/text';
import { vectorsOf } from '../helpers/vectors.ts';

interface AnchorVector {
  readonly name: string;
  readonly document: string;
  readonly path: string[];
  readonly outcome: string;
  readonly anchored_hash: string | null;
}

interface StatusVector {
  readonly resolution: string;
  readonly status: string | null;
  readonly ours?: { readonly status: string };
}

const { utf8Length } = digest;
const resolve = (text: string, ...path: string[]) => resolveSection(text, path, utf8Length);
const sectionText = (text: string, ...path: string[]) => {
  const outcome = resolve(text, ...path);
  return outcome.kind === 'found' ? text.slice(outcome.start, outcome.end) : outcome.kind;
};
const texts = (text: string) => headings(text).map((heading) => heading.text);

const line = fc.oneof(
  fc.constantFrom(
    '```',
    '````',
    '~~~',
    '``` js',
    '# A',
    '## A',
    '## B',
    '### B',
    '#### C #',
    '# ',
    '####### D',
    '   ## C',
    '    # E',
    'words',
    '',
    '#tag',
    '# C#',
    '#\u00a0N',
  ),
  fc.string({ unit: fc.constantFrom(...'#`~ \tab\u00a0\u0085\r'), maxLength: 8 }),
);
const document = fc.array(line, { maxLength: 25 }).map((lines) => lines.join('\n'));

describe('a section path', () => {
  it.each(vectorsOf<AnchorVector>('section_anchor'))('resolves as in vector "$name"', (vector) => {
    const masked = maskIdentity(canonicalText(vector.document));
    const outcome = resolveSection(masked, vector.path, utf8Length);
    expect(outcome.kind).toBe(vector.outcome);
    const hash = outcome.kind === 'found' ? contentHash(digest, masked.slice(outcome.start, outcome.end)) : null;
    expect(hash).toBe(vector.anchored_hash);
  });

  it('that is offered resolves to its own heading, and no two are the same', () => {
    fc.assert(
      fc.property(document, (text) => {
        const paths = sectionPaths(text, utf8Length);
        const starts = paths.map((path) => {
          const outcome = resolveSection(text, path, utf8Length);
          expect(outcome.kind).toBe('found');
          return outcome.kind === 'found' ? outcome.start : -1;
        });
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        expect(new Set(paths.map((path) => JSON.stringify(path))).size).toBe(paths.length);
      }),
    );
  });

  it('keeps its section when text after the section changes', () => {
    fc.assert(
      fc.property(document, (text) => {
        const before = sectionText(`# Only\n\nbody\n# Next\n${text}`, 'Only');
        expect(['# Only\n\nbody\n', 'ambiguous']).toContain(before);
      }),
    );
  });

  it('is offered for each section by its full path, shallow ones too', () => {
    expect(sectionPaths('# A\n## B\n### C\n## D\n# E\n', utf8Length)).toEqual([['A'], ['A', 'B'], ['A', 'B', 'C'], ['A', 'D'], ['E']]);
  });

  it('is not offered when it is ambiguous, blank, too long or under a shallower sibling', () => {
    expect(sectionPaths('# A\n# A\n', utf8Length)).toEqual([]);
    expect(sectionPaths('#\n## B\n', utf8Length)).toEqual([]);
    expect(sectionPaths(`# ${'é'.repeat(257)}\n`, utf8Length)).toEqual([]);
    expect(sectionPaths(`# ${'é'.repeat(256)}\n`, utf8Length)).toHaveLength(1);
    expect(sectionPaths('# P\n### deep\n## mid\n', utf8Length)).toEqual([['P'], ['P', 'mid']]);
  });

  it('counts bytes, not characters, and 16 segments at most', () => {
    expect(resolve('# A\n', 'é'.repeat(257)).kind).toBe('invalid');
    expect(resolve('# A\n', 'é'.repeat(256)).kind).toBe('not-found');
    expect(resolve('# A\n', ...Array<string>(16).fill('x')).kind).toBe('not-found');
    expect(resolve('# A\n', '\u00a0\u3000').kind).toBe('invalid');
  });

  it('takes subsections along and ends before the next heading of its level or above', () => {
    expect(sectionText('## A\n### B\nx\n# C\n', 'A')).toBe('## A\n### B\nx\n');
    expect(sectionText('# A\r', 'A')).toBe('# A\r');
  });
});

describe('headings', () => {
  it('nest: a section ends inside every section it began in', () => {
    fc.assert(
      fc.property(document, (text) => {
        const all = headings(text);
        for (const outer of all) {
          expect(outer.start).toBeLessThan(outer.end);
          expect(outer.start === 0 || text[outer.start - 1] === '\n').toBe(true);
          for (const inner of all)
            if (inner.start > outer.start && inner.start < outer.end) expect(inner.end).toBeLessThanOrEqual(outer.end);
        }
      }),
    );
  });

  it('move with the text before them and do not change by it', () => {
    fc.assert(
      fc.property(document, (text) => {
        const shifted = headings(`words\n\n${text}`);
        expect(shifted.map(({ start, level, text: title }) => [start - 7, level, title])).toEqual(
          headings(text).map(({ start, level, text: title }) => [start, level, title]),
        );
      }),
    );
  });

  it('are ATX lines of one to six hashes, at most three spaces in', () => {
    expect(texts('# A\n   ###### B\n####### C\n    # D\n\t# E\n#F\n#\n#\tG\nH\n===\n')).toEqual(['A', 'B', '', 'G']);
  });

  it('lose all closing hashes, even where the words end in one', () => {
    expect(texts('# C#\n## A ## \n### ###\n# a # b\n')).toEqual(['C', 'A', '', 'a # b']);
  });

  it('are not found in a fence, which only its like closes', () => {
    expect(texts('```\n# a\n~~~\n# b\n``\n# c\n``` x\n# d\n    ```\n# e\n   `````  \n# F\n')).toEqual(['F']);
    expect(texts('~~~ ``` \n# a\n~~~~\n# B\n    ~~~\n# C\n')).toEqual(['B', 'C']);
  });
});

describe('a section anchor', () => {
  const anchored = contentHash(digest, 'as pinned');
  const readings: Record<string, SectionReading> = {
    'found, hash equals anchored_hash': { kind: 'found', hash: anchored },
    'found, hash differs': { kind: 'found', hash: contentHash(digest, 'as now') },
    'not-found': { kind: 'not-found' },
    ambiguous: { kind: 'ambiguous' },
    invalid: { kind: 'invalid' },
    'upstream snapshot unreadable': { kind: 'content-unavailable' },
    'upstream has no single live head': { kind: 'no-single-head' },
  };

  it.each(vectorsOf<StatusVector>('section_anchor_status'))(
    'says of its row as in vector "$resolution"',
    ({ resolution, status, ours }) => {
      const expected = ours?.status ?? status;
      if (resolution === 'edge not anchored') expect(sectionStatus(null, readings['found, hash differs']!)).toBe(expected);
      else expect(sectionStatus(anchored, readings[resolution]!)).toBe(expected);
    },
  );
});
