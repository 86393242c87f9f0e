import { describe, expect, it } from 'vitest';
import { anchorSentence } from '#cli/anchor-sentence';
import { repositoryProblems } from '#kernel/anchor';
import type { CheckedAnchor } from '#protocol/anchor-calls';
import { wordsFor } from '#protocol/words';
import { markOf, placeOf, rowName, whyOf } from '#renderer/code/code-words.ts';
import { codeWords } from '#renderer/code/words.ts';

const words = codeWords('en');

function anchorWith(
  state: CheckedAnchor['state'],
  detail: Partial<CheckedAnchor['detail']>,
  more: Partial<CheckedAnchor> = {},
): CheckedAnchor {
  return {
    id: '018f0000-0000-7000-8000-000000000001',
    document: { object: '018f0000-0000-7000-8000-000000000002', path: 'docs/a.md', section: ['The ladder'] },
    repository: null,
    language: 'typescript',
    kind: 'function',
    qualified_name: 'languageForPath',
    file_hint: 'src/languages.ts',
    fallback: false,
    ...more,
    state,
    detail: { reason: 'body_changed', file: 'src/languages.ts', line_start: 12, line_end: 31, ...detail },
  };
}

describe('a row about code', () => {
  it('reads as on the card', () => {
    const anchor = anchorWith('stale', {});
    expect(rowName({ anchor, isUnchecked: false }, words)).toBe(
      'docs/a.md § The ladder: function languageForPath — Stale — the declaration is still there, but its body changed',
    );
    expect(placeOf(anchor)).toBe('src/languages.ts:12');
  });

  it('says by the flags what changed besides, and by the reason what moved and what was renamed', () => {
    const moved = anchorWith('moved-renamed', { reason: 'moved_and_renamed', moved_to: 'lib/a.ts', renamed_to: 'b', body_changed: true });
    expect(markOf(moved)).toEqual({ word: 'moved_and_renamed', shape: 'diamond', tone: 'diverged' });
    expect(whyOf(moved, words)).toBe('it is in lib/a.ts now and is called b, and its body changed');
    expect(whyOf(anchorWith('stale', { signature_changed: true }), words)).toMatch(/its body and how it is called changed/);
    expect(whyOf(anchorWith('moved-renamed', { reason: 'renamed', renamed_to: 'b', body_changed: false }), words)).toBe(
      'it is called b now',
    );
    expect(markOf(anchorWith('moved-renamed', { reason: 'reverted' })).word).toBe('moved-renamed');
  });

  it('that was not checked says so, with the state that was seen last', () => {
    const anchor = anchorWith('lost', { reason: 'budget' }, { fallback: true, qualified_name: '2-9', kind: 'lines' });
    expect(rowName({ anchor, isUnchecked: true }, words)).toBe(
      'docs/a.md § The ladder: lines 2-9 — Not checked (lost) — the limit of this check was reached before',
    );
  });

  it.each(repositoryProblems)('of a repository that could not be read says what is wrong with it: %s', (repository_problem) => {
    const anchor = anchorWith('stale', { reason: 'unreadable', repository_problem }, { repository: 'engine' });
    for (const locale of ['en', 'es'] as const) {
      expect(whyOf(anchor, codeWords(locale))).toMatch(/\bengine\b/);
      expect(anchorSentence(anchor, true, wordsFor(locale))).toMatch(/\bengine\b.*\.$/);
    }
  });
});
