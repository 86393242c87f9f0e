import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allFolders, type Branch, filteredFiles, foldersOf, rowOf, treeOf } from '#renderer/explorer/tree.ts';

const entry = (path: string) => ({ path, document: path.endsWith('.md') });
const filesIn = (tree: readonly Branch[]): string[] =>
  tree.flatMap((branch) => (branch.kind === 'folder' ? filesIn(branch.children) : [branch.path]));

describe('the tree of files', () => {
  it('has folders first, and names in the order of people', () => {
    const tree = treeOf(['b.md', '10.md', '2.md', 'z/é.md', 'z/f.md', 'z/e.md', 'a/x.png'].map(entry), 'es');
    expect(tree.map(({ name }) => name)).toEqual(['a', 'z', '2.md', '10.md', 'b.md']);
    expect(filesIn(tree)).toEqual(
      ['a/x.png', 'z/e.md', 'z/é.md', 'z/f.md', '2.md', '10.md', 'b.md'].toSorted(
        (x, y) => filesIn(tree).indexOf(x) - filesIn(tree).indexOf(y),
      ),
    );
  });

  it('holds every file once, under its folders', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'constructor', '__proto__'), { minLength: 1, maxLength: 4 })
      .map((parts) => `${parts.join('/')}.md`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 20 }), (paths) => {
        const tree = treeOf(paths.map(entry), 'en');
        expect(filesIn(tree).sort()).toEqual([...paths].sort());
        expect(new Set(allFolders(tree))).toEqual(new Set(paths.flatMap(foldersOf)));
      }),
    );
  });

  it('is filtered by words of the path, without case and accents', () => {
    const files = ['bible/Inés.md', 'bible/marcus.md', 'outline.md'].map(entry);
    expect(filteredFiles(files, ' INES bib ').map(({ path }) => path)).toEqual(['bible/Inés.md']);
    expect(filteredFiles(files, '')).toBe(files);
  });
});

describe('the row of a path', () => {
  it('is counted over the folders that are open', () => {
    const files = ['a/b/one.md', 'a/two.md', 'c/three.md', 'four.md'].map(entry);
    const tree = treeOf(files, 'en');
    const row = (path: string, ...open: string[]) => rowOf(tree, new Set(open), path);
    expect([row('a'), row('c'), row('four.md'), row('a/two.md')]).toEqual([0, 1, 2, null]);
    expect([row('a/b/one.md', 'a', 'a/b'), row('a/two.md', 'a', 'a/b'), row('four.md', 'a', 'a/b', 'c')]).toEqual([2, 3, 6]);
    expect(row('a/b/one.md', 'a/b')).toBeNull();
  });
});
