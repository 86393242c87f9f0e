import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Host } from '#core/handlers/host';
import { readToken, type SocketPlace, type SocketToken, socketPlace, wireVersion } from '#core/handlers/socket-place';
import { type Environment, homeFolder } from '#core/home';
import { realDisk, removeIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import { Fault } from '#protocol';
import type { CallName, Handlers } from '#protocol/calls';
import { socketPath } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';
import { createAnnouncer, serve } from '#protocol/server';

/** A core that other programs of this installation can reach, or that waits to be it. */
export interface CoreSocket {
  /** Whether it has the place; else another core has, and this one follows it. */
  isServing(): boolean;
  close(): Promise<void>;
}

/** A save of the longest text, in the characters that take the most bytes. */
const longestMessage = 200 * 1024 * 1024;
/** The most programs that are served at once. */
const programLimit = 64;
/** How long a core may take to take a connection before it counts as gone, in ms. */
const patience = 1000;
/** How long those who wait for a place keep out of each other's way, at most, in ms. */
const courtesy = 200;

/**
 * Lets other programs of this installation ask this core what servers for agents ask, and nothing else: what only a person may do is not
 * done over a socket that a shell can reach. Where another core of this workspace has the place already, this one takes it when that one
 * is gone. Null where none can listen, which keeps no core from its work.
 */
export async function openSocket(host: Pick<Host, 'root' | 'handlers'>, env: Environment = process.env): Promise<CoreSocket | null> {
  const place = socketPlace(homeFolder(env), host.root);
  const handlers = forAgents(host.handlers);
  const closing = new AbortController();
  let listening: Listening | null = null;
  let tidy = () => {};
  let following: Promise<void> = Promise.resolve();

  const settle = async (): Promise<void> => {
    const other = await otherAt(place, listening?.token ?? null);
    if (closing.signal.aborted) {
      other?.destroy();
      return;
    }
    if (other !== null) {
      await listening?.close();
      listening = null;
      follow(other);
      return;
    }
    if (listening !== null) return;
    tidy = prepareFolder(place.folder);
    listening = await listen(place, handlers);
    // Of two that took the place at once the second has it, and the first finds that out.
    follow(null);
  };
  const follow = (other: Socket | null) => {
    following = (
      other === null
        ? pause(patience, closing.signal)
        : gone(other, closing.signal).then(() => pause(Math.random() * courtesy, closing.signal))
    )
      .then(() => (closing.signal.aborted ? undefined : settle()))
      .catch(() => {});
  };
  try {
    await settle();
  } catch {
    return null;
  }
  return {
    isServing: () => listening !== null,
    async close() {
      closing.abort();
      await following;
      await listening?.close();
      tidy();
    },
  };
}

const pause = (time: number, signal: AbortSignal) => setTimeout(time, undefined, { ref: false, signal }).catch(() => {});

/** A connection to the core that has the place, where it is another one and answers. */
async function otherAt(place: SocketPlace, own: string | null): Promise<Socket | null> {
  const kept = readToken(realDisk, place);
  if (kept === null || kept.token === own) return null;
  const socket = connect(kept.address);
  socket.unref();
  const answer = new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
  });
  const outcome = await Promise.race([answer, setTimeout(patience, 'mute', { ref: false })]);
  if (outcome === 'connected') return socket;
  socket.destroy();
  // The name of one that was killed is left, and nobody else will ever listen there.
  if (outcome === 'ECONNREFUSED' && process.platform !== 'win32') removeIfThere(realDisk, kept.address);
  return null;
}

/** Settles when a core has let a connection go. */
function gone(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.destroy();
      resolve();
    };
    socket.once('close', end);
    socket.resume();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted || socket.destroyed) end();
  });
}

/** The same host, reached by other programs as well where they can reach it; the socket goes before it does. */
export async function withSocket(host: Host, env: Environment = process.env): Promise<Host> {
  const socket = await openSocket(host, env);
  return {
    ...host,
    async close() {
      await socket?.close();
      await host.close();
    },
  };
}

/** Only this user may look into it, and it is no link to elsewhere. The answer takes away what was made and is empty again. */
function prepareFolder(folder: string): () => void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  const tidy = () => {
    try {
      rmdirSync(folder);
      if (made !== undefined && made !== folder) rmdirSync(dirname(folder));
    } catch {
      // Somebody else has something there.
    }
  };
  if (process.platform === 'win32') return tidy;
  const stat = lstatSync(folder);
  if (stat.uid !== process.getuid?.() || !stat.isDirectory()) throw new Fault('permission', { path: folder });
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return tidy;
}

function forAgents(handlers: Handlers): Handlers {
  const allowed = Object.entries(handlers).map(([name, handler]) => [name, name.startsWith('agent/') ? handler : unknownHere(name)]);
  return Object.fromEntries(allowed) as Handlers;
}

const unknownHere = (call: string) => async () => {
  throw new Fault('call-invalid', { call: call as CallName, problem: 'unknown' });
};

interface Listening {
  readonly token: string;
  close(): Promise<void>;
}

async function listen(place: SocketPlace, handlers: Handlers): Promise<Listening> {
  const { WebSocketServer } = await import('ws');
  const token = randomBytes(32).toString('base64url');
  const address = place.addressFor(randomBytes(4).toString('hex'));
  const server = createServer((_request, response) => void response.writeHead(404).end());
  const programs = new WebSocketServer({ noServer: true, maxPayload: longestMessage, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    if (programs.clients.size < programLimit && isAdmitted(request, token)) {
      programs.handleUpgrade(request, socket, head, (program) =>
        serve(portFromWebSocket(program), { handlers, events: createAnnouncer() }),
      );
      return;
    }
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  await begin(server, address);
  // Whoever finds the token finds a core that listens.
  if (process.platform !== 'win32') chmodSync(address, 0o600);
  writeToken(place, { token, pid: process.pid, address, wire: wireVersion });
  return {
    token,
    async close() {
      // Another core may have taken the place meanwhile.
      if (readToken(realDisk, place)?.token === token) removeIfThere(realDisk, place.tokenFile);
      for (const program of programs.clients) program.terminate();
      server.closeAllConnections();
      // Its name goes with it.
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function begin(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => resolve());
  });
}

function writeToken({ tokenFile }: SocketPlace, token: SocketToken): void {
  const owner = { mode: 0o600, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  writeAtomic(realDisk, tokenFile, Buffer.from(`${JSON.stringify(token)}\n`), `${tokenFile}.${randomBytes(4).toString('hex')}.new`, owner);
}

function isAdmitted({ headers, url }: IncomingMessage, token: string): boolean {
  const given = headers.authorization ?? '';
  const digestOf = (text: string) => hash('sha256', text, 'buffer');
  // A page of a browser always says where it comes from; none is a program of ours.
  return url === socketPath && headers.origin === undefined && timingSafeEqual(digestOf(given), digestOf(`Bearer ${token}`));
}
