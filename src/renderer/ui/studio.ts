import { createContext, useContext } from 'react';
import { v7 } from 'uuid';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Fault } from '#protocol/fault';
import type { Keymap } from '#protocol/keymap';
import { createModelDesk, type ModelDesk } from '#renderer/ai/model-desk.ts';
import { tellOfModels } from '#renderer/ai/news.ts';
import { type Connection, desktop } from '#renderer/connection.ts';
import { type Buffer, isDirty } from '#renderer/editor/buffer.ts';
import { createDocuments, type Documents, type Tab, type Tabs } from '#renderer/editor/documents.ts';
import { createWindowJournal, type WindowJournal } from '#renderer/editor/journal.ts';
import type { Mirror } from '#renderer/editor/mirror.ts';
import type { Pane } from '#renderer/editor/pane.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import type { Reader } from '#renderer/reading/reader.ts';
import { createSearchStore, type SearchStore } from '#renderer/search/search-store.ts';
import { createPreferences, type PreferenceStore, type Preferences } from '#renderer/settings/preferences.ts';
import { faultWords, locale, say } from '#renderer/words.ts';
import { type Autosave, createAutosave } from './autosave.ts';
import { focusLater } from './focus-later.ts';
import { followAddress } from './follow-link.ts';
import { layoutOf } from './layout.ts';
import { createModes, modeOf } from './mode.ts';
import { createNeighbours } from './neighbourhood.ts';
import { createPasting } from './pasted-picture.ts';
import { createPosition } from './position.ts';
import { createRecoveryStore, type RecoveryStore } from './recovery-store.ts';
import { createView, type View, type ViewStore } from './view.ts';
import { holdSession } from './window-session.ts';
import { createWorkspace, type WorkspaceState, type WorkspaceStore } from './workspace.ts';

/** Everything that a window is made of, apart from how it looks. */
export interface Studio {
  readonly connection: Connection;
  readonly documents: Documents;
  readonly workspace: WorkspaceStore;
  readonly preferences: PreferenceStore;
  readonly view: ViewStore;
  readonly position: ReturnType<typeof createPosition>;
  readonly autosave: Autosave;
  /** Keeps what is typed; null in a window without documents. */
  readonly journal: WindowJournal | null;
  /** What other lives of the window left. */
  readonly recovery: RecoveryStore;
  /** How documents are shown. */
  readonly modes: ReturnType<typeof createModes>;
  readonly search: SearchStore;
  /** What models are asked about documents. */
  readonly models: ModelDesk;
  /** The document that is read, and the character at its top. */
  readonly readPlace: StoreApi<{ readonly path: string; readonly at: number }>;
  /** Where documents are shown; null while none is. */
  pane: Pane | null;
  /** The second editor; null while there is none. */
  beside: Mirror | null;
  /** Where a document is shown as it reads; null while none is. */
  reader: Reader | null;
  /** Told of every change of a text that is shown; the answer stops it. */
  hearText(listener: (buffer: Buffer) => void): () => void;
  /** Tells those. */
  textChanged(buffer: Buffer): void;
  readonly isMac: boolean;
}

