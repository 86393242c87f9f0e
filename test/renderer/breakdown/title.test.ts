import { describe, expect, it } from 'vitest';
import { bodyOf, fileName, titleOf } from '#renderer/breakdown/title.ts';

describe('the title of a document', () => {
  it.each([
    ['# The Ferry\n\nText.\n', 'The Ferry'],
    ['\uFEFF---\r\nvmark:\r\n  id: x\r\n---\r\n# The Ferry\r\n', 'The Ferry'],
    ['---\ntitle: "North: by night"\n---\n# North\n', 'North: by night'],
    ["---\ntitle: 'North'\n---\nText.\n", 'North'],
    ['---\ntitle: North by night \n---\n', 'North by night'],
    ['---\nsubtitle: x\n---\n## Part\n', 'Part'],
    ['```\n# no heading\n```\n', null],
    ['Text.\n', null],
  ])('%j is %j', (text, title) => {
    expect(titleOf(text)).toBe(title);
  });

  it('is not taken from below the frontmatter, and the body leaves that out', () => {
    expect(titleOf('Text.\n\n---\ntitle: no\n---\n')).toBeNull();
    expect(bodyOf('---\nid: 1\n---\n\nText.\n\n---\nmore\n')).toBe('Text.\n\n---\nmore\n');
  });

  it('has a file name where it has none', () => {
    expect([fileName('a/b/c.md'), fileName('c.md')]).toEqual(['c.md', 'c.md']);
  });
});
