import { lazy } from 'react';
import { showSide } from './room.ts';
import { focusPage, type Studio } from './studio.ts';

/** The outline of the document in front, loaded when it is first shown. */
export const OutlinePanel = lazy(async () => ({ default: (await import('#renderer/outline/outline-panel.tsx')).OutlinePanel }));

/** Shows the outline with the focus in it; from there, the files again with the focus in the text. */
export async function toggleOutline(studio: Studio): Promise<void> {
  const { view } = studio;
  if (view.store.getState().side === 'outline' && document.activeElement?.closest('.side.outline') != null) {
    view.show('files');
    focusPage(studio);
    return;
  }
  view.show('outline');
  await showSide(studio);
  focusOutline(40);
}

/** The panel and its rows may still be on their way. */
function focusOutline(tries: number): void {
  const panel = document.querySelector<HTMLElement>('.side.outline');
  const row = panel?.querySelector<HTMLElement>('.outline-row[data-current="true"]') ?? panel?.querySelector<HTMLElement>('.outline-row');
  const isEmpty = panel?.querySelector('.none') != null && row == null;
  if (row != null) row.focus();
  else if (isEmpty || tries === 0) panel?.focus();
  else setTimeout(() => focusOutline(tries - 1), 50);
}
