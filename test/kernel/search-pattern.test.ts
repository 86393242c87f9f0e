import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesIn, replacementFor, type SearchQuery, searchPattern } from '#kernel/search-pattern';

const query = (text: string, other: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  isExpression: false,
  matchesCase: false,
  wholeWords: false,
  ...other,
});

const found = (asked: SearchQuery, text: string) =>
  matchesIn(searchPattern(asked)!, text, 1000).map(({ start, end }) => text.slice(start, end));

describe('a text that is looked for', () => {
  it('is found wherever it stands, and as often as it does not overlap itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 4 }), fc.array(fc.string({ maxLength: 6 }), { maxLength: 5 }), (needle, parts) => {
        const text = parts.join(needle);
        if (needle.normalize('NFC') !== needle.normalize('NFD')) return;
        const matches = matchesIn(searchPattern(query(needle, { matchesCase: true }))!, text, 1000);
        expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual(Array(text.split(needle).length - 1).fill(needle));
      }),
    );
  });

  it.each([
    ['Elena', {}, 'elena ELENA Elena', ['elena', 'ELENA', 'Elena']],
    ['Elena', { matchesCase: true }, 'elena ELENA Elena', ['Elena']],
    ['ca', { wholeWords: true }, 'ca cat ca. (ca) acá ca_b', ['ca', 'ca', 'ca']],
    ['año', { wholeWords: true }, 'año años mañano', ['año']],
    ['canción', {}, 'canción y cancio\u0301n', ['canción', 'cancio\u0301n']],
    ['(a.b)*', {}, '(a.b)* (aXb)*', ['(a.b)*']],
    ['海', {}, '上海の海', ['海', '海']],
    ['a\nb', {}, 'a\r\nb a\nb', ['a\r\nb', 'a\nb']],
    ['👩', {}, 'x👩y', ['👩']],
  ] as const)('%j with %j', (text, options, among, expected) => {
    expect(found(query(text, options), among)).toEqual(expected);
  });
});

describe('an expression', () => {
  it.each([
    ['^#+ .*$', '# One\ntext\n## Two\n', ['# One', '## Two']],
    ['x*', 'axxb', ['xx']],
    ['(?<=ab)c', 'abc', ['c']],
    ['\\p{Lu}\\w+', 'one Two', ['Two']],
  ])('%j finds in %j', (text, among, expected) => {
    expect(found(query(text, { isExpression: true, matchesCase: true }), among)).toEqual(expected);
  });

  it.each(['(', '[z-a]', 'a{2,1}', '\\', '', '(?<n>a)(?<n>b)'])('%j cannot be looked for', (text) => {
    expect(searchPattern(query(text, { isExpression: true }))).toBeNull();
  });

  it.each([
    ['abc', ['abc']],
    ['abc|def', []],
    ['(abc)def', ['def']],
    ['ab?cd', ['a', 'cd']],
    ['ab+cd', ['ab', 'cd']],
    ['ab{0,3}cd', ['a', 'cd']],
    ['a\\.b\\d+c', ['a.b', 'c']],
    ['[abc]de\\p{L}f', ['de', 'f']],
    ['a(b|c)d', ['a', 'd']],
    ['^foo$', ['foo']],
    ['x{2}y', ['y']],
    ['a[\\]|]b', ['a', 'b']],
    ['\\u0061bc', ['bc']],
  ])('%j cannot match without %j', (text, literals) => {
    expect(searchPattern(query(text, { isExpression: true }))!.literals).toEqual(literals);
  });

  it('has its literals in every text that it matches', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'ab',
      '\\.',
      '(ab)',
      '(a|b)',
      '[ab]',
      '\\w',
      'a?',
      'b*',
      'a+',
      'a{0,2}',
      'b{2}',
      '.',
      '(?:ba)?',
      '|',
      '^',
      '\\b',
      'a+?',
      '(?=a)',
      '(?!b)',
      '[^a|]',
    );
    const text = fc.array(fc.constantFrom('a', 'b', '.', 'A', ' ', '\n'), { maxLength: 12 }).map((marks) => marks.join(''));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), text, (parts, among) => {
        const pattern = searchPattern(query(parts.join(''), { isExpression: true }));
        if (pattern === null || matchesIn(pattern, among, 1).length === 0) return;
        for (const literal of pattern.literals) expect(among.toLowerCase()).toContain(literal.toLowerCase());
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['(\\w+) (\\w+)', '$2 $1', 'one two', 'two one'],
    ['(?<a>\\w)x', '[$<a>]', 'ax', '[a]'],
    ['a', '$& $$ $1', 'a', 'a $ $1'],
    ['(?<=b)a', 'c', 'ba', 'c'],
    ['(a)|b', '<$1>', 'b', '<>'],
  ])('%j in place of which stands %j', (text, replacement, among, expected) => {
    const pattern = searchPattern(query(text, { isExpression: true }))!;
    expect(replacementFor(pattern, true, among, matchesIn(pattern, among, 1)[0]!, replacement)).toBe(expected);
  });
});
