import type { CommandId, Need } from '#protocol/commands';

/** Where the page of the app lives inside Electron: `scheme://host/`. */
export const appOrigin = { scheme: 'app', host: 'stemma' } as const;

/** The names under which main and preload talk; each is said in one direction only. */
export const channels = {
  /** main → preload, with a port: core's end of this window's link. */
  port: 'stemma:port',
  /** main → preload: a command that the writer chose in a native menu. */
  command: 'stemma:command',
  /** preload → main: a command that the page leaves to the shell. */
  shellCommand: 'stemma:shell-command',
  /** preload → main, answered: a loopback carrier, for a page to which no port came. */
  fallback: 'stemma:fallback',
  /** preload → main, answered: a link that the writer clicked. */
  openLink: 'stemma:open-link',
  /** preload → main, answered: a document to be written where the writer says. */
  saveExport: 'stemma:save-export',
  /** main → preload: the window is about to close. */
  closing: 'stemma:closing',
  /** preload → main: the window may close now. */
  closed: 'stemma:closed',
  /** main → preload: a document, by its absolute path, that the system was asked to open. */
  open: 'stemma:open',
  /** preload → main: a folder that the writer chose to open, by its absolute path. */
  openPath: 'stemma:open-path',
  /** preload → main: what the window says of itself. */
  report: 'stemma:report',
} as const;

/** The commands that the shell does itself, also when the page's palette or keys ask for them. */
export const shellCommands = ['file.open-folder', 'file.open-sample', 'window.coherence-breakdown'] as const satisfies readonly CommandId[];
/** A command that the shell does. */
export type ShellCommand = (typeof shellCommands)[number];

/** The address of the page within the app: the editor, or the breakdown as a window of its own. */
export const pagePaths = { editor: '/', breakdown: '/breakdown' } as const;

/** How many milliseconds a page waits for its port before it asks for the loopback carrier. */
export const portPatience = 5000;

/** How many milliseconds a window that was closed waits for its page to finish what is pending. */
export const closePatience = 5000;

/** The argument of a renderer process that carries the window's id. */
export const windowArgument = '--stemma-window=';

/** A document that was made for others: a page that stands alone, to be written as it is or printed into a PDF, or the bytes of a Word document in base64. */
export interface ExportedFile {
  readonly kind: 'html' | 'pdf' | 'docx';
  /** What the file is called, without folders. */
  readonly name: string;
  readonly content: string;
}

/** What became of it; `problem` is a sentence. */
export type SavedExport =
  | { readonly kind: 'saved'; readonly path: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly problem: string };

/** A WebSocket on this machine and the secret that opens it. */
export interface FallbackAddress {
  readonly url: string;
  readonly token: string;
}

/**
 * What a page says of itself, for the title bar and the menus: the name in front, whether it has unsaved changes, what a command may
 * need and finds here, its language, and the writer's own keys. Until the first report every command can be chosen.
 */
export interface WindowReport {
  readonly title: string;
  readonly edited: boolean;
  readonly can: readonly Need[];
  readonly locale: string;
  /** The first key of each command whose keys the writer changed; empty: none. */
  readonly keys: Readonly<Partial<Record<CommandId, string>>>;
  /** Whether wrong words are looked for, and in which language; null: in those of the system. */
  readonly spelling: { readonly check: boolean; readonly language: string | null };
}

/** The message with which the preload hands the page its port; `windowId` must be that of the bridge. The port is `event.ports[0]`. */
export interface PortMessage {
  readonly stemma: 'port';
  readonly windowId: number;
}

/**
 * What the page finds as `window.stemma` inside Electron; in a browser there is none. Main sends a port after each load of the page and
 * again whenever core was started anew: the page listens for `PortMessage` on `window` from its first script on, and takes the newest.
 */
export interface DesktopBridge {
  /** As Node names it: `darwin`, `win32`, `linux`. */
  readonly platform: string;
  readonly windowId: number;
  /** Asks for a folder and opens it in a window of its own. */
  openFolder(): void;
  /** Leaves a command to the shell: those of `shellCommands`. Others are not heard. */
  shellCommand(id: ShellCommand): void;
  /** The loopback carrier; to be asked for after `portPatience` without a port. */
  fallback(): Promise<FallbackAddress>;
  /** Opens a web or mail address outside; answers false for any other. Only on the writer's own click. */
  openLink(url: string): Promise<boolean>;
  /** Asks where a document is to go, and writes it there; whole or not at all. */
  saveExport(file: ExportedFile): Promise<SavedExport>;
  /** Hears the commands of the native menus; returns what ends it. */
  onCommand(listener: (id: string) => void): () => void;
  /** Opens a folder, by its absolute path, in a window of its own; says so where it is gone. */
  openPath(path: string): void;
  /** Hears which documents the system asks to open, by their absolute paths, also those from before it listened. One listener at a time. */
  onOpen(listener: (path: string) => void): void;
  /** Where the files are, in their order, of the drop that the page hears of now; empty for what is no file of a disk. */
  droppedPaths(): readonly string[];
  /** Asked before the window closes; it waits until the answer comes, `closePatience` at most. One listener at a time. */
  onClosing(listener: () => Promise<void>): void;
  /** Says what has changed in the window; may be said as often as it changes. */
  report(state: WindowReport): void;
}
