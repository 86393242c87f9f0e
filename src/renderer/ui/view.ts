import { createStore } from 'zustand/vanilla';
import type { LinkPlan, Move } from '#protocol/file-calls';
import type { Section } from '#renderer/settings/setting-list.ts';

/** What lies over the window and waits for an answer. */
export type Asking =
  | { readonly kind: 'palette'; readonly text: string }
  | { readonly kind: 'settings'; readonly section: Section }
  | { readonly kind: 'close' | 'format' | 'history' | 'save-copy'; readonly path: string }
  | { readonly kind: 'new-document' | 'new-folder'; readonly folder: string | null }
  | { readonly kind: 'move-to'; readonly path: string }
  /** What a document without a file is to be called, and what follows once it is. */
  | { readonly kind: 'name-document'; readonly path: string; readonly named: (path: string) => void }
  | { readonly kind: 'pair'; readonly path: string }
  | { readonly kind: 'anchor'; readonly path: string; readonly section: readonly string[] }
  | { readonly kind: 'genie'; readonly path: string; readonly where: 'front' | 'beside' }
  | { readonly kind: 'links'; readonly moves: readonly Move[]; readonly links: readonly LinkPlan[] }
  | { readonly kind: 'no-trash'; readonly paths: readonly string[]; readonly reason: string }
  | { readonly kind: 'folder' | 'sample' | 'about' | 'export' | 'goal' | 'recovered' | 'stop-tracking' | 'repositories' | 'recent-folders' }
  /** A folder, by its absolute path, that was dropped on the window. */
  | { readonly kind: 'open-dropped'; readonly root: string };

/** What of the window is shown. `notice`: a sentence at the foot of the window, until the next one or until it is put away. */
export interface View {
  readonly route: 'editor' | 'breakdown';
  readonly asking: Asking | null;
  /** The document that is compared with what is on disk. */
  readonly comparing: string | null;
  /** The document that is merged with what is on disk. */
  readonly merging: string | null;
  readonly notice: string | null;
  /** The act that the notice tells of and that can be taken back; null: none. */
  readonly undo: string | null;
  /** What stands at the left: the files, the search in them, or the outline of the document in front. */
  readonly side: 'files' | 'search' | 'outline';
  /** What screen readers were told last; `turn` tells two equal sentences apart. */
  readonly said: { readonly sentence: string; readonly turn: number };
}

/** What of the window is shown, and how that changes. */
export type ViewStore = ReturnType<typeof createView>;

/** Makes the view of a window that shows `route`. */
export function createView(route: View['route']) {
  const store = createStore<View>()(() => ({
    route,
    asking: null,
    comparing: null,
    merging: null,
    notice: null,
    undo: null,
    side: 'files',
    said: { sentence: '', turn: 0 },
  }));
  return {
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    go: (route: View['route']) => store.setState({ route }),
    ask: (asking: Asking) => store.setState({ asking }),
    answered: () => store.setState({ asking: null }),
    compare: (comparing: string | null) => store.setState({ comparing, merging: null }),
    merge: (merging: string | null) => store.setState({ merging, comparing: null }),
    notify: (notice: string | null, undo: string | null = null) => store.setState({ notice, undo }),
    show: (side: View['side']) => store.setState({ side }),
    announce: (sentence: string) => store.setState(({ said }) => ({ said: { sentence, turn: said.turn + 1 } })),
  };
}
