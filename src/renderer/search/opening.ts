import type { FoundMatch } from '#protocol/search-calls';
import { transact } from '#renderer/editor/buffer.ts';
import { join } from '#renderer/editor/line-breaks.ts';
import { showSide } from '#renderer/ui/room.ts';
import { focusPageNow, type Studio } from '#renderer/ui/studio.ts';
import { selectionAt } from './place.ts';

/** Shows the search with the focus in its field; what is selected in the text is looked for. `folder` null: as it was left. */
export function openSearch(studio: Studio, folder: string | null): void {
  const { documents, search, view } = studio;
  const { active } = documents.tabs.getState();
  const state = active === null ? undefined : documents.bufferOf(active)?.state;
  const selected = state?.sliceDoc(state.selection.main.from, Math.min(state.selection.main.to, state.selection.main.from + 200)) ?? '';
  void showSide(studio);
  view.show('search');
  if (selected !== '' && !selected.includes('\n')) search.change({ text: selected, isExpression: false });
  if (folder !== null) search.change({ include: folder === '' ? '' : `/${folder}/` });
  search.refresh();
  search.focus();
}

/** Puts the search away; what was found is kept. */
export function closeSearch(studio: Studio): void {
  studio.view.show('files');
  focusPageNow(studio);
}

/** Opens a document at a match; `stays`: the page gets the focus. */
export async function openMatch(studio: Studio, path: string, match: FoundMatch, stays: boolean): Promise<void> {
  const { documents } = studio;
  await documents.open(path, { preview: !stays });
  const buffer = documents.bufferOf(path);
  if (buffer === undefined) return;
  const place = selectionAt(join(buffer.state), match);
  // The document comes to the front with the next frame.
  requestAnimationFrame(() => {
    studio.pane?.goTo(place?.line ?? match.line, 1);
    if (place !== null) transact(buffer, { selection: { anchor: place.from, head: place.to }, scrollIntoView: true });
    if (!stays) document.querySelector<HTMLElement>('.search-hit[data-current="true"]')?.focus();
  });
}
