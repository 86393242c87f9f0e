import type { CallInput, CallName, Client, CoreEvents, EventName } from '#protocol/calls';
import type { DesktopBridge, PortMessage } from '#protocol/desktop';
import { portPatience } from '#protocol/desktop';
import { Fault } from '#protocol/fault';
import { connect, type Link, socketPath } from '#protocol/link';
import { type Port, portFromMessagePort, portFromWebSocket } from '#protocol/port';
import type { ShellClient } from '#protocol/shell-calls';

/** Whether core can be asked. While it is `lost` every call fails with `core-restarted`, and a new link is being made. */
export type ConnectionState = 'connected' | 'lost';

/** The page's way to core; it stays the same while links come and go. */
export interface Connection {
  readonly platform: 'browser' | 'electron';
  readonly call: Client;
  /** Asks the browser shell; in Electron there is none, and the desktop bridge has its own dialogs. */
  readonly shell: ShellClient | null;
  /** Listens to an event over every link; the answer stops listening. */
  on<Name extends EventName>(event: Name, listener: (data: CoreEvents[Name]) => void): () => void;
  state(): ConnectionState;
  /** Told of every change; on `connected` is the time to ask again for what failed, a save with the same `idem`. */
  onState(listener: (state: ConnectionState) => void): () => void;
}

/** The bridge of the preload, where there is one. */
export const desktop = (): DesktopBridge | null => (window as { stemma?: DesktopBridge }).stemma ?? null;

/** How long to wait before the next attempt, in ms: twice as long each time, up to five seconds. */
const waitBefore = (attempt: number): number => Math.min(250 * 2 ** attempt, 5000);

/** The address of a page of this window's workspace, in the browser shell: the same folder, another route. */
export function addressOf(route: '/' | '/breakdown', folder: string | null = shownFolder()): string {
  return folder === null ? route : `${route}?folder=${encodeURIComponent(folder)}`;
}

const shownFolder = (): string | null => new URLSearchParams(location.search).get('folder');

/** Opens the connection; resolves when core can be asked for the first time. */
export async function openConnection(): Promise<Connection> {
  const bridge = desktop();
  const links = createLinks();
  if (bridge === null) await keepConnected(links, socketOfShell);
  else await takePorts(links, bridge);
  return { ...links.face, platform: bridge === null ? 'browser' : 'electron', shell: bridge === null ? links.shell : null };
}

/** A question to core. */
type Question = { readonly [Name in CallName]: readonly [name: Name, input: CallInput<Name>] }[CallName];

/** The same connection, with questions asked already: whoever asks one of them first gets that answer. */
export function askAhead(connection: Connection, questions: readonly Question[]): Connection {
  const keyOf = (name: string, input: unknown) => JSON.stringify([name, input]);
  const asked = new Map<string, Promise<unknown>>();
  for (const [name, input] of questions) {
    const answer = connection.call(name, input);
    answer.catch(() => {});
    asked.set(keyOf(name, input), answer);
  }
  const call: Client = (name, input) => {
    const key = asked.size > 0 ? keyOf(name, input) : '';
    const answer = asked.get(key);
    asked.delete(key);
    return (answer ?? connection.call(name, input)) as ReturnType<typeof call<typeof name>>;
  };
  return { ...connection, call };
}

type Links = ReturnType<typeof createLinks>;

/** One face over the newest link. */
function createLinks() {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  const watchers = new Set<(state: ConnectionState) => void>();
  /** What was told before anybody listened: the connection is there before the window is. */
  const unheard: (readonly [EventName, unknown])[] = [];
  let link: Link | null = null;
  const tell = () => {
    for (const watcher of watchers) watcher(state());
  };
  const state = (): ConnectionState => (link === null ? 'lost' : 'connected');
  const lost = () => Promise.reject(new Fault('core-restarted', {}));
  const call: Client = (name, input) => (link === null ? lost() : link.call(name, input));
  const shell: ShellClient = (name, input) => (link === null ? lost() : link.shell(name, input));
  return {
    shell,
    face: {
      call,
      state,
      on<Name extends EventName>(event: Name, listener: (data: CoreEvents[Name]) => void) {
        const known = listeners.get(event) ?? new Set();
        listeners.set(event, known.add(listener));
        for (const [name, data] of unheard.splice(0)) {
          if (name === event) listener(data as never);
          else unheard.push([name, data]);
        }
        return () => void known.delete(listener);
      },
      onState(listener: (state: ConnectionState) => void) {
        watchers.add(listener);
        return () => void watchers.delete(listener);
      },
    },
    /** Asks over this port from now on; `onLost` is told when it is gone and no other has taken its place. */
    take(port: Port, onLost: () => void): void {
      const next = connect(port);
      const before = link;
      link = next;
      before?.close();
      for (const event of [
        'files-changed',
        'files-moved',
        'watch-troubled',
        'settings-changed',
        'workspace-shared',
        'document-settled',
      ] as const)
        next.on(event, (data) => {
          if (!listeners.has(event)) unheard.push([event, data]);
          for (const listener of listeners.get(event) ?? []) listener(data as never);
        });
      next.onClose(() => {
        if (link !== next) return;
        link = null;
        tell();
        onLost();
      });
      // After whoever waited for the link before has heard that it failed.
      setTimeout(tell);
    },
  };
}

/** Opens a socket, and another one whenever it is lost. */
async function keepConnected(links: Links, open: () => Promise<WebSocket>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const socket = await open();
      // Never at once: a server that takes a socket and drops it must not be asked without rest.
      links.take(portFromWebSocket(socket), () => void setTimeout(() => void keepConnected(links, open), waitBefore(0)));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitBefore(attempt)));
    }
  }
}

function socketOfShell(): Promise<WebSocket> {
  const folder = shownFolder();
  const query = folder === null ? '' : `?folder=${encodeURIComponent(folder)}`;
  return openSocket(new WebSocket(`ws://${location.host}${socketPath}${query}`));
}

function openSocket(socket: WebSocket): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('close', () => reject(new Fault('core-restarted', {})), { once: true });
  });
}

/** Takes every port that the preload hands over; where none comes in time, the loopback carrier. */
async function takePorts(links: Links, bridge: DesktopBridge): Promise<void> {
  const first = Promise.withResolvers<void>();
  window.addEventListener('message', (event: MessageEvent<Partial<PortMessage> | null>) => {
    const isOurs = event.source === window && event.origin === location.origin && event.data?.stemma === 'port';
    const port = event.ports[0];
    if (!isOurs || event.data?.windowId !== bridge.windowId || port === undefined) return;
    // Main sends the next port by itself once core has been started anew; not every browser tells a port that its other end is gone.
    links.take(portFromMessagePort(port), () => {});
    first.resolve();
  });
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), portPatience));
  if ((await Promise.race([first.promise, late])) === 'late') await keepConnected(links, () => socketOfBridge(bridge));
}

async function socketOfBridge(bridge: DesktopBridge): Promise<WebSocket> {
  const { url, token } = await bridge.fallback();
  const address = new URL(url);
  address.searchParams.set('token', token);
  return openSocket(new WebSocket(address));
}
