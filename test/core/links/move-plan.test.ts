import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withEdits } from '#core/links/edit';
import { findLinks } from '#core/links/link-finder';
import { planMoves } from '#core/links/move-plan';
import { resolveAddress, rewriteAddress, wikiNames } from '#kernel/address';

type Texts = Record<string, string>;

function move(texts: Texts, moves: Record<string, string>): Texts {
  const planned = planMoves({ files: Object.keys(texts), moves: new Map(Object.entries(moves)), read: (path) => texts[path] ?? null });
  const edits = new Map(planned.map(({ before, edits }) => [before, edits]));
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [moves[path] ?? path, withEdits(text, edits.get(path) ?? [])]));
}

/** Where each link of each document leads, in order; null: nowhere. */
function leads(texts: Texts): [string, (string | null)[]][] {
  const names = wikiNames(Object.keys(texts));
  const target = (path: string) => (texts[path] === undefined ? null : path);
  return Object.entries(texts).map(([path, text]) => [
    path,
    findLinks(text).map(({ kind, address }) =>
      kind === 'wiki' ? names.find(address, path) : target(resolveAddress(address, path)?.path ?? ''),
    ),
  ]);
}

describe('a file that is renamed', () => {
  it.each([
    ['[a](elena.md)', '[a](maria.md)'],
    ['[a](./elena.md "her title")', '[a](./maria.md "her title")'],
    ['[a](/bible/elena.md#eyes)', '[a](/bible/maria.md#eyes)'],
    ['[a](<elena.md>)', '[a](<maria.md>)'],
    ['![a](elena.md?raw=1#x)', '![a](maria.md?raw=1#x)'],
    ['[a][r]\n\n[r]: elena.md', '[a][r]\n\n[r]: maria.md'],
    ['[[elena]] and [[elena#Eyes|her]]', '[[maria]] and [[maria#Eyes|her]]'],
    ['[[elena.md]] ![[bible/elena]]', '[[maria.md]] ![[bible/maria]]'],
    ['[[Elena]]', '[[maria]]'],
    ['<a href="elena.md">x</a> <img src=\'elena.md\'>', '<a href="maria.md">x</a> <img src=\'maria.md\'>'],
    ['| a | b |\n|---|---|\n| [a](elena.md) | [[elena\\|her]] |', '| a | b |\n|---|---|\n| [a](maria.md) | [[maria\\|her]] |'],
    ['[![i](elena.md)](elena.md)', '[![i](maria.md)](maria.md)'],
  ])('is still led to by %j', (before, after) => {
    const texts = { 'bible/elena.md': 'Elena\n', 'bible/other.md': before };
    expect(move(texts, { 'bible/elena.md': 'bible/maria.md' })['bible/other.md']).toBe(after);
  });

  it.each([
    '`[a](elena.md)`',
    '```\n[a](elena.md) [[elena]]\n```',
    '<!-- [a](elena.md) -->',
    '---\nsee: "[a](elena.md)"\n---\ntext',
    'https://x.org/elena.md and <https://x.org/elena.md>',
    '[a](https://x.org/bible/elena.md)',
    '[a](elena.txt) [b](../elena.md) [[elen]]',
    'elena.md',
  ])('leaves %j as it is', (text) => {
    const texts = { 'bible/elena.md': 'Elena\n', 'bible/other.md': text };
    expect(move(texts, { 'bible/elena.md': 'bible/maria.md' })['bible/other.md']).toBe(text);
  });

  it.each([
    ['[a](elena.md)', 'María Núñez (2).md', '[a](Mar%C3%ADa%20N%C3%BA%C3%B1ez%20%282%29.md)'],
    ['[a](<elena.md>)', 'María Núñez (2).md', '[a](<María Núñez (2).md>)'],
    ['[a](%65lena.md)', 'Ana.md', '[a](Ana.md)'],
    ['[a](elena.md)', '50%.md', '[a](50%25.md)'],
    ['[a](elena.md)', 'a#b?.md', '[a](a%23b%3F.md)'],
    ['[a](elena.md)', 'note: one.md', '[a](note%3A%20one.md)'],
    ['[a](elena.md)', 'c:d.md', '[a](c%3Ad.md)'],
  ])('is led to by %j when it is called %j', (before, name, after) => {
    const made = move({ 'elena.md': '', 'other.md': before }, { 'elena.md': name });
    expect(resolveAddress(findLinks(made['other.md']!)[0]!.address, 'other.md')?.path).toBe(name);
    expect(made['other.md']).toBe(after);
  });
});

