import { describe, expect, it } from 'vitest';
import { type SmartLanguage, smartSign } from '#renderer/editor/smart-sign.ts';

/** Types a text sign by sign. */
function typed(text: string, language: SmartLanguage): string {
  let line = '';
  for (const sign of text) {
    const smart = smartSign(sign, line, language);
    line = smart === null ? line + sign : line.slice(0, line.length - smart.back) + smart.insert;
  }
  return line;
}

describe('signs as they are printed', () => {
  it.each([
    ['en', `"Go," she said, "it's 'late'."`, '“Go,” she said, “it’s ‘late’.”'],
    ['en', '("a")', '(“a”)'],
    ['en', 'the dog -- a big one --- ran', 'the dog – a big one — ran'],
    ['en', 'Wait...', 'Wait…'],
    ['en', '1990--2000', '1990–2000'],
    ['es', '"Vete", dijo', '«Vete», dijo'],
    ['es', 'Sí -- dijo', 'Sí — dijo'],
    ['fr', '"Va" -- dit-il', '«\u202fVa\u202f» – dit-il'],
    ['de', `"Geh 'fort'"`, '„Geh ‚fort‘“'],
    ['it', '"Va"', '«Va»'],
    ['pt', '"Vai"', '“Vai”'],
  ] as const)('%s: %s', (language, text, printed) => {
    expect(typed(text, language)).toBe(printed);
  });

  it('leave frontmatter fences, rules and lists alone', () => {
    expect(typed('---', 'en')).toBe('---');
    expect(typed('- a', 'en')).toBe('- a');
    expect(typed('a - b', 'en')).toBe('a - b');
  });
});
