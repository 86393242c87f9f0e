import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passageLength, passageLimit, passagesOf } from '#core/ai/passage';

const found = (path: string, text: string) => ({ path, text, hash: '' });
const shown = (texts: readonly string[], ...documents: string[]) =>
  passagesOf(
    documents.map((text, at) => found(`${at}.md`, text)),
    texts,
  ).map(({ passages }) => passages);

describe('the passages that are shown because a text was looked up', () => {
  it('are whole blocks, whatever the case and the form of the letters; the frontmatter is none', () => {
    const text =
      '---\ntitle: Inés\n---\n# Inés\n\nShe writes with\nher left hand.\n\nThe sea.\n\n- INE\u0301S waits.\r\n  For the ferry.\r\n';
    expect(shown(['in\u00e9s'], text)).toEqual([['# Inés', '- INÉS waits.\n  For the ferry.']]);
    expect(shown(['left hand', 'nothing'], text)).toEqual([['She writes with\nher left hand.']]);
    expect(shown(['nothing'], text)).toEqual([]);
  });

  it('of a long block are the part around the place', () => {
    const [[part]] = shown(['needle'], `${'before '.repeat(500)}needle${' after'.repeat(500)}`) as [[string]];
    expect(part).toMatch(/^….*needle.*…$/su);
    expect(part.length).toBeLessThanOrEqual(passageLength + 2);
  });

  it('are of each document before any has its second', () => {
    const many = Array.from({ length: 40 }, (_, at) => `A ${at}`).join('\n\n');
    expect(shown(['a'], many, 'A last one.', 'Nothing.').map(({ length }) => length)).toEqual([passageLimit - 1, 1]);
  });

  it('stand in their documents, hold what was looked up, are no more than fit, and leave no document out that has one', () => {
    const word = fc.constantFrom('sea', 'Sea', 'lamp', 'x', '\n', '\n\n', ' ', '…');
    const text = fc.array(word, { maxLength: 30 }).map((some) => some.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.subarray(['sea', 'LAMP'], { minLength: 1 }), (texts, wanted) => {
        const lower = wanted.map((one) => one.toLowerCase());
        const holds = (some: string) => lower.some((one) => some.toLowerCase().includes(one));
        const all = passagesOf(
          texts.map((one, at) => found(String(at), one)),
          wanted,
        );
        for (const { text: whole, passages } of all) {
          expect(passages.length).toBeGreaterThan(0);
          for (const passage of passages) expect(whole.includes(passage) && holds(passage)).toBe(true);
        }
        expect(all.map(({ path }) => texts[Number(path)])).toEqual(texts.filter(holds));
        expect(all.flatMap(({ passages }) => passages).length).toBeLessThanOrEqual(passageLimit);
      }),
    );
  });
});