describe('a document that is moved', () => {
  it('leads where it led, and so do links to it and to itself', () => {
    const texts = {
      'a/one.md': '[two](two.md) [self](one.md) [here](#h) [up](../top.md) ![p](img/p.png) [gone](gone.md)',
      'a/two.md': '[one](one.md) [[one]]',
      'a/img/p.png': '',
      'top.md': '[one](a/one.md)',
    };
    expect(move(texts, { 'a/one.md': 'b/c/first.md' })).toEqual({
      'b/c/first.md': '[two](../../a/two.md) [self](first.md) [here](#h) [up](../../top.md) ![p](../../a/img/p.png) [gone](gone.md)',
      'a/two.md': '[one](../b/c/first.md) [[first]]',
      'a/img/p.png': '',
      'top.md': '[one](b/c/first.md)',
    });
  });

  it('with all of its folder keeps the links inside as they are', () => {
    const texts = { 'a/one.md': '[two](two.md) ![](img/p.png)', 'a/two.md': '[one](./one.md)', 'a/img/p.png': '', 'x.md': '[](a/two.md)' };
    const moved = move(texts, { 'a/one.md': 'z/a/one.md', 'a/two.md': 'z/a/two.md', 'a/img/p.png': 'z/a/img/p.png' });
    expect(moved['z/a/one.md']).toBe(texts['a/one.md']);
    expect(moved['z/a/two.md']).toBe(texts['a/two.md']);
    expect(moved['x.md']).toBe('[](z/a/two.md)');
  });

  it('by letter case only is led to by its new name', () => {
    expect(move({ 'Elena.md': '', 'o.md': '[a](Elena.md) [[Elena]]' }, { 'Elena.md': 'elena.md' })['o.md']).toBe('[a](elena.md) [[Elena]]');
  });

  it('whose new name no wikilink can hold is linked by its address', () => {
    const texts = { 'x.md': '', 'o.md': '[[x#Her eyes|her]] ![[x]] [[x#A]]' };
    expect(move(texts, { 'x.md': 'q#r.md' })['o.md']).toBe('[her](q%23r.md#Her%20eyes) ![x](q%23r.md) [x#A](q%23r.md#A)');
  });

  it('is named by its path where its name alone would mean another', () => {
    const texts = { 'a/x.md': '', 'b/y.md': '', 'o.md': '[[x]]', 'b/o.md': '[[x]]' };
    const moved = move(texts, { 'a/x.md': 'long/folder/y.md' });
    expect(moved['o.md']).toBe('[[long/folder/y]]');
    expect(moved['b/o.md']).toBe('[[long/folder/y]]');
  });
});

const folder = fc.constantFrom('', 'a/', 'a/b/', 'ñ c/', 'd(e)/');
const name = fc.constantFrom('x.md', 'y.md', 'X y.md', '100%.md', 'q#r.md', 'p.png', 'z.markdown', "it's.md", 'a b (1).md');
const path = fc.tuple(folder, name).map((parts) => parts.join(''));

const workspace = fc.uniqueArray(path, { minLength: 1, maxLength: 7 }).chain((paths) => {
  const link = fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom('plain', 'dotted', 'rooted', 'angled', 'wiki'))
    .map(([to, how]) => (from: string) => {
      if (how === 'wiki') return /[#|\][]/u.test(to) ? '' : `[[${to.replace(/\.md$/u, '')}|w]]`;
      const style = { plain: 'x', dotted: './x', rooted: '/x', angled: '<x>' }[how]!;
      return `[w](${rewriteAddress(style, from, to)})`;
    });
  const texts = fc.tuple(
    ...paths.map((from) => fc.array(link, { maxLength: 5 }).map((links) => links.map((make) => make(from)).join(' — '))),
  );
  const places = fc.uniqueArray(path, { minLength: paths.length, maxLength: paths.length });
  return fc.tuple(texts, places, fc.tuple(...paths.map(() => fc.boolean()))).map(([written, to, moves]) => {
    const ending = (text: string) => text.slice(text.lastIndexOf('.'));
    const wanted = paths.map((from, at) => (moves[at] && ending(from) === ending(to[at]!) ? to[at]! : from));
    const isFree = (at: number) => wanted.indexOf(wanted[at]!) === at && wanted.lastIndexOf(wanted[at]!) === at;
    const taken = new Set(paths);
    const pairs = paths.map((from, at) => [from, isFree(at) && !taken.has(wanted[at]!) ? wanted[at]! : from] as const);
    const isDocument = (file: string) => !file.endsWith('.png');
    return {
      texts: Object.fromEntries(paths.map((from, at) => [from, isDocument(from) ? written[at]! : ''])),
      moves: Object.fromEntries(pairs),
    };
  });
});

describe('links', () => {
  it('lead after any moves to the file to which they led before', () => {
    fc.assert(
      fc.property(workspace, ({ texts, moves }) => {
        const expected = leads(texts).map(([from, targets]) => [
          moves[from] ?? from,
          targets.map((to) => (to === null ? null : (moves[to] ?? to))),
        ]);
        expect(leads(move(texts, moves))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('of a text in which nothing moved are not touched', () => {
    fc.assert(
      fc.property(workspace, ({ texts }) => {
        expect(move(texts, {})).toEqual(texts);
      }),
    );
  });

  it('are found by any text without an error, in order, each where it says', () => {
    const mark = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '[[',
      ']]',
      '|',
      '#',
      '<',
      '>',
      '`',
      '!',
      '\\',
      '\n',
      ' ',
      'a.md',
      'href="a"',
      '---\n',
      ': ',
    );
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 40 }), (marks) => {
        const text = marks.join('');
        let at = 0;
        for (const { start, end, address } of findLinks(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(text.slice(start, end)).toBe(address);
          at = end;
        }
      }),
    );
  });
});
