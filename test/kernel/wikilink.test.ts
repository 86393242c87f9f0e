import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wikilinkAt } from '#kernel/wikilink';

const parts = (text: string) => {
  const link = wikilinkAt(text);
  if (link === null) return null;
  const { target, nameTo, words, isEmbed, length } = link;
  const cut = (from: number, to: number) => text.slice(from, to);
  return [cut(target.from, nameTo), cut(nameTo, target.to), words === null ? null : cut(words.from, words.to), isEmbed, text.slice(length)];
};

describe('a link by name', () => {
  it.each([
    ['[[a]]', ['a', '', null, false, '']],
    ['[[a b/c.md#Head & more|her words]] on', ['a b/c.md', '#Head & more', 'her words', false, ' on']],
    ['![[x.png]]', ['x.png', '', null, true, '']],
    ['[[a\\|b]]', ['a', '', 'b', false, '']],
    ['[[a|]]', ['a', '', '', false, '']],
    ['[[#here]]', ['', '#here', null, false, '']],
    ['[[]]', null],
    ['[[a', null],
    ['[[a\nb]]', null],
    ['[[a[b]]', null],
    ['[a]', null],
    [' [[a]]', null],
    [`[[${'a'.repeat(2000)}]]`, null],
  ])('%j', (text, expected) => expect(parts(text)).toEqual(expected));

  it('is made of stretches that follow one another inside of its brackets', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^!?\[\[[a#|\\ [\]]{0,12}\]\]?$/u), (text) => {
        const link = wikilinkAt(text);
        if (link === null) return;
        const { target, nameTo, words, length } = link;
        const places = [2, target.from, nameTo, target.to, words?.from ?? target.to, words?.to ?? target.to, length - 2];
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(text.slice(length - 2, length)).toBe(']]');
      }),
    );
  });
});
