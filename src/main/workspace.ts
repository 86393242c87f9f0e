import { basename } from 'node:path';
import { type BrowserWindow, MessageChannelMain } from 'electron';
import { channels, type FallbackAddress } from '#protocol/desktop';
import type { Reply } from '#protocol/reply';
import { closeAfterPage, isClosing } from './closing.ts';
import { createCoreHost } from './core-host.ts';
import { openWindow, present, type WindowKind } from './window.ts';
import type { WindowState } from './window-state.ts';

/** What a workspace tells the program; windows may be used in the calls. */
export interface WorkspaceEvents {
  /** Core found the workspace at `root`, which may be above the folder that was opened. */
  found(root: string): void;
  failed(reply: Reply<never>): void;
  /** Core keeps dying; `again` starts it once more. */
  givenUp(again: () => void): void;
  /** The last window was closed and core has ended. */
  ended(): void;
}

/** A folder that is open: its core and its windows. */
export interface Workspace {
  readonly folder: string;
  /** Opens the window of a kind, or brings the one that is open to the front. */
  show(kind: WindowKind): BrowserWindow;
  /** Shows a document, by its absolute path, in its editor window, once that is there. */
  open(document: string): void;
  window(kind: WindowKind): BrowserWindow | undefined;
  owns(window: BrowserWindow): boolean;
  /** Its last window was closed: it waits for the page, then core finishes. It opens no more windows. */
  isEnding(): boolean;
  fallback(): Promise<FallbackAddress>;
  /** Closes its windows, as the writer would. */
  close(): void;
}

/** Opens a workspace: core starts while the first window loads. Core lives as long as there is a window. */
export function openWorkspace(folder: string, state: WindowState, title: (kind: WindowKind) => string, events: WorkspaceEvents): Workspace {
  let isEnding = false;
  /** Documents that wait for the editor window to have loaded. */
  const waiting: string[] = [];
  const loaded = new WeakSet<BrowserWindow>();
  const windows = new Map<WindowKind, { readonly id: number; readonly window: BrowserWindow }>();
  const link = ({ id, window }: { id: number; window: BrowserWindow }) => {
    const { port1, port2 } = new MessageChannelMain();
    host.connect(id, port1);
    window.webContents.postMessage(channels.port, null, [port2]);
  };
  const host = createCoreHost(folder, {
    opened: (root) => events.found(root),
    failed: (reply) => events.failed(reply),
    givenUp: () => events.givenUp(() => host.start()),
    restarted: () => {
      for (const open of windows.values()) link(open);
    },
  });
  const open = (kind: WindowKind): BrowserWindow => {
    const opened = openWindow({ kind, key: `${kind} ${folder}`, title: title(kind), state });
    windows.set(kind, opened);
    closeAfterPage(opened.window);
    // Each load is a new page, and a port goes with the page that it was given to.
    opened.window.webContents.on('did-finish-load', () => {
      link(opened);
      loaded.add(opened.window);
      if (kind === 'editor') sendWaiting();
    });
    opened.window.once('closed', () => {
      windows.delete(kind);
      if (windows.size > 0) return;
      isEnding = true;
      void host.close().then(() => events.ended());
    });
    return opened.window;
  };
  const sendWaiting = () => {
    const editor = windows.get('editor')?.window;
    if (editor === undefined || !loaded.has(editor)) return;
    for (const document of waiting.splice(0)) editor.webContents.send(channels.open, document);
  };
  host.start();
  return {
    folder,
    show(kind) {
      const known = windows.get(kind)?.window;
      if (known === undefined) return open(kind);
      if (isClosing(known)) known.once('closed', () => open(kind));
      else present(known);
      return known;
    },
    open(document) {
      waiting.push(document);
      sendWaiting();
    },
    window: (kind) => windows.get(kind)?.window,
    owns: (window) => [...windows.values()].some((open) => open.window === window),
    isEnding: () => isEnding || [...windows.values()].every(({ window }) => isClosing(window)),
    fallback: () => host.fallback(),
    close() {
      for (const { window } of [...windows.values()]) window.close();
    },
  };
}

/** How a workspace is called: by its folder's name. */
export const workspaceName = (folder: string): string => basename(folder) || folder;
