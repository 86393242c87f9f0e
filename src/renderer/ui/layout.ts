import { Transaction } from '@codemirror/state';
import type { JournalLayout } from '#protocol/journal-calls';
import { type Buffer, transact } from '#renderer/editor/buffer.ts';
import { withSelection, writtenSelection } from '#renderer/editor/journal-step.ts';
import type { MirrorPlace } from '#renderer/editor/mirror.ts';
import { scrollToCharacter, topCharacter } from '#renderer/editor/scroll.ts';
import { modes } from './mode.ts';
import type { Studio } from './studio.ts';

type Layout = Omit<JournalLayout, 'kind' | 'at'>;
type LaidTab = Layout['tabs'][number];

/** Where documents were that are not shown now. */
const tops = new WeakMap<Buffer, number>();
/** The same for those of the second editor. */
const besides = new WeakMap<Buffer, MirrorPlace>();

/** Which documents are open, in their order, and where the writer is in each. */
export function layoutOf(studio: Studio): Layout {
  const { documents, modes } = studio;
  const { tabs, active, beside } = documents.tabs.getState();
  const { chosen } = modes.store.getState();
  const besidePlace = besidePlaceOf(studio);
  return {
    active,
    beside,
    ...(besidePlace === undefined ? {} : { besidePlace }),
    tabs: tabs.map(({ path, isPreview, isPinned }) => {
      const buffer = documents.bufferOf(path);
      const place =
        buffer === undefined ? { selection: null, top: null } : { selection: writtenSelection(buffer.state), top: topOf(buffer) };
      return { path, isPreview, ...(isPinned ? { isPinned } : {}), mode: chosen[path]?.mode ?? null, ...place };
    }),
  };
}

/** Where the writer is in the second editor, or was when it was last seen; remembered for as long as it shows that document. */
export function besidePlaceOf({ documents, beside }: Studio): MirrorPlace | undefined {
  const path = documents.tabs.getState().beside;
  const buffer = path === null ? undefined : documents.bufferOf(path);
  if (buffer === undefined) return undefined;
  if (beside?.buffer === buffer) besides.set(buffer, beside.place());
  return besides.get(buffer);
}

/** Says where the second editor is to begin with a document; null: where the first one is. */
export function putBesideAt(buffer: Buffer, place: MirrorPlace | null): void {
  if (place === null) besides.delete(buffer);
  else besides.set(buffer, place);
}

function topOf(buffer: Buffer): number | null {
  if (buffer.view !== null) tops.set(buffer, Math.max(0, topCharacter(buffer.view)));
  return tops.get(buffer) ?? null;
}

/** Takes an open document where it was: as what it was shown, the cursor, and what was at the top. */
export function putBack({ documents, modes: kept }: Studio, { path, mode, selection, top }: LaidTab): void {
  const buffer = documents.bufferOf(path);
  const known = modes.find((one) => one === mode);
  const view = buffer?.view ?? null;
  if (known !== undefined) kept.choose(path, { mode: known, before: known === 'source' ? 'source' : 'live' }, top ?? 0);
  else if (top !== null && view === null) kept.keepPlace(path, top);
  if (buffer === undefined) return;
  if (top !== null) tops.set(buffer, top);
  const state = selection === null ? buffer.state : withSelection(buffer.state, selection);
  // Not a step of the writer: nothing is told of it.
  if (view === null) buffer.state = state;
  else transact(buffer, { selection: state.selection, annotations: Transaction.addToHistory.of(false) });
  if (view !== null && top !== null && known === undefined) scrollToCharacter(view, top);
}
