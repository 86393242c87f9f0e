import { isUntitled } from '#renderer/editor/untitled.ts';
import { say } from '#renderer/words.ts';
import { focusPage, type Studio } from './studio.ts';

/**
 * Closes tabs together. What is unsaved is saved first where documents save by themselves; where it cannot be, or is in no file yet, its
 * tab stays, and the writer is told how many do.
 */
export async function closeTabs(studio: Studio, paths: readonly string[]): Promise<void> {
  const { documents, view } = studio;
  const isDirty = (path: string) => documents.tabs.getState().tabs.some((tab) => tab.path === path && tab.isDirty);
  if (studio.preferences.store.getState()['saving.autosave'] !== 'off')
    await Promise.all(paths.filter((path) => isDirty(path) && !isUntitled(path)).map((path) => documents.save(path)));
  const kept = paths.filter(isDirty);
  for (const path of paths) if (!kept.includes(path)) documents.close(path);
  if (kept.length > 0) view.notify(say('tab.kept', { count: kept.length }));
  focusPage(studio);
}

/** Pins a tab, or lets it go; the ear is told which. */
export function togglePin({ documents, view }: Studio, path: string): void {
  const tab = documents.tabs.getState().tabs.find((one) => one.path === path);
  if (tab === undefined) return;
  documents.pin(path, !tab.isPinned);
  view.announce(say(tab.isPinned ? 'said.unpinned' : 'said.pinned', { path }));
}
