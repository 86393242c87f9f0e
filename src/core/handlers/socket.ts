import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Host } from '#core/handlers/host';
import { readToken, type SocketPlace, type SocketToken, socketPlace, wireVersion } from '#core/handlers/socket-place';
import { type Environment, homeFolder } from '#core/home';
import { realDisk, removeIfThere, writeAtomic } from '#core/storage/disk';
import { Fault } from '#protocol';
import type { CallName, Handlers } from '#protocol/calls';
import { socketPath } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';
import { createAnnouncer, serve } from '#protocol/server';

/** A core that other programs of this installation can reach. */
export interface CoreSocket {
  close(): Promise<void>;
}

/** A save of the longest text, in the characters that take the most bytes. */
const longestMessage = 200 * 1024 * 1024;
/** The most programs that are served at once. */
const programLimit = 64;
/** How long a core may take to take a connection before it counts as gone, in ms. */
const patience = 1000;

/**
 * Lets other programs of this installation ask this core what servers for agents ask, and nothing else: what only a person may do is not
 * done over a socket that a shell can reach. Null where another core of this workspace listens already, or where none can listen; neither
 * keeps this one from its work.
 */
export async function openSocket(host: Pick<Host, 'root' | 'handlers'>, env: Environment = process.env): Promise<CoreSocket | null> {
  const place = socketPlace(homeFolder(env), host.root);
  try {
    if (await isListening(place)) return null;
    const tidy = prepareFolder(place.folder);
    const socket = await listen(place, forAgents(host.handlers));
    return {
      async close() {
        await socket.close();
        tidy();
      },
    };
  } catch {
    return null;
  }
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

function isListening({ address }: SocketPlace): Promise<boolean> {
  const socket = connect(address);
  const answer = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  return Promise.race([answer, setTimeout(patience, false, { ref: false })]).finally(() => socket.destroy());
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

async function listen(place: SocketPlace, handlers: Handlers): Promise<CoreSocket> {
  const { WebSocketServer } = await import('ws');
  const token = randomBytes(32).toString('base64url');
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
  // Whoever finds the token finds a core that listens.
  const rename = await listening(server, place);
  writeToken(place, { token, pid: process.pid, wire: wireVersion });
  rename();
  return {
    async close() {
      // Another core may have taken the place meanwhile.
      if (readToken(realDisk, place)?.token === token) {
        removeIfThere(realDisk, place.tokenFile);
        if (place.socketFile !== null) removeIfThere(realDisk, place.socketFile);
      }
      for (const program of programs.clients) program.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Listens under another name first and takes the place at once: what a core that died has left there is replaced. */
async function listening(server: Server, { socketFile, address }: SocketPlace): Promise<() => void> {
  const temporary = socketFile === null ? address : join(dirname(socketFile), `${randomBytes(4).toString('hex')}.new`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(temporary, () => resolve());
  });
  return () => {
    if (socketFile === null) return;
    chmodSync(temporary, 0o600);
    renameSync(temporary, socketFile);
  };
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
