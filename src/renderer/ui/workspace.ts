import { createStore } from 'zustand/vanilla';
import type { FileEntry, WorkspaceInfo } from '#protocol/calls';
import type { Connection } from '#renderer/connection.ts';

/** The workspace as the window shows it; `info` null: not known yet. */
export interface WorkspaceState {
  readonly info: WorkspaceInfo | null;
  readonly files: readonly FileEntry[];
  readonly emptyFolders: readonly string[];
  /** Why changes outside may go unseen; null: they are seen. */
  readonly unwatched: string | null;
}

/** The workspace of the window. */
export type WorkspaceStore = ReturnType<typeof createWorkspace>;

/** How long changes gather before the files are listed anew, in ms. */
const rest = 150;

/** Knows the workspace and its files. `isOpen`: an open document is looked at by whoever has it, and changes no list. */
export function createWorkspace({ call, on, onState }: Pick<Connection, 'call' | 'on' | 'onState'>, isOpen: (path: string) => boolean) {
  const store = createStore<WorkspaceState>()(() => ({ info: null, files: [], emptyFolders: [], unwatched: null }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const list = async () => {
    try {
      const [info, { files, emptyFolders = [] }] = await Promise.all([call('workspace/info', {}), call('workspace/files', {})]);
      store.setState({ info, files, emptyFolders, unwatched: info.unwatched ?? null });
    } catch {
      // The list that is shown stays; it is asked for again when the connection is back or files change.
    }
  };
  const listSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void list(), rest);
  };
  const stops = [
    on('files-changed', ({ paths }) => {
      const known = new Set(store.getState().files.map(({ path }) => path));
      if (paths.length === 0 || !paths.every((path) => known.has(path) && isOpen(path))) listSoon();
    }),
    on('watch-troubled', ({ reason }) => store.setState({ unwatched: reason })),
    on('workspace-shared', ({ shared }) => store.setState(({ info }) => ({ info: info === null ? null : { ...info, shared } }))),
    onState((state) => void (state === 'connected' && list())),
  ];
  return {
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    list,
    listSoon,
    /** Turns provenance on or off for this workspace; rejects when it could not be written. */
    async setProvenance(on: boolean): Promise<void> {
      store.setState({ info: await call('workspace/set-provenance', { on }) });
    },
    dispose(): void {
      clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}
