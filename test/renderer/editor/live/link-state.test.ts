import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { addressAt } from '#renderer/editor/link.ts';
import { targetOf, wikiAddress, wikiPath, wikiTarget } from '#renderer/editor/link-target.ts';
import { relativeTo, wikiNames } from '#renderer/editor/live/completion.ts';
import { isBroken } from '#renderer/editor/live/link-state.ts';
import { place } from '#renderer/editor/live/neighbours.ts';
import { referencesIn } from '#renderer/editor/live/references.ts';
import { grammar } from '#renderer/editor/syntax.ts';

const files = ['a.md', 'bible/ines.md', 'bible/Two words.md', 'chapters/ines.md', 'chapters/1.md', 'pictures/x.png', 'café.md'];

describe('a wikilink', () => {
  it.each([
    ['ines', 'chapters/1.md', 'chapters/ines.md'],
    ['ines', 'a.md', 'bible/ines.md'],
    ['bible/ines', 'chapters/1.md', 'bible/ines.md'],
    ['two words', 'a.md', 'bible/Two words.md'],
    ['x.png', 'a.md', 'pictures/x.png'],
    ['cafe\u0301', 'a.md', 'café.md'],
    ['', 'a.md', 'a.md'],
    ['missing', 'a.md', null],
  ])('%j from %s leads to %s', (name, from, path) => expect(wikiPath(name, from, files)).toBe(path));

  it('is an address with its heading, and names the document that it would make', () => {
    expect(wikiTarget(wikiAddress('ines#Habits & more'), 'a.md', files)).toEqual({
      path: 'bible/ines.md',
      heading: 'Habits & more',
      isThere: true,
    });
    expect(wikiTarget(wikiAddress('100%'), 'a.md', files)).toEqual({ path: '100%.md', heading: null, isThere: false });
    expect(wikiTarget('a.md', 'a.md', files)).toBeNull();
    expect(targetOf(wikiAddress('ines'), 'a.md')).toEqual({ kind: 'refused' });
  });

  it('is found around a place', () => {
    const state = EditorState.create({ doc: 'see [[ines#Habits|her]] now', extensions: [grammar] });
    expect([0, 10, 20, 25].map((at) => addressAt(state, at))).toEqual([null, 'wiki:ines#Habits', 'wiki:ines#Habits', null]);
  });

  it('is completed by the name alone where no other document has it', () => {
    expect(wikiNames(files).map(({ name }) => name)).toEqual(['a', 'bible/ines', 'Two words', 'chapters/ines', '1', 'café']);
  });
});

describe('a link', () => {
  const neighbours = {
    files: () => files,
    read: async () => null,
    picture: async () => ({ kind: 'missing' }) as const,
    tags: async () => [],
    remotePicture: async () => ({ kind: 'missing' }) as const,
  };
  const stateIn = (known: typeof neighbours | null) =>
    EditorState.create({ extensions: [place.of({ path: 'chapters/1.md', say: (key) => key, follow: () => {}, neighbours: known })] });

  it.each([
    ['../bible/ines.md', false],
    ['../bible/ines', false],
    ['../bible', false],
    ['ines.md#habits', false],
    ['#here', false],
    ['https://example.org', false],
    ['mailto:a@b.c', false],
    ['wiki:ines', false],
    ['gone.md', true],
    ['../../out.md', true],
    ['javascript:1', true],
    ['', true],
    ['wiki:gone', true],
  ])('to %j is broken: %s', (address, broken) => {
    expect(isBroken(stateIn(neighbours), address)).toBe(broken);
    expect(isBroken(stateIn(null), address)).toBe(false);
  });

  it('is written as its document sees it', () => {
    expect(relativeTo('bible/ines.md', 'chapters')).toBe('../bible/ines.md');
    expect(relativeTo('chapters/ines.md', 'chapters')).toBe('ines.md');
    expect(relativeTo('bible/Two words.md', '')).toBe('bible/Two%20words.md');
    expect(relativeTo('a (1)#.md', 'x/y')).toBe('../../a%20%281%29%23.md');
  });

  it('by a reference takes the first address of its name', () => {
    const doc = EditorState.create({ doc: '[A]: one\n> [b c]: <two three> "t"\n[a]: later\n[^n]: note\nx [d]: no' }).doc;
    expect([...referencesIn(doc)]).toEqual([
      ['a', 'one'],
      ['b c', 'two three'],
    ]);
  });
});
