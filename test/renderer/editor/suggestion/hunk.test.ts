import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingHunks, fitted, hunksOf } from '#renderer/editor/suggestion/hunk.ts';

const apply = (text: string, hunks: readonly { from: number; to: number; inserted: string }[]) =>
  hunks.toReversed().reduce((out, { from, to, inserted }) => out.slice(0, from) + inserted + out.slice(to), text);
const words = fc
  .array(fc.constantFrom('the', 'sea', 'is', 'grey', '海', '\n\n', '- [ ] ', '**so**', '👩‍👩‍👧', '.'), { maxLength: 40 })
  .map((some) => some.join(' '));

describe('how an answer differs from a text', () => {
  it('taken as a whole gives the answer; no two parts touch', () => {
    fc.assert(
      fc.property(words, words, (text, answer) => {
        const hunks = hunksOf(text, answer);
        expect(apply(text, hunks)).toBe(answer);
        for (const [at, { from }] of hunks.entries()) if (at > 0) expect(from).toBeGreaterThan(hunks[at - 1]!.to);
      }),
    );
  });

  it('is told by words, and what stands close together is one', () => {
    const text = 'The lamp was very, very old and it stood there.\n\nNobody had lit it for years, as far as Mira knew.';
    const answer = 'The lamp was old and stood there.\n\nNobody had lit it for years, so far as Mira knew.';
    expect(hunksOf(text, answer).map(({ from, to, inserted }) => [text.slice(from, to), inserted])).toEqual([
      [expect.stringContaining('very, very'), expect.not.stringContaining('very')],
      ['as', 'so'],
    ]);
  });

  it('takes nothing away that an answer has not come to yet', () => {
    fc.assert(
      fc.property(words, fc.nat(100), (text, share) => {
        const part = text.slice(0, Math.floor((text.length * share) / 100));
        expect(apply(text, comingHunks(text, part)).length).toBeGreaterThanOrEqual(text.length);
      }),
    );
    expect(comingHunks('One. Two. Three.', 'One. 2')).toEqual([{ from: 5, to: 5, inserted: '2' }]);
  });
});

describe('an answer', () => {
  it.each([
    ['blank around it', ' A text.\n', '\n\nAn answer.\n\n', ' An answer.\n'],
    ['a fence around it', 'A text.', '```markdown\nAn answer.\n\nTwo.\n```\n', 'An answer.\n\nTwo.'],
    ['the lines of the prompt', 'A text.', '⟦text 0a1b2c3d⟧\nAn answer.\n⟦end 0a1b2c3d⟧', 'An answer.'],
    ['other line breaks', 'A text.', 'An\r\nanswer.\r', 'An\nanswer.'],
  ])('loses %s', (_, text, answer, wanted) => {
    expect(fitted(text, answer)).toBe(wanted);
  });

  it('keeps a fence that the text has too, and one that is only a part of it', () => {
    expect(fitted('```js\na\n```', '```js\nb\n```')).toBe('```js\nb\n```');
    expect(fitted('A text.', 'See:\n\n```js\nb\n```')).toBe('See:\n\n```js\nb\n```');
  });
});
