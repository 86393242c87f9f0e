import { app, type BrowserWindow } from 'electron';
import type { CommandId } from '#protocol/commands';
import { channels, type ExportedFile, shellCommands } from '#protocol/desktop';
import { faultFromSystem } from '#protocol/fault';
import type { Reply } from '#protocol/reply';
import { copySample } from '#web/sample';
import { realFile, realFolder } from './argument.ts';
import type { BridgeHandlers } from './bridge.ts';
import { saveExport } from './exported.ts';
import { createMenuBar } from './menu-bar.ts';
import { askBeginning, askCoreAgain, askFolder, sayNotCopied, sayNotOpened } from './message.ts';
import { present, type WindowKind } from './window.ts';
import type { WindowState } from './window-state.ts';
import { shellWords } from './words.ts';
import { openWorkspace, type Workspace, workspaceName } from './workspace.ts';

/** The running program: its workspaces, and what its menus do. */
export interface Program extends BridgeHandlers {
  /** Opens a folder, or a file with the folder that it is in, or brings its window to the front. Says why where there is none. */
  open(path: string): Promise<void>;
  /** What a start without a folder does: the window that is open, else the folders of the last time, else the writer is asked. */
  openLast(): Promise<void>;
  /** Brings the menus up to date with the window that came to the front. */
  focused(window: BrowserWindow): void;
  /** Whether core serves a workspace of this root. */
  isOpen(root: string): boolean;
  /** Whether a workspace is open or still ending. */
  isBusy(): boolean;
  /** From now on closed windows stay among those that the next start opens; a folder that is opened calls it off. */
  quit(): void;
  isQuitting(): boolean;
  /** The language of the window that reported last. */
  locale(): string;
}

/**
 * Makes the program; nothing is open yet. `sample` is where the sample workspace lies; `ended` is told whenever the core of a workspace
 * has ended after its last window.
 */
export function createProgram(state: WindowState, sample: string, ended: () => void): Program {
  const workspaces = new Map<string, Workspace>();
  const roots = new Map<Workspace, string>();
  /** Folders that were asked for while their core was still ending, and the document that was. */
  const wantedAgain = new Map<string, string | null>();
  let isQuitting = false;
  const bar = createMenuBar(app.getLocale(), (id, window) => choose(id, window));

  const owner = (window: BrowserWindow) => [...workspaces.values()].find((workspace) => workspace.owns(window));
  const choose = (id: CommandId, window: BrowserWindow | undefined) => {
    const shell = shellCommands.find((command) => command === id);
    if (shell !== undefined) program.command(shell, window);
    else window?.webContents.send(channels.command, id);
  };
  const begin = (folder: string, document: string | null = null) => {
    const name = workspaceName(folder);
    const title = (kind: WindowKind) => (kind === 'editor' ? name : shellWords(bar.locale())('breakdownTitle', { name }));
    const workspace: Workspace = openWorkspace(folder, state, title, {
      found: (root) => found(workspace, root, document),
      failed: (reply) => void failed(workspace, reply),
      givenUp: (again) => void givenUp(workspace, again),
      ended: () => finish(workspace),
    });
    workspaces.set(folder, workspace);
    state.keepFolders([...workspaces.keys()]);
    workspace.show('editor');
    if (document !== null) workspace.open(document);
  };
  /** Two folders may lie in one workspace, which has one window. */
  const found = (workspace: Workspace, root: string, document: string | null) => {
    const other = [...roots].find(([known, itsRoot]) => known !== workspace && itsRoot === root && !known.isEnding());
    roots.set(workspace, root);
    if (other === undefined) return;
    roots.delete(workspace);
    workspace.close();
    other[0].show('editor');
    if (document !== null) other[0].open(document);
  };
  const failed = async (workspace: Workspace, reply: Reply<never>) => {
    if (!reply.ok) await sayNotOpened(workspace.folder, reply.code, reply.detail, bar.locale());
    // A window that worked before may hold text that is nowhere else.
    if (!roots.has(workspace)) workspace.close();
  };
  const givenUp = async (workspace: Workspace, again: () => void) => {
    const window = workspace.window('editor') ?? workspace.window('breakdown');
    if (window !== undefined && (await askCoreAgain(window, bar.locale()))) again();
  };
  const finish = (workspace: Workspace) => {
    workspaces.delete(workspace.folder);
    roots.delete(workspace);
    const again = wantedAgain.get(workspace.folder);
    if (wantedAgain.delete(workspace.folder)) return begin(workspace.folder, again);
    if (!isQuitting && workspaces.size > 0) state.keepFolders([...workspaces.keys()]);
    ended();
  };

  const program = {
    async open(path: string) {
      const folder = realFolder(path);
      const document = realFile(path);
      if (folder === null) return sayNotOpened(path, 'folder-missing', { path }, bar.locale());
      isQuitting = false;
      const known = workspaces.get(folder);
      if (known === undefined) begin(folder, document);
      else if (known.isEnding()) wantedAgain.set(folder, document);
      else {
        present(known.show('editor'));
        if (document !== null) known.open(document);
      }
    },
    async openLast() {
      const first = [...workspaces.values()].find((workspace) => !workspace.isEnding());
      if (first !== undefined) return present(first.show('editor'));
      const last = state.folders();
      const folders = last.filter((folder) => realFolder(folder) === folder);
      for (const folder of folders) await program.open(folder);
      if (last.length === 0) await askHowToBegin();
      else if (folders.length === 0) await askAndOpen(undefined);
      if (workspaces.size === 0 && process.platform !== 'darwin') app.quit();
    },
    command(id: (typeof shellCommands)[number], window: BrowserWindow | undefined) {
      if (id === 'file.open-folder') void askAndOpen(window);
      else if (id === 'file.open-sample') void askAndCopy(window);
      else if (window !== undefined) owner(window)?.show('breakdown');
    },
    openPath: (path: string) => void program.open(path),
    async fallback(window: BrowserWindow) {
      const workspace = owner(window);
      if (workspace === undefined) throw new RangeError('BUG: a window without a workspace asked for its carrier.');
      return workspace.fallback();
    },
    report: bar.report,
    saveExport: (file: ExportedFile, window: BrowserWindow) => saveExport(file, window, bar.locale()),
    focused: bar.focused,
    isOpen: (root: string) => [...roots.values()].includes(root),
    isBusy: () => workspaces.size > 0,
    quit() {
      isQuitting = true;
    },
    isQuitting: () => isQuitting,
    locale: bar.locale,
  };
  const askAndOpen = async (window: BrowserWindow | undefined) => {
    const folder = await askFolder(window, bar.locale());
    if (folder !== null) await program.open(folder);
  };
  const askAndCopy = async (window: BrowserWindow | undefined) => {
    const into = await askFolder(window, bar.locale(), 'sample');
    if (into === null) return;
    try {
      await program.open(await copySample(sample, into));
    } catch (error) {
      await sayNotCopied(into, faultFromSystem(error, into, 'folder'), bar.locale());
    }
  };
  const askHowToBegin = async () => {
    const wish = await askBeginning(bar.locale());
    if (wish === 'folder') await askAndOpen(undefined);
    else if (wish === 'sample') await askAndCopy(undefined);
  };
  return program;
}
