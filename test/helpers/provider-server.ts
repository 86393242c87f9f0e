import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { formatOf, type Wire, wires } from './provider-wire.ts';

/** How the server answers the next request. */
export type Behaviour =
  | {
      readonly kind: 'answer';
      readonly parts: readonly string[];
      readonly end?: 'stop' | 'length' | 'withheld';
      /** Between the parts, in ms. */
      readonly pause?: number;
      /** Waits for this before the last part. */
      readonly until?: Promise<unknown>;
    }
  | { readonly kind: 'cut' | 'quiet-end' | 'trouble'; readonly parts: readonly string[] }
  | { readonly kind: 'refuse'; readonly status: number; readonly retryAfter?: string; readonly message?: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'not-a-stream' }
  | { readonly kind: 'silent' }
  /** Goes on as fast as it is read, or with a rest of so many milliseconds after each part. */
  | { readonly kind: 'endless'; readonly pause?: number }
  | { readonly kind: 'redirect'; readonly to: string };

/** A request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Settles when the asking side hangs up, or the answer ends: whether it was hung up on. */
  readonly gone: Promise<boolean>;
}

/** A server on loopback that speaks as providers do. */
export interface ProviderServer {
  readonly origin: string;
  readonly requests: readonly Received[];
  /** The answers to come, in their order; the last one stays. */
  behave(...next: Behaviour[]): void;
  close(): Promise<void>;
}

/** Starts a server that answers every wire format by its path. */
export async function startProviderServer(): Promise<ProviderServer> {
  const requests: Received[] = [];
  let next: Behaviour[] = [{ kind: 'answer', parts: ['An answer.'] }];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { promise: gone, resolve } = Promise.withResolvers<boolean>();
    response.once('close', () => resolve(!response.writableFinished));
    const path = request.url!;
    requests.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), gone });
    const behaviour = next.length > 1 ? next.shift()! : next[0]!;
    if (path === '/api/tags') return response.end(JSON.stringify({ models: [{ name: 'llama-of-here' }] }));
    await answer(response, wires[formatOf(path)], behaviour);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave(...behaviours) {
      next = behaviours;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(response: ServerResponse, wire: Wire, behaviour: Behaviour): Promise<void> {
  if (behaviour.kind === 'refuse') {
    const { status, retryAfter, message = 'No.' } = behaviour;
    const headers = { 'content-type': 'application/json', ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) };
    response.writeHead(status, headers).end(JSON.stringify(wire.refusal(status, message)));
    return;
  }
  if (behaviour.kind === 'redirect') return void response.writeHead(307, { location: behaviour.to }).end();
  if (behaviour.kind === 'not-a-stream') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (behaviour.kind === 'silent') return;
  response.write(wire.begin());
  if (behaviour.kind === 'malformed') return void response.end('data: {"what": \n\n');
  if (behaviour.kind === 'endless') return endless(response, wire, behaviour.pause ?? 1);
  for (const [at, part] of behaviour.parts.entries()) {
    if (behaviour.kind === 'answer') {
      if (behaviour.pause !== undefined) await pause(behaviour.pause);
      if (at === behaviour.parts.length - 1) await behaviour.until;
    }
    response.write(wire.part(part));
  }
  if (behaviour.kind === 'cut') return void setImmediate(() => response.destroy());
  if (behaviour.kind === 'trouble') response.write(wire.trouble());
  response.end(behaviour.kind === 'answer' ? wire.end(behaviour.end ?? 'stop') : '');
}

async function endless(response: ServerResponse, wire: Wire, rest: number): Promise<void> {
  while (!response.destroyed) {
    if (!response.write(wire.part('and so on '.repeat(50)))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await pause(rest);
  }
}
