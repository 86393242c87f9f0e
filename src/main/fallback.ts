import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FallbackAddress } from '#protocol/desktop';
import { appOrigin } from '#protocol/desktop';
import { portFromWebSocket } from '#protocol/port';
import { type Serving, serve } from '#protocol/server';

const loopback = '127.0.0.1';
const ownOrigin = `${appOrigin.scheme}://${appOrigin.host}`;
/** The longest message in bytes: a save of the longest text. */
const longestMessage = 200 * 1024 * 1024;

/** The loopback carrier for pages to which no port came. */
export interface Fallback {
  /** Where it listens; nothing listens before the first call. The same address each time. */
  address(): Promise<FallbackAddress>;
  close(): Promise<void>;
}

/**
 * Makes the carrier of a core. It takes WebSockets on the loopback address from the page of the app only: the browser part of Electron
 * states the origin, and the page has the token from its preload.
 */
export function createFallback(serving: Serving): Fallback {
  const token = randomBytes(32).toString('base64url');
  let opening: Promise<WebSocketServer> | null = null;
  return {
    async address() {
      opening ??= listen(serving, token);
      const { port } = (await opening).address() as AddressInfo;
      return { url: `ws://${loopback}:${port}/`, token };
    },
    async close() {
      const server = await opening?.catch(() => null);
      if (!server) return;
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(serving: Serving, token: string): Promise<WebSocketServer> {
  const server: WebSocketServer = new WebSocketServer({
    host: loopback,
    port: 0,
    maxPayload: longestMessage,
    perMessageDeflate: false,
    verifyClient: ({ req }: { req: IncomingMessage }) => isAdmitted(req, (server.address() as AddressInfo).port, token),
  });
  server.on('connection', (socket: WebSocket) => serve(portFromWebSocket(socket), serving));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => resolve(server));
  });
}

/** Addressed to this server (DNS rebinding), from our own page, with the token. */
function isAdmitted({ headers, url = '' }: IncomingMessage, port: number, token: string): boolean {
  const given = URL.parse(url, `ws://${loopback}`)?.searchParams.get('token') ?? '';
  return headers.host === `${loopback}:${port}` && headers.origin === ownOrigin && isEqual(given, token);
}

const isEqual = (given: string, wanted: string) => timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
