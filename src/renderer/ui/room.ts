import { useSyncExternalStore } from 'react';
import { type Studio, usePreference } from './studio.ts';

/** Where files, page and coherence panel do not fit beside each other; there the panel takes the place of the files. */
const narrow = '(max-width: 1080px)';

function subscribe(changed: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether the files are shown: as the writer wants it, where there is room. */
export function useHasSide(): boolean {
  const isNarrow = useSyncExternalStore(subscribe, () => matchMedia(narrow).matches);
  const isWanted = usePreference('view.sidebar');
  const hasPanel = usePreference('view.coherence');
  return isWanted && !(isNarrow && hasPanel);
}

/** Shows the files' place, wherever it was hidden. */
export async function showSide({ preferences }: Studio): Promise<void> {
  const { 'view.sidebar': isWanted, 'view.coherence': hasPanel } = preferences.store.getState();
  if (!isWanted) await preferences.set('view.sidebar', true);
  if (hasPanel && matchMedia(narrow).matches) await preferences.set('view.coherence', false);
}

/** Shows or hides the files. Where the panel has their place, they take it back. */
export function toggleSide({ preferences }: Studio): Promise<void> {
  const { 'view.sidebar': isWanted, 'view.coherence': hasPanel } = preferences.store.getState();
  if (isWanted && hasPanel && matchMedia(narrow).matches) return preferences.set('view.coherence', false);
  return preferences.set('view.sidebar', !isWanted);
}
