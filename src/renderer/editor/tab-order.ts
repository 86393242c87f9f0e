/** What the order of tabs knows of one. */
interface Ordered {
  readonly path: string;
  readonly isPinned: boolean;
}

/** Where a new tab comes: behind the one in front, and never among the pinned ones. */
export function placeBehind(tabs: readonly Ordered[], active: string | null): number {
  return Math.max(tabs.findIndex(({ path }) => path === active) + 1, pinnedIn(tabs));
}

/** The tabs with one pinned or no longer: pinned ones stand first, and the one that changed stands where they end. */
export function pinnedOrder<One extends Ordered>(tabs: readonly One[], path: string, isPinned: boolean): readonly One[] {
  const tab = tabs.find((one) => one.path === path);
  if (tab === undefined || tab.isPinned === isPinned) return tabs;
  const others = tabs.filter((one) => one !== tab);
  return others.toSpliced(pinnedIn(others), 0, { ...tab, isPinned });
}

/** What _Close others_ closes: all but this one and the pinned ones. */
export function othersOf(tabs: readonly Ordered[], path: string): string[] {
  return tabs.filter((tab) => tab.path !== path && !tab.isPinned).map((tab) => tab.path);
}

/** What _Close tabs to the right_ closes: what stands behind this one and is not pinned. */
export function behindOf(tabs: readonly Ordered[], path: string): string[] {
  const at = tabs.findIndex((tab) => tab.path === path);
  return at < 0 ? [] : othersOf(tabs.slice(at), path);
}

const pinnedIn = (tabs: readonly Ordered[]): number => tabs.filter(({ isPinned }) => isPinned).length;
