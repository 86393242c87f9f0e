import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection may wait for those before them; browsers send none ahead. */
const mostWaiting = 16;

interface Line {
  waiting: number;
  last: Promise<unknown>;
}

/**
 * Answers the requests of each connection one after another, however many were sent at once: what stands behind an answer that
 * ends the connection is not begun, and a connection that has too many waiting is cut off.
 */
export function inTurn(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    lines.set(socket, line);
    if (++line.waiting > mostWaiting) return void socket.destroy();
    const isOver = once(response, 'close').catch(() => {});
    line.last = line.last.then(async () => {
      if (socket.writable) await answer(request, response).catch(() => response.destroy());
      if (socket.writable) await isOver;
      line.waiting--;
    });
  };
}
