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
  /** preload → main: what the title bar tells. */
  titleBar: 'stemma:title-bar',
} as const;

/** How many milliseconds a page waits for its port before it asks for the loopback carrier. */
export const portPatience = 5000;

/** The argument of a renderer process that carries the window's id. */
export const windowArgument = '--stemma-window=';

/** A WebSocket on this machine and the secret that opens it. */
export interface FallbackAddress {
  readonly url: string;
  readonly token: string;
}

/** What a title bar tells: the name in front, and whether it has unsaved changes. */
export interface TitleBar {
  readonly title: string;
  readonly edited: boolean;
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
  /** Leaves a command to the shell (`shellCommands` in main): new window, breakdown window, quit. */
  shellCommand(id: string): void;
  /** The loopback carrier; to be asked for after `portPatience` without a port. */
  fallback(): Promise<FallbackAddress>;
  /** Opens a web or mail address outside; answers false for any other. Only on the writer's own click. */
  openLink(url: string): Promise<boolean>;
  /** Hears the commands of the native menus; returns what ends it. */
  onCommand(listener: (id: string) => void): () => void;
  setTitleBar(bar: TitleBar): void;
}