/** Puts a window together over a connection. */
export function createStudio(connection: Connection, route: View['route']): Studio {
  const view = createView(route);
  const isMac = desktop()?.platform === 'darwin' || (desktop() === null && /Mac/.test(navigator.platform));
  const preferences = createPreferences(connection, isMac ? 'mac' : 'other');
  const session = v7();
  const hasDocuments = desktop() === null || route === 'editor';
  const journal = !hasDocuments
    ? null
    : createWindowJournal({
        wire: connection,
        session,
        now: Date.now,
        layout: () => layoutOf(studio),
        troubled: (fault) => journalTroubled(studio, fault),
      });
  if (hasDocuments) holdSession(session);
  const documents = createDocuments({
    wire: connection,
    ...(journal === null ? {} : { journal }),
    newId: v7,
    now: Date.now,
    say,
    follow: (address) => void followAddress(studio, address),
    neighbours: createNeighbours(() => studio, connection),
    pasting: createPasting(() => studio),
    renamed: (from, to) => studio.modes.renamed(from, to),
    announce: (what, path) => {
      view.announce(say(`said.${what}`, { path }));
      // An open document changes no list of files, but for this.
      if (what === 'removed') studio.workspace.listSoon();
    },
  });
  const autosave = createAutosave(() => preferences.store.getState()['saving.autosave'], {
    save: (buffer, how) => documents.save(buffer.path, how),
    record: documents.record,
  });
  documents.onEdit(autosave.edited);
  const readers = new Set<(buffer: Buffer) => void>();
  const studio: Studio = {
    connection,
    documents,
    preferences,
    view,
    autosave,
    journal,
    recovery: createRecoveryStore(session),
    workspace: createWorkspace(connection, (path) => documents.bufferOf(path) !== undefined),
    position: createPosition(),
    modes: createModes(),
    search: createSearchStore(connection, () => view.store.getState().side === 'search'),
    models: createModelDesk({ connection, bufferOf: documents.bufferOf, told: (news) => tellOfModels(studio, news) }),
    readPlace: createStore(() => ({ path: '', at: 0 })),
    pane: null,
    beside: null,
    reader: null,
    hearText(listener) {
      readers.add(listener);
      return () => void readers.delete(listener);
    },
    textChanged(buffer) {
      for (const listener of readers) listener(buffer);
    },
    isMac,
  };
  documents.tabs.subscribe(studio.models.closed);
  if (journal !== null) for (const { subscribe } of [documents.tabs, studio.modes.store]) subscribe(journal.changed);
  return studio;
}

/** Said once, until what is typed is kept again. */
function journalTroubled({ view, recovery }: Studio, fault: Fault | null): void {
  if (recovery.isTroubled(fault !== null))
    view.notify(say('recovery.trouble', { problem: faultWords(fault!.code, fault!.detail, locale.getState().locale) }));
}

/** Whether any document has changes that are not on disk. */
export const hasUnsaved = ({ documents }: Studio): boolean =>
  [...documents.buffers()].some((buffer) => (buffer.disk !== null || isUntitled(buffer.path)) && isDirty(buffer));

/** Gives the page the focus, once what was asked for is shown in it; what lies over the window by then keeps it. */
export const focusPage = (studio: Studio): void => focusLater(studio.view, () => focusPageNow(studio));

/** Gives the focus to the page, or to the second editor where that was written in. */
export function focusIn(studio: Studio, where: 'front' | 'beside'): void {
  if (where === 'front') focusPage(studio);
  else focusLater(studio.view, () => studio.beside?.focus());
}

/** Gives the page the focus at once: what is shown in it stays the same. */
export const focusPageNow = (studio: Studio): void => (isReading(studio) ? studio.reader?.focus() : studio.pane?.focus());

function isReading(studio: Studio): boolean {
  const path = studio.documents.tabs.getState().active;
  return path !== null && modeOf(studio, path) === 'reading';
}

/** Where commands of editing act: in the second editor while it has the focus, else in the page. */
export const paneInUse = ({ pane, beside }: Studio): Pick<Pane, 'run' | 'insert' | 'focus'> | null =>
  beside?.hasFocus() === true ? beside : pane;

/** The document that is written in: that of the second editor while it has the focus, else the one in front. */
export function pathInUse({ documents, beside }: Studio): string | null {
  const state = documents.tabs.getState();
  return beside?.hasFocus() === true ? state.beside : state.active;
}

/** Where the studio is kept for the parts of the window. */
export const StudioContext = createContext<Studio | null>(null);

/** The studio of the window. */
export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === null) throw new RangeError('BUG: no studio around this part of the window.');
  return studio;
}

/** A part of the tabs. */
export const useTabs = <Part>(select: (tabs: Tabs) => Part): Part => useStore(useStudio().documents.tabs, select);
/** The tab in front. */
export const useFront = (): Tab | undefined => useTabs(({ tabs, active }) => tabs.find((tab) => tab.path === active));
/** A part of what of the window is shown. */
export const useView = <Part>(select: (view: View) => Part): Part => useStore(useStudio().view.store, select);
/** A part of what is known of the workspace. */
export const useWorkspace = <Part>(select: (workspace: WorkspaceState) => Part): Part => useStore(useStudio().workspace.store, select);
/** One of the writer's settings. */
export const usePreference = <Key extends keyof Preferences>(key: Key): Preferences[Key] =>
  useStore(useStudio().preferences.store, (preferences) => preferences[key]);
/** The keys of the commands, as the writer has them. */
export const useKeymap = (): Keymap => useStore(useStudio().preferences.keys, ({ keymap }) => keymap);
