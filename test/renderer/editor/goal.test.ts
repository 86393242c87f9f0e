import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Goal, goalOf, mostGoal, readGoal, setGoal, writeGoal } from '#renderer/editor/goal.ts';

const text = (source: string) => Text.of(source.split('\n'));
const changed = (source: string, goal: Goal | null) => {
  const doc = text(source);
  return ChangeSet.of([...setGoal(doc, goal)], doc.length).apply(doc);
};
const goal = fc.record({ count: fc.integer({ min: 1, max: mostGoal }), unit: fc.constantFrom('words' as const, 'characters' as const) });
const source = fc.constantFrom(
  '',
  '# Title\n\nText\n',
  '---\ntitle: a\n---\ntext',
  '---\ngoal: 5\ntitle: a # said\n---\n',
  '---\ngoal: "12 words"\n---\ntext',
  '---\ngoal:\n  - 5\n---\ntext',
  '---\nvmark:\n  id: 01998f2e-7c1a-7d2b-9c3d-4e5f60718293\n---\ntext',
);

describe('the goal of a document', () => {
  it('is what was set, and nothing else of the document changes', () => {
    fc.assert(
      fc.property(source, goal, (before, wanted) => {
        const doc = changed(before, wanted);
        expect(goalOf(doc)).toEqual(wanted);
        const others = before.split('\n').filter((line) => !/goal|^ {2}- 5$/u.test(line) && line.trim() !== '');
        for (const line of others) expect(doc.toString().split('\n')).toContain(line);
        expect(goalOf(changed(doc.toString(), null))).toBeNull();
      }),
    );
  });

  it('is read as it is written', () => {
    fc.assert(
      fc.property(goal, (wanted) => {
        expect(readGoal(writeGoal(wanted))).toEqual(wanted);
      }),
    );
    expect(['1500', '1500 words', '9000 characters', '1 word'].map(readGoal)).toMatchObject([
      { count: 1500 },
      { count: 1500 },
      { unit: 'characters' },
      {},
    ]);
    for (const bad of ['', '0', '-5', 'soon', '5 pages', '99999999999']) expect(readGoal(bad), bad).toBeNull();
  });
});
