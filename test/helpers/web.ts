import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Fault } from '#protocol';
import type { Handlers } from '#protocol/calls';
import { socketPath } from '#protocol/link';
import type { LocalApi } from '#protocol/local-api';
import { createAnnouncer } from '#protocol/server';
import { type ServedWorkspace, startWeb, type WebOptions } from '#web/server';
import { handlersWith } from './handlers.ts';
import { createFolder } from './workspace.ts';

/** How an HTTP request was answered. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A browser shell over a folder with a small built page, and what may be asked of it. */
export interface Site {
  readonly origin: string;
  readonly host: string;
  readonly url: string;
  readonly rendererFolder: string;
  /** The folders that were opened, in their order. */
  readonly opened: readonly string[];
  /** Sends a path as it is; nothing of it is resolved here. */
  get(path: string, headers?: OutgoingHttpHeaders, method?: string, body?: string): Promise<Answered>;
  /** Exchanges the token; the cookie as a browser sends it back. */
  enter(): Promise<string>;
  /** Asks for a socket; the status of a refusal, or the open socket. */
  socket(headers: OutgoingHttpHeaders, path?: string): Promise<number | WebSocket>;
  close(): Promise<void>;
}

/** A browser shell that ends with its test. Every folder it is asked to open is a workspace with these handlers. */
export async function openSite(some: Partial<Handlers> = {}, options: Partial<WebOptions> = {}): Promise<Site> {
  const rendererFolder = join(createFolder('renderer'), 'page');
  mkdirSync(join(rendererFolder, 'assets'), { recursive: true });
  writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html><title>the page</title>');
  writeFileSync(join(rendererFolder, 'assets', 'app.js'), 'console.log(1)');
  writeFileSync(join(rendererFolder, 'assets', 'part-Be7NAuSY.js'), 'console.log(2)');
  const opened: string[] = [];
  const open = async (root: string): Promise<ServedWorkspace> => {
    opened.push(root);
    return {
      root,
      handlers: handlersWith(some),
      events: createAnnouncer(),
      api: nothingToAsk,
      close: async () => void opened.splice(opened.indexOf(root), 1),
    };
  };
  const shell = await startWeb({ folder: '/first', port: 0, rendererFolder, open, ...options });
  onTestFinished(() => shell.close());
  const { origin, host, search } = new URL(shell.url);
  const get: Site['get'] = (path, headers = {}, method = 'GET', body) => answerOf(origin, path, { host, ...headers }, method, body);
  return {
    origin,
    host,
    url: shell.url,
    rendererFolder,
    opened,
    get,
    async enter() {
      const { headers } = await get(`/${search}`);
      return headers['set-cookie']![0]!.split(';')[0]!;
    },
    socket: (headers, path = socketPath) => socketOf(`ws://${host}${path}`, headers),
    close: () => shell.close(),
  };
}

/** An API of a workspace that has nothing. */
export const nothingToAsk: LocalApi = {
  whose: () => null,
  breakdown: () => Promise.reject(new Fault('no-workspace-record', {})),
  anchors: (path) => Promise.reject(new Fault('not-tracked', { path })),
  check: (path) => Promise.reject(new Fault('not-tracked', { path })),
  add: (path) => Promise.reject(new Fault('not-tracked', { path })),
  confirm: (id) => Promise.reject(new Fault('anchor-unknown', { id })),
  remove: (id) => Promise.reject(new Fault('anchor-unknown', { id })),
};

function answerOf(origin: string, path: string, headers: OutgoingHttpHeaders, method: string, body?: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ host: '127.0.0.1', port: new URL(origin).port, path, headers, method }, async (response) => {
      let text = '';
      response.setEncoding('utf8');
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function socketOf(address: string, headers: OutgoingHttpHeaders): Promise<number | WebSocket> {
  const socket = new WebSocket(address, { headers: headers as Record<string, string> });
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  const refused = once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode);
  return Promise.race([refused, once(socket, 'open').then(() => socket)]);
}
