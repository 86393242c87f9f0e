import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recipeOf } from '#core/grammars/parse';
import type { Language } from '#kernel/declaration';
import { sources, strangers } from '../../scripts/grammars.ts';

const languages: readonly Language[] = ['typescript', 'tsx', 'javascript', 'swift', 'kotlin', 'python', 'go', 'rust', 'java'];
const licences = readFileSync(new URL('../../grammars/LICENCES.md', import.meta.url), 'utf8');

describe('grammars', () => {
  it('are the files that were checked', () => {
    expect(strangers()).toEqual([]);
  });

  it('are there for every language, in the version that hashes name, with their licence', () => {
    for (const language of languages) {
      const source = sources.find(({ file }) => file === `${language}.wasm`);
      expect(source).toBeDefined();
      expect(licences).toContain(`${language}.wasm`);
      // Swift's grammar comes built in another package.
      if (language !== 'swift') expect(recipeOf(language)).toContain(`${source?.package}@${source?.version}`);
    }
  });
});
