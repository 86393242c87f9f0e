import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSearchIndex, type SearchIndex } from '#core/search/search-index';
import { realDisk } from '#core/storage/disk';
import { matchesIn, searchPattern } from '#kernel/search-pattern';
import { createFolder } from '../../helpers/workspace';

function open(file = join(createFolder('search'), 'search/index.db')): SearchIndex & { readonly file: string } {
  const index = openSearchIndex(realDisk, file);
  onTestFinished(() => index.close());
  return { ...index, file };
}

const stamp = { size: 1, mtime: 1.5 };
const files = (texts: Record<string, string | null>) => Object.entries(texts).map(([path, text]) => ({ path, stamp, text }));

describe('an index for search', () => {
  it('names every file in which a query matches, whatever its letter case, form and length', () => {
    const word = fc.constantFrom(
      'elena',
      'Éire',
      'salt',
      'e\u0301ire',
      'straße',
      '海の音が',
      '"q"',
      "a'b",
      '🜂🜂🜂',
      'x*y',
      'AND',
      'ſK',
      'Σας',
      'a\0b',
    );
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    const piece = fc
      .tuple(word, fc.nat(3), fc.integer({ min: 1, max: 4 }))
      .map(([from, at, length]) => [...from].slice(at, at + length).join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), piece, fc.boolean(), (texts, query, matchesCase) => {
        const pattern = searchPattern({ text: query, isExpression: false, matchesCase, wholeWords: false });
        fc.pre(pattern !== null);
        const index = openSearchIndex(realDisk, ':memory:');
        index.update(texts.map((content, at) => ({ path: `${at}`, stamp, text: content })));
        const candidates = index.candidates(pattern.literals);
        for (const [at, content] of texts.entries())
          if (candidates !== null && matchesIn(pattern, content, 1).length > 0) expect(candidates).toContain(`${at}`);
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

  it('tells by two characters, but not by one, or by two that stand nearly everywhere', () => {
    const index = open();
    index.update(files({ a: 'Elena walks', b: 'the ferry 要約' }));
    expect([index.candidates(['el']), index.candidates([]), index.candidates(['l'])]).toEqual([new Set(['a']), null, null]);
    expect(['KS', '要約', 'zj', 'y ', '約'].map((pair) => index.candidates([pair]))).toEqual([
      new Set(['a']),
      new Set(['b']),
      new Set(),
      new Set(['b']),
      null,
    ]);
    index.update(Array.from({ length: 2000 }, (_, at) => ({ path: `more/${at}`, stamp, text: at < 300 ? 'one oak' : 'an elm' })));
    expect([index.candidates(['el']), index.candidates(['oa'])?.size]).toEqual([null, 300]);
  });

  it('follows files that change and go, and keeps what it knows', () => {
    const { file, ...index } = open();
    index.update(files({ a: 'one thing', b: 'two things' }));
    index.update(files({ a: 'three', b: null, gone: null }));
    while (index.tidy());
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
