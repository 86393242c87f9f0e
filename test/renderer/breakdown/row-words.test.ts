import { describe, expect, it } from 'vitest';
import { type RowState, rowStates, wordsFor } from '#protocol';
import type { BreakdownRow } from '#protocol/breakdown-calls';
import { markOf, refusals, rowKey, rowName, versionsOf } from '#renderer/breakdown/row-words.ts';
import en from '../../../src/renderer/breakdown/words/en.json' with { type: 'json' };
import { documentRow, edgeRow, revision } from './row.ts';

describe('a row', () => {
  it.each(rowStates)('has a shape, a colour and a word for %s', (state: RowState) => {
    const mark = markOf({ state, section: null } as BreakdownRow);
    expect(wordsFor('en')(`states.${mark.word}`)).not.toBe(`states.${mark.word}`);
    expect(mark.shape).toBeTruthy();
  });

  it('says that the section changed where it rests on one that did', () => {
    const section = { path: ['Ines', 'Habits'], status: 'changed' as const };
    expect(markOf(edgeRow({ section })).word).toBe('section-changed');
    expect(markOf(edgeRow({ section: { ...section, status: 'unavailable' } })).word).toBe('version-stale');
    expect(markOf(edgeRow({ section, state: 'diverged' })).word).toBe('diverged');
  });

  it('shows its versions: passed, beside each other, several, none', () => {
    expect(versionsOf(edgeRow({}))).toBe('v1 → v2');
    expect(versionsOf(edgeRow({ state: 'diverged' }))).toBe('v1 ∥ v2');
    expect(versionsOf(edgeRow({ state: 'diverged-multi-head', current: null }))).toBe('v1');
    expect(versionsOf(documentRow())).toBe('v2 ∥ v3');
    expect(versionsOf(edgeRow({ pinned: { revision: revision('a'), label: null } }))).toBe('? → v2');
  });

  it('is named by artifact, source and the shown word', () => {
    const words = (key: string, detail?: Readonly<Record<string, unknown>>) =>
      key.startsWith('states.') ? wordsFor('en')(key) : `${key} ${Object.values(detail ?? {}).join(' | ')}`;
    const section = { path: ['Ines', 'Habits'], status: 'changed' as const };
    expect(rowName('a.md', edgeRow({ section }), words)).toBe('row.edge a.md | s.md § Ines › Habits | section changed');
    expect(rowName('a.md', documentRow(), words)).toBe('row.document a.md | several versions');
  });

  it('has a key of its own', () => {
    expect(
      new Set([rowKey(edgeRow({}), 'a'), rowKey(edgeRow({ input: 1 }), 'a'), rowKey(documentRow(), 'a'), rowKey(documentRow(), 'b')]).size,
    ).toBe(4);
  });

  it('says why what may not be done may not', () => {
    expect(refusals(edgeRow({}))).toEqual({ accept: null, revise: null, waive: null });
    const closed = { accept: false, revise: false, waive: false };
    const several = refusals(edgeRow({ state: 'diverged-multi-head', current: null, actions: closed }));
    expect(several).toEqual({ accept: 'several-versions', revise: 'no-path', waive: 'several-versions' });
    expect(refusals(edgeRow({ state: 'unpinnable', current: null, actions: closed })).accept).toBe('unpinnable');
    for (const reason of ['several-versions', 'unpinnable', 'no-path', 'no-source']) expect(en.disabled).toHaveProperty([reason]);
  });
});
