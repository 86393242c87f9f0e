import { describe, expect, it } from 'vitest';
import { pathWithin } from '#renderer/ui/opened-path.ts';

describe('a file of the system', () => {
  it.each([
    ['/book', '/book/a.md', 'a.md'],
    ['/book', '/book/one/two.md', 'one/two.md'],
    ['/book', '/bookshelf/a.md', null],
    ['/book', '/Book/a.md', null],
    ['/book', '/book', null],
    ['/', '/a.md', 'a.md'],
    ['/a\\b', '/a\\b/c.md', 'c.md'],
    ['C:\\Book', 'c:\\book\\One\\a.md', 'One/a.md'],
    ['C:\\', 'C:\\a.md', 'a.md'],
    ['\\\\server\\share', '\\\\Server\\share\\a.md', 'a.md'],
    ['C:\\Book', 'D:\\Book\\a.md', null],
  ])('in %s: %s is %s', (root, path, wanted) => {
    expect(pathWithin(root, path)).toBe(wanted);
  });
});
