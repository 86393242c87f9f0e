import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Fault } from '#protocol';
import type { Handlers } from '#protocol/calls';
import { socketPath } from '#protocol/link';
import type { LocalApi } from '#protocol/local-api';
import { portFromWebSocket } from '#protocol/port';
import { type Announcer, serve } from '#protocol/server';
import type { ShellHandlers } from '#protocol/shell-calls';
import { apiPrefix, createApi } from '#web/api';
import { listFolders } from '#web/folder';
import { createGate, type Gate, loopback } from '#web/gate';
import { headersFor, respond } from '#web/response';
import { copySample, sampleBeside } from '#web/sample';
import { inTurn } from '#web/turn';

/** A workspace that is served: what answers its pages, and how it ends. */
export interface ServedWorkspace {
  readonly root: string;
  readonly handlers: Handlers;
  readonly events: Announcer;
  /** What programs of this machine may ask of it by HTTP. */
  readonly api: LocalApi;
  close(): Promise<void>;
}

/** How a browser shell is started. */
export interface WebOptions {
  /** The workspace that a page without a folder in its address shows. */
  readonly folder: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Where the built page is; the sample lies beside it. */
  readonly rendererFolder: string;
  /** Opens a workspace; called once for each. */
  open(folder: string): Promise<ServedWorkspace>;
  /** The longest message that a page may send, in bytes. */
  readonly messageLimit?: number;
  /** How long the head of a request may take to come, in ms. */
  readonly patience?: number;
}

/** A browser shell at work. */
export interface WebShell {
  /** The first address; it lets one browser in. */
  readonly url: string;
  /** Closes every socket and workspace. */
  close(): Promise<void>;
}

/** A save of the longest text, in the characters that take the most bytes. */
const longestMessage = 200 * 1024 * 1024;
/** The most pages that are served at once. */
const socketLimit = 64;
/** The most connections, pages and all: each costs the machine a file, and heads that never come would take them all. */
const connectionLimit = 512;

/**
 * Serves the built page and its calls to the browsers of this machine: on the loopback address only, to who has the
 * token, to pages of its own origin.
 */
export async function startWeb(options: WebOptions): Promise<WebShell> {
  const workspaces = createWorkspaces(options.open);
  const first = await workspaces.open(options.folder);
  let gate: Gate | null = null;
  const rootOf = (folder: string | null) => workspaces.find(folder ?? first.root)?.root ?? null;
  let api: ReturnType<typeof createApi> | null = null;
  const answer = inTurn(async (request, response) => {
    if (request.url?.startsWith(apiPrefix)) {
      for (const [name, value] of Object.entries(headersFor(gate!.origin))) response.setHeader(name, value);
      return api!(request, response);
    }
    request.resume();
    return respond(request, response, gate!, { rendererFolder: options.rendererFolder, rootOf });
  });
  const headersTimeout = options.patience ?? 10_000;
  const server = createServer({ requestTimeout: 30_000, headersTimeout, connectionsCheckingInterval: headersTimeout / 10 }, answer);
  server.maxConnections = connectionLimit;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.messageLimit ?? longestMessage,
    perMessageDeflate: false,
    clientTracking: true,
  });
  server.on('upgrade', (request, socket, head) => {
    const workspace = admitted(request, gate!, sockets.clients.size) ? workspaces.find(folderIn(request) ?? first.root) : null;
    if (workspace === null) refuse(socket);
    else sockets.handleUpgrade(request, socket, head, (page) => servePage(page, workspace, workspaces, options.rendererFolder));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => turnAway(socket, error.code));
  try {
    await listening(server, options.port);
  } catch (error) {
    await workspaces.close();
    throw error;
  }
  gate = createGate((server.address() as AddressInfo).port);
  api = createApi({ gate, apiOf: (folder) => workspaces.find(folder ?? first.root)?.api ?? null, now: () => performance.now() });
  return {
    url: gate.url,
    async close() {
      for (const page of sockets.clients) page.terminate();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await workspaces.close();
    },
  };
}

function servePage(page: WebSocket, workspace: ServedWorkspace, workspaces: Workspaces, rendererFolder: string): void {
  const shell: ShellHandlers = {
    'shell/folders': ({ path }) => listFolders(path),
    'shell/open-folder': async ({ path }) => {
      const { root } = await workspaces.open(path);
      return { root };
    },
    'shell/copy-sample': async ({ into }) => {
      const { root } = await workspaces.open(await copySample(sampleBeside(rendererFolder), into));
      return { root };
    },
  };
  serve(portFromWebSocket(page), { handlers: workspace.handlers, events: workspace.events, shell });
}

function admitted(request: IncomingMessage, gate: Gate, pages: number): boolean {
  const { headers, url = '' } = request;
  return pages < socketLimit && gate.isFromOurPage(headers) && gate.isKnown(headers) && url.split('?', 1)[0] === socketPath;
}

/** The workspace that the page shows, by its root; only one that was opened before is found. */
function folderIn({ url = '' }: IncomingMessage): string | null {
  return new URLSearchParams(url.slice(socketPath.length)).get('folder');
}

const refuse = (socket: Duplex): void => endWith(socket, '403 Forbidden');

/** What is no request, or does not come, is told so, and its connection ends. */
function turnAway(socket: Duplex, code: string | undefined): void {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') endWith(socket, '408 Request Timeout');
  else if (code === 'HPE_HEADER_OVERFLOW') endWith(socket, '431 Request Header Fields Too Large');
  else endWith(socket, '400 Bad Request');
}

function endWith(socket: Duplex, status: string): void {
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

type Workspaces = ReturnType<typeof createWorkspaces>;

/** The workspaces of one server, each opened once and kept until the end. */
function createWorkspaces(openOne: WebOptions['open']) {
  const opened = new Map<string, ServedWorkspace>();
  let queue: Promise<unknown> = Promise.resolve();
  const open = async (folder: string): Promise<ServedWorkspace> => {
    const workspace = await openOne(folder);
    const known = opened.get(workspace.root);
    if (known === undefined) opened.set(workspace.root, workspace);
    else await workspace.close();
    return known ?? workspace;
  };
  return {
    /** One after another: two pages that ask for one folder get one workspace. */
    open(folder: string): Promise<ServedWorkspace> {
      const turn = queue.then(() => open(folder));
      queue = turn.catch(() => undefined);
      return turn;
    },
    find: (root: string): ServedWorkspace | null => opened.get(root) ?? null,
    async close() {
      await queue;
      for (const workspace of opened.values()) await workspace.close();
      opened.clear();
    },
  };
}

function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Fault('port-taken', { port }) : error);
    });
    server.listen(port, loopback, () => resolve());
  });
}
