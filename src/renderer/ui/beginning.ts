import type { Studio } from './studio.ts';

/** Remembers the first document that is opened in this installation; from then on the welcome offers no sample. */
export function rememberBeginning({ documents, preferences }: Studio): void {
  const stop = documents.tabs.subscribe(({ active }) => {
    if (active === null) return;
    stop();
    if (preferences.store.getState()['view.begun']) return;
    // Where it cannot be kept, the sample is offered again; nobody has to be told.
    preferences.set('view.begun', true).catch(() => {});
  });
}
