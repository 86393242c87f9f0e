import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choicesAfter, type HunkChoice, hunkText, type MergePart, mergedText, mergeParts, openHunks } from '#renderer/editor/merge.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'one two three\n', 'one 2 three\n', 'é\n', '<<<<<<<\n');
const file = fc
  .array(line, { maxLength: 10 })
  .chain((lines) => fc.constantFrom(lines.join(''), `${lines.join('')}end`, `\ufeff${lines.join('')}`));
const broken = file.chain((text) => fc.constantFrom('\n', '\r\n', '\r').map((kind) => text.replaceAll('\n', kind)));
/** Every place decided alike. */
const all = (parts: readonly MergePart[], choice: HunkChoice) => mergedText(parts, new Map(parts.map((_, at) => [at, choice])));
const hunks = (parts: readonly MergePart[]) => parts.flatMap((part) => (part.kind === 'hunk' ? [part] : []));
const plain = (text: string | null) => text?.replace(/^\ufeff/u, '').replace(/\r\n?/gu, '\n');

describe('a merge by places', () => {
  it('decided for one side is that side, and decided for what was before has nothing that only one of them wrote', () => {
    fc.assert(
      fc.property(file, file, file, (base, mine, theirs) => {
        const parts = mergeParts(base, mine, theirs);
        expect(plain(all(parts, 'mine'))).toBe(plain(mine));
        expect(plain(all(parts, 'theirs'))).toBe(plain(theirs));
        const only = hunks(parts).filter(({ by }) => by === 'conflict').length;
        expect(openHunks(parts, new Map())).toBe(only);
        expect(mergedText(parts, new Map()) === null).toBe(only > 0);
      }),
    );
  });

  it('takes what only one of them changed, byte for byte, line breaks and byte order mark included', () => {
    fc.assert(
      fc.property(broken, broken, (base, changed) => {
        expect(mergedText(mergeParts(base, base, changed), new Map())).toBe(changed);
        expect(mergedText(mergeParts(base, changed, base), new Map())).toBe(changed);
        expect(mergedText(mergeParts(base, changed, changed), new Map())).toBe(changed);
      }),
    );
  });

  it('takes no change of all line breaks for one of lines, and gives every line what one of them gave all', () => {
    const parts = mergeParts('one\ntwo\nthree\nfour\n', 'one\ntwo!\nthree\nfour\n', 'one\r\ntwo\r\nthree\r\nFOUR\r\n');
    expect(hunks(parts).map(({ by, mine, theirs }) => [by, mine, theirs])).toEqual([
      ['mine', 'two!\r\n', 'two\r\n'],
      ['theirs', 'four\r\n', 'FOUR\r\n'],
    ]);
    expect(mergedText(parts, new Map())).toBe('one\r\ntwo!\r\nthree\r\nFOUR\r\n');
  });

  it('weaves two changes of one paragraph that touch different words, and no others', () => {
    const [, , woven] = mergeParts(
      'Title\n\nThe ferry crosses at dawn and comes back at night.\n',
      'Title\n\nThe old ferry crosses at dawn and comes back at night.\n',
      'Title\n\nThe ferry crosses at dawn and comes back at noon.\n',
    ).toSpliced(0, 0, { kind: 'same', text: '' }) as MergePart[] as [unknown, unknown, Extract<MergePart, { kind: 'hunk' }>];
    expect(hunkText(woven, 'both')).toBe('The old ferry crosses at dawn and comes back at noon.\n');
    const [clash] = hunks(mergeParts('at dawn\n', 'at noon\n', 'at night\n'));
    expect(clash).toMatchObject({ by: 'conflict', woven: null });
    expect(hunkText(clash!, 'both')).toBe('at noon\nat night\n');
    expect(hunkText(hunks(mergeParts('at dawn', 'at noon', 'at night\n'))[0]!, 'both')).toBe('at noon\nat night\n');
  });

  it('keeps what was chosen where somebody writes elsewhere in the file, and asks again where it is another place', () => {
    const base = 'a\nb\nc\nd\ne\n';
    const mine = 'A\nb\nC\nd\ne\n';
    const before = mergeParts(base, mine, 'x\nb\nc\nd\ne\n');
    const elsewhere = mergeParts(base, mine, 'x\nb\nc\nd\nE\n');
    expect(mergedText(elsewhere, choicesAfter(before, new Map([[0, 'theirs']]), elsewhere))).toBe('x\nb\nC\nd\nE\n');
    const there = mergeParts(base, mine, 'y\nb\nc\nd\ne\n');
    expect(openHunks(there, choicesAfter(before, new Map([[0, 'theirs']]), there))).toBe(1);
  });
});
