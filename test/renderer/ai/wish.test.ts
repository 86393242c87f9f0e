import { describe, expect, it } from 'vitest';
import { wordsFor } from '#protocol/words';
import { type Added, addedWords, offersFor, withAdded, withoutNaming } from '#renderer/ai/wish.ts';

const words = wordsFor('en');
const documents = ['bible/ines.md', 'notes/left hand.md'];
const offered = (typed: string) =>
  offersFor(typed, [], documents, words).map((offer) =>
    offer.kind === 'genie' ? '' : `${offer.kind} ${offer.kind === 'read' ? offer.path : offer.text}`,
  );

describe('what is typed behind @', () => {
  it('names documents, and is a text to look up; in quotes of several words', () => {
    expect(offered('@ines')).toEqual(['read bible/ines.md', 'look-up ines']);
    expect(offered('tighten @"left ha')).toEqual(['read notes/left hand.md', 'look-up left ha']);
    expect(offered('@"the left hand"')).toEqual(['look-up the left hand']);
    expect(offered('@')).toEqual(['read bible/ines.md', 'read notes/left hand.md']);
    expect(offered('mail me@home now')).toEqual(['ask mail me@home now']);
    expect(offered(`@${'x'.repeat(500)}`)).toEqual([`look-up ${'x'.repeat(200)}`]);
  });

  it('goes from the field once it is added', () => {
    expect(withoutNaming('@"left hand"')).toBe('');
    expect(withoutNaming('make it rhyme @ines')).toBe('make it rhyme ');
  });
});

describe('what is added', () => {
  const read = (path: string): Added => ({ kind: 'read', id: `read ${path}`, path });
  const lookUp = (text: string): Added => ({ kind: 'look-up', id: 'look-up', text });

  it('stands there once, the last one last', () => {
    const added = [read('a'), lookUp('a'), read('b'), lookUp('a')].reduce<readonly Added[]>(withAdded, []);
    expect(added.map((one) => `${one.kind} ${addedWords(one)}`)).toEqual(['read a', 'read b', 'look-up a']);
  });

  it('is no more than a prompt may have: the earliest text to look up gives way, and no document', () => {
    const texts = Array.from({ length: 10 }, (_, at) => String(at));
    const added = [read('a'), ...texts.map(lookUp)].reduce<readonly Added[]>(withAdded, []);
    expect(added.map(addedWords)).toEqual(['a', ...texts.slice(2)]);
  });
});
