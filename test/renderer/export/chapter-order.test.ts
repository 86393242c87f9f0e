import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentsAt, firstChapters, inTreeOrder, shifted } from '#renderer/export/chapter-order.ts';
import { fileName, isName } from '#renderer/ui/file-name.ts';

const documents = ['a/1.md', 'a/2.md', 'a/10.md', 'b.md'];

describe('the order of chapters', () => {
  it('is that of the tree at first: those beside the one in front, or those of the last time', () => {
    const files = ['b.md', 'a/10.md', 'a/2.md', 'a/1.md', 'a/p.png'].map((path) => ({ path, document: path.endsWith('.md') }));
    expect(inTreeOrder(files, 'en')).toEqual(documents);
    expect(firstChapters(documents, 'a/2.md', [])).toEqual(['a/1.md', 'a/2.md', 'a/10.md']);
    expect(firstChapters(documents, 'a/2.md', ['b.md', 'gone.md', 'a/1.md'])).toEqual(['b.md', 'a/1.md']);
    expect(firstChapters(documents, null, [])).toEqual([]);
  });

  it('takes a document by its path and a folder by its name, and nothing twice', () => {
    expect(documentsAt(documents, 'b.md', [])).toEqual(['b.md']);
    expect(documentsAt(documents, 'a', ['a/1.md'])).toEqual(['a/2.md', 'a/10.md']);
    expect(documentsAt(documents, 'a/', [])).toHaveLength(3);
    expect(documentsAt(documents, ' ', [])).toEqual([]);
  });

  it('keeps every document when one is moved, and moving back restores it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), fc.constantFrom(-1 as const, 1 as const), (items, pick, by) => {
        const at = pick % items.length;
        const moved = shifted(items, at, by);
        expect([...moved].sort()).toEqual([...items].sort());
        if (moved !== items) expect(shifted(moved, at + by, by === 1 ? -1 : 1)).toEqual(items);
      }),
    );
  });
});

describe('the name of an exported file', () => {
  it('is one that every system takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const name = fileName(title);
        expect(isName(name)).toBe(true);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}]|^\.|[. ]$|^$/u);
        expect(name).not.toMatch(/^(con|nul)$/iu);
      }),
    );
    expect(['The Salt Road: 1/2', '...', 'nul', ''].map(fileName)).toEqual(['The Salt Road 1 2', 'document', 'document nul', 'document']);
  });
});
