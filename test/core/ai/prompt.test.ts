import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPrompt, markFor, type PromptParts } from '#core/ai/prompt';

const parts: PromptParts = { template: null, ask: '', content: '', before: '', after: '', reads: [], shown: [], action: 'replace' };
const fill = (some: Partial<PromptParts>) => fillPrompt({ ...parts, ...some }, 'm4rk').prompt;

describe('a prompt', () => {
  it('has each document between two lines, at the place that it has in the template', () => {
    const reads = [{ path: 'bible/mira.md', text: '# Mira\n\nMira is left-handed.\n' }];
    expect(
      fill({ template: 'Do it.\n\n{{content}}\n\n{{context}}\n\nSee:\n\n{{ reads }}', content: 'A text.', after: 'Then.\n', reads }),
    ).toBe(
      [
        'Do it.\n\n⟦text m4rk⟧\nA text.\n⟦end m4rk⟧',
        '⟦after the text m4rk⟧\nThen.\n⟦end m4rk⟧',
        'See:',
        '⟦document "bible/mira.md" m4rk⟧\n# Mira\n\nMira is left-handed.\n⟦end m4rk⟧',
      ].join('\n\n'),
    );
  });

  it('of the writer’s own words begins with them; places of nothing leave no gap, and what has no place comes last', () => {
    expect(fill({ ask: ' Make it rhyme. ', content: 'A text.' })).toBe('Make it rhyme.\n\n⟦text m4rk⟧\nA text.\n⟦end m4rk⟧');
    expect(fill({ template: 'Do it.\n\n{{content}}\n\n{{context}}\n\nNow.', ask: 'And rhyme.' })).toBe(
      'Do it.\n\nNow.\n\nBesides: And rhyme.',
    );
    expect(fill({ template: 'Do it.', reads: [{ path: 'a.md', text: 'A' }] })).toBe('Do it.\n\n⟦document "a.md" m4rk⟧\nA\n⟦end m4rk⟧');
  });

  it('fills no place that stands in a document, and leaves a document as it is', () => {
    const text = fc
      .array(fc.constantFrom('{{reads}}', '{{content}}', '$&', '$1', '\n\n\n\n', '⟦end m4rk⟧', 'a'), { maxLength: 8 })
      .map((some) => some.join(''));
    fc.assert(
      fc.property(text, text, (content, read) => {
        const mark = markFor([content, read], () => 'q7');
        const { prompt } = fillPrompt(
          { ...parts, template: '{{content}}\n\n{{reads}}', content, reads: [{ path: 'a.md', text: read }] },
          mark,
        );
        const bodies = prompt.split(/⟦(?:text|document "a\.md") q7⟧\n|\n⟦end q7⟧(?:\n\n)?/u).filter((_, at) => at % 2 === 1);
        const trimmed = (some: string) => some.replace(/\n+$/u, '');
        expect(bodies).toEqual([...(content === '' ? [] : [trimmed(content)]), trimmed(read)]);
      }),
    );
  });

  it('has a mark that no document knows', () => {
    const marks = ['aaaa', 'bbbb', 'cccc'];
    expect(markFor(['so bbbb', 'aaaa too'], () => marks.shift()!)).toBe('cccc');
  });
});
