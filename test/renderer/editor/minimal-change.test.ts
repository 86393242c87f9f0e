import { Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimalChange } from '#renderer/editor/minimal-change.ts';

const line = fc.constantFrom('', 'one', 'two two', '# three', 'vier 😀');
const text = fc.array(line, { maxLength: 12 }).map((lines) => Text.of(lines.length > 0 ? lines : ['']));

describe('a minimal change', () => {
  it('makes the one text of the other', () => {
    fc.assert(fc.property(text, text, (before, after) => void expect(minimalChange(before, after).apply(before).eq(after)).toBe(true)));
  });

  it('of a text to itself is none', () => {
    fc.assert(fc.property(text, (same) => void expect(minimalChange(same, same).empty).toBe(true)));
  });

  it('keeps the place of a cursor between two parts that changed', () => {
    const before = Text.of(['head', 'middle line', 'tail']);
    const after = Text.of(['a new head', 'middle line', 'another tail']);
    const cursor = before.line(2).from + 3;
    expect(minimalChange(before, after).mapPos(cursor)).toBe(after.line(2).from + 3);
  });

  it('that puts a block in front moves every cursor along', () => {
    const before = Text.of(['# Title', 'text']);
    const after = Text.of(['---', 'vmark:', '  id: x', '---', '# Title', 'text']);
    const changes = minimalChange(before, after);
    expect(changes.mapPos(3)).toBe(after.line(5).from + 3);
  });
});
