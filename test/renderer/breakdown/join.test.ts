import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JoinPart, JoinProposal } from '#protocol/document-calls';
import { type Choice, chosenText, conflictsOf, joinedText, joinRequest } from '#renderer/breakdown/join.ts';

const line = fc.constantFrom('', 'a\n', 'b\n', 'c');
const part: fc.Arbitrary<JoinPart> = fc.oneof(
  fc.record({ kind: fc.constant('same' as const), text: line }),
  fc.record({ kind: fc.constant('conflict' as const), base: line, sides: fc.array(line, { minLength: 2, maxLength: 3 }) }),
);

describe('a join', () => {
  it('has a text as soon as every place is chosen, and not before', () => {
    fc.assert(
      fc.property(fc.array(part), fc.nat(), (parts, left) => {
        const places = conflictsOf(parts);
        const all = new Map<number, Choice>(places.map((at) => [at, { kind: 'side', side: 0 }]));
        expect(joinedText(parts, all)).toBe(parts.map((one) => (one.kind === 'same' ? one.text : one.sides[0])).join(''));
        if (places.length === 0) return;
        all.delete(places[left % places.length]!);
        expect(joinedText(parts, all)).toBeNull();
      }),
    );
  });

  it('takes a side, how it was before, or all sides without running lines together', () => {
    const conflict = { kind: 'conflict' as const, base: 'was', sides: ['one', 'two\n', 'three'] };
    expect(chosenText(conflict, { kind: 'side', side: 1 })).toBe('two\n');
    expect(chosenText(conflict, { kind: 'side', side: 7 })).toBeNull();
    expect(chosenText(conflict, { kind: 'before' })).toBe('was');
    expect(chosenText(conflict, { kind: 'all' })).toBe('one\ntwo\nthree');
    expect(chosenText(conflict, undefined)).toBeNull();
  });

  it("takes words of one's own as whole lines, and nothing for no choice", () => {
    const conflict = { kind: 'conflict' as const, base: 'was\n\n', sides: ['one\n\n', 'two\n\n'] };
    expect(chosenText(conflict, { kind: 'own', text: 'mine' })).toBe('mine\n\n');
    expect(chosenText(conflict, { kind: 'own', text: 'mine\n\n\n' })).toBe('mine\n\n');
    expect(chosenText({ ...conflict, base: '', sides: ['one', 'two'] }, { kind: 'own', text: 'mine' })).toBe('mine');
    expect(conflictsOf([conflict], new Map([[0, { kind: 'own', text: ' \n' }]]))).toEqual([0]);
    expect(conflictsOf([conflict], new Map([[0, { kind: 'own', text: 'x' }]]))).toEqual([]);
  });

  it('is asked for as it was proposed, with the copy where there is one', () => {
    const side = { revision: 'r1', label: 'v1', copy: null, content: 'c1', text: '', time: null, agent: null, by: null };
    const sides = [side, { ...side, copy: 'copy.md', content: 'c2' }];
    const proposal: JoinProposal = { object: 'o', path: 'a.md', base: 'b', heads: ['r1'], ancestor: null, sides, parts: null };
    const asked = { path: 'a.md', heads: ['r1'], base: 'b', result: { take: 'c1' }, idem: 'i' };
    expect(joinRequest(proposal, 'copy.md', { take: 'c1' }, 'i')).toEqual({ ...asked, copy: 'copy.md', content: 'c2' });
    expect(joinRequest(proposal, null, { take: 'c1' }, 'i')).toEqual({ ...asked, copy: null, content: null });
  });
});
