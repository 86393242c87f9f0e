import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = 'out/renderer';

/** The built scripts that the page names, in its own words: what is fetched before anything is painted. */
function firstParts(): readonly string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/gu)].map(([, name]) => name!);
}

/** The modules that a built script was made of. */
function modulesOf(name: string): readonly string[] {
  const map = /sourceMappingURL=(\S+)/u.exec(readFileSync(join(folder, name), 'utf8'))?.[1];
  if (map === undefined) return [];
  return (JSON.parse(readFileSync(join(folder, 'assets', map), 'utf8')) as { sources: string[] }).sources;
}

describe('what the page loads before it shows a text', () => {
  const modules = firstParts().flatMap(modulesOf);
  it('is the window and the editor', () => {
    for (const needed of ['renderer/window.tsx', 'renderer/editor/setup.ts', '@codemirror/view', 'react-dom'])
      expect(
        modules.some((module) => module.includes(needed)),
        needed,
      ).toBe(true);
  });
  it.each([
    ['the languages of code', /@lezer\/(?:html|css|javascript)|lang-(?:html|css|javascript)|legacy-modes/u],
    ['formulas and diagrams', /katex|mermaid/u],
    ['how a text is read and exported', /reading\/(?:markdown|drawing)|remark|rehype|micromark/u],
    [
      'the tree of the files, and how trees and lists are drawn',
      /explorer\/file-tree|react-aria\S*\/(?:Tree|Virtualizer|ListBox|DragAndDrop)/u,
    ],
    ['what lies over the window', /ui\/asked|palette\/palette\.tsx|settings\/settings-dialog|history-dialog|genie-picker/u],
    ['the breakdown', /breakdown\/(?:breakdown-page|coherence-panel|comparison)/u],
    ['comparing and merging', /ui\/(?:compare|merge)-view/u],
  ])('leaves for later: %s', (_, late) => {
    expect(modules.filter((module) => late.test(module))).toEqual([]);
  });
  it('is no more than it was, which is a matter of tens of milliseconds', () => {
    const size = firstParts().reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(size).toBeLessThan(1_350_000);
  });
});
