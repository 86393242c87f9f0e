import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { behindOf, othersOf, pinnedOrder, placeBehind } from '#renderer/editor/tab-order.ts';

interface One {
  readonly path: string;
  readonly isPinned: boolean;
}

const sorted = (tabs: readonly One[]) => tabs.every((tab, at) => at === 0 || tabs[at - 1]!.isPinned || !tab.isPinned);

describe('the order of tabs', () => {
  it('keeps pinned ones first and the others as they were, whatever is opened, pinned, let go and closed', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const act = fc.record({ kind: fc.constantFrom('open', 'pin', 'let-go', 'others', 'right'), path: name });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        let tabs: readonly One[] = [];
        let active: string | null = null;
        for (const { kind, path } of acts) {
          const isThere = tabs.some((tab) => tab.path === path);
          if (!isThere) tabs = tabs.toSpliced(placeBehind(tabs, active), 0, { path, isPinned: false });
          active = path;
          const before = tabs;
          if (kind === 'pin' || kind === 'let-go') tabs = pinnedOrder(tabs, path, kind === 'pin');
          const rest = (all: readonly One[]) => all.filter((tab) => tab.path !== path);
          expect(rest(tabs)).toEqual(rest(before));
          expect(tabs).toHaveLength(before.length);
          const closed = kind === 'others' ? othersOf(tabs, path) : kind === 'right' ? behindOf(tabs, path) : [];
          expect(before.filter((tab) => closed.includes(tab.path) && (tab.isPinned || tab.path === path))).toEqual([]);
          tabs = tabs.filter((tab) => !closed.includes(tab.path));
          expect(sorted(tabs)).toBe(true);
        }
      }),
    );
  });

  it('puts a tab that is let go before the others, and closes to the right of a pinned one', () => {
    const tabs = ['a', 'b', 'c', 'd'].map((path) => ({ path, isPinned: path < 'c' }));
    expect(pinnedOrder(tabs, 'a', false).map(({ path }) => path)).toEqual(['b', 'a', 'c', 'd']);
    expect(pinnedOrder(tabs, 'd', true).map(({ path }) => path)).toEqual(['a', 'b', 'd', 'c']);
    expect([behindOf(tabs, 'a'), behindOf(tabs, 'c'), behindOf(tabs, 'gone'), othersOf(tabs, 'd')]).toEqual([['c', 'd'], ['d'], [], ['c']]);
  });
});
