import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tagsIn } from '#kernel/tag';

describe('the tags of a document', () => {
  it.each([
    ['words #one and #two-three, #a/b.', ['one', 'two-three', 'a/b']],
    ['#start of a line\n\n# heading #in', ['start', 'in']],
    ['#Año #año #ano', ['Año', 'ano']],
    ['x#no (#no) [a](#no) #1 ## #', []],
    ['`#no` ``a #no`` #yes', ['yes']],
    ['```\n#no\n```\n#yes\n~~~ #no\n#no', ['yes']],
    ['---\ntags: [one, "two", #x]\n---\n#one', ['one', 'two']],
    ['---\ntags: one, two words # why\n---\n', ['one', 'two words']],
    ['---\ntags:\n  - one\n  - "#two"\ntitle: no\n---\n', ['one', 'two']],
    ['---\r\ntags:\r\n- one\r\n---\r\n#two-\r\n', ['one', 'two']],
    ['', []],
  ])('%j', (text, tags) => expect(tagsIn(text)).toEqual(tags));

  it('are each listed once, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('#a', '#A', '#b/c', '`', '```', '\n', ' ', 'tags:', '---', '- x'), { maxLength: 30 }),
        (parts) => {
          const tags = tagsIn(parts.join(''));
          expect(new Set(tags.map((tag) => tag.toLowerCase())).size).toBe(tags.length);
          for (const tag of tags) expect(parts.join('')).toContain(tag);
        },
      ),
    );
  });
});
