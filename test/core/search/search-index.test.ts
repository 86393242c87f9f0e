import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSearchIndex, type SearchIndex } from '#core/search/search-index';
import { realDisk } from '#core/storage/disk';
import { createFolder } from '../../helpers/workspace';

function open(file = join(createFolder('search'), 'search/index.db')): SearchIndex & { readonly file: string } {
  const index = openSearchIndex(realDisk, file);
  onTestFinished(() => index.close());
  return { ...index, file };
}

const stamp = { size: 1, mtime: 1.5 };
const files = (texts: Record<string, string | null>) => Object.entries(texts).map(([path, text]) => ({ path, stamp, text }));

describe('an index for search', () => {
  it('names every file that holds all of the texts, whatever their letter case and form', () => {
    const word = fc.constantFrom('elena', 'Éire', 'salt', 'e\u0301ire', 'straße', '海の音が', '"q"', "a'b", '🜂🜂🜂', 'x*y', 'AND', 'NEAR');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(word, { minLength: 1, maxLength: 2 }), (texts, literals) => {
        const index = openSearchIndex(realDisk, ':memory:');
        index.update(texts.map((content, at) => ({ path: `${at}`, stamp, text: content })));
        const fold = (content: string) => content.normalize('NFC').toLowerCase();
        const holding = texts.flatMap((content, at) =>
          literals.every((literal) => fold(content).includes(fold(literal))) ? [`${at}`] : [],
        );
        const candidates = index.candidates(literals);
        for (const path of holding) expect(candidates).toContain(path);
        index.close();
      }),
    );
  });

  it('leaves out the files that cannot hold them', () => {
    const index = open();
    index.update(files({ a: 'Elena walks', b: 'the salt ferry', c: '' }));
    expect(index.candidates(['salt'])).toEqual(new Set(['b']));
    expect(index.candidates(['SALT', 'ferry'])).toEqual(new Set(['b']));
    expect(index.candidates(['salt', 'Elena'])).toEqual(new Set());
  });

  it('cannot tell by less than three characters', () => {
    const index = open();
    index.update(files({ a: 'Elena walks' }));
    expect([index.candidates(['el']), index.candidates([]), index.candidates(['el', 'walk'])]).toEqual([null, null, new Set(['a'])]);
  });

  it('follows files that change and go, and keeps what it knows', () => {
    const { file, ...index } = open();
    index.update(files({ a: 'one thing', b: 'two things' }));
    index.update(files({ a: 'three', b: null, gone: null }));
    index.tidy();
    expect(index.candidates(['thing'])).toEqual(new Set());
    index.close();
    const again = open(file);
    expect(again.known()).toEqual(new Map([['a', stamp]]));
    expect(again.candidates(['three'])).toEqual(new Set(['a']));
  });

  it('is made anew where its file is damaged, or holds something else', () => {
    const file = join(createFolder('search'), 'index.db');
    writeFileSync(file, 'no database'.repeat(500));
    expect(open(file).known().size).toBe(0);
  });
});
