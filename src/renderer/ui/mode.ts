import { createStore } from 'zustand/vanilla';
import { askedFrom } from '#renderer/editor/documents.ts';
import { plainFrom } from '#renderer/editor/setup.ts';
import type { Studio } from './studio.ts';

/** How a document is shown: with its marks away from the cursor hidden, as it is, as it reads, or as it is beside how it reads. */
export const modes = ['live', 'source', 'reading', 'split'] as const;
/** One of them. */
export type Mode = (typeof modes)[number];

/** A document longer than this many characters is never drawn, in live preview or for reading. */
export const drawnTo = askedFrom;

/** What the writer chose for a document: what it is shown as, and as what it was edited before. */
interface Choice {
  readonly mode: Mode;
  readonly before: Mode;
}

/** Keeps which documents of a window were given a mode of their own, and where each was when it was. */
export function createModes() {
  const store = createStore<{ readonly chosen: Readonly<Record<string, Choice>> }>()(() => ({ chosen: {} }));
  const places = new Map<string, number>();
  return {
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    choose(path: string, choice: Choice, place: number): void {
      places.set(path, place);
      store.setState(({ chosen }) => ({ chosen: { ...chosen, [path]: choice } }));
    },
    /** A document is known by another path from now on. */
    renamed(from: string, to: string): void {
      const place = places.get(from);
      if (place !== undefined) places.set(to, place);
      places.delete(from);
      store.setState(({ chosen: { [from]: choice, ...others } }) => ({
        chosen: choice === undefined ? others : { ...others, [to]: choice },
      }));
    },
    /** Shows a document at a place when it is shown next. */
    keepPlace: (path: string, place: number): void => void places.set(path, place),
    /** The character that was at the top when the mode changed, once; null: the mode did not change. */
    takePlace(path: string): number | null {
      const place = places.get(path) ?? null;
      places.delete(path);
      return place;
    },
  };
}

/** What a document is shown as that nobody chose a mode for: a long one as it is. */
export function modeAtFirst(preferred: string, length: number): Mode {
  return length > plainFrom ? 'source' : (modes.find((known) => known === preferred) ?? 'live');
}

/** How a document is shown now. */
export function modeOf({ modes: { store }, documents, preferences }: Studio, path: string): Mode {
  const chosen = store.getState().chosen[path]?.mode;
  return chosen ?? modeAtFirst(preferences.store.getState()['editor.mode'], documents.bufferOf(path)?.state.doc.length ?? 0);
}

/** Takes the cursor to a line and a column of the document in front, counted from 1, and shows that place as the document is shown. */
export function goTo(studio: Studio, line: number, column: number): void {
  const { active } = studio.documents.tabs.getState();
  const doc = active === null ? undefined : studio.documents.bufferOf(active)?.state.doc;
  studio.pane?.goTo(line, column);
  if (doc === undefined || active === null || modeOf(studio, active) !== 'reading') return;
  const at = doc.line(Math.max(1, Math.min(line, doc.lines))).from;
  studio.readPlace.setState({ path: active, at });
  studio.reader?.scrollTo(at);
  studio.reader?.focus();
}

/** Looks at a document, at a line of it (counted from 1); null: where it was left. */
export async function openAt(studio: Studio, path: string, line: number | null): Promise<void> {
  await studio.documents.open(path, { preview: true });
  // The document comes to the front with the next frame.
  if (line !== null) requestAnimationFrame(() => goTo(studio, line, 1));
}
