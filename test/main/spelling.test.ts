import { describe, expect, it } from 'vitest';
import { followSpelling, knownLanguage, type Speller } from '#main/spelling';

function told(spelling: Parameters<typeof followSpelling>[1], preferred: string[], isMac = false): unknown[] {
  const said: unknown[] = [];
  const speller: Speller = {
    availableSpellCheckerLanguages: ['de', 'en-GB', 'en-US', 'es', 'nl', 'pt-BR'],
    setSpellCheckerEnabled: (isOn) => said.push(isOn),
    setSpellCheckerLanguages: (languages) => said.push(languages),
  };
  followSpelling(speller, spelling, preferred, isMac);
  return said;
}

describe('the search for wrong words', () => {
  it('is in every language that the system prefers, or in the one that the writer chose', () => {
    expect(told({ check: true, language: null }, ['en-GB', 'nl-BE', 'tlh'])).toEqual([true, ['en-GB', 'nl']]);
    expect(told({ check: true, language: 'pt' }, ['en-GB'])).toEqual([true, ['pt-BR']]);
    expect(told({ check: true, language: null }, ['tlh'])).toEqual([true]);
  });

  it('is off when the writer wants none, and leaves the languages to macOS', () => {
    expect(told({ check: false, language: 'es' }, [])).toEqual([false]);
    expect(told({ check: true, language: 'es' }, ['en-GB'], true)).toEqual([true]);
  });

  it('knows the nearest dictionary of a language', () => {
    expect(['de-AT', 'en-AU', 'es', 'zh'].map((tag) => knownLanguage(tag, ['de', 'en-GB', 'es']))).toEqual([
      'de',
      'en-GB',
      'es',
      undefined,
    ]);
  });
});
