import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Frame, type Request as PageRequest, type Route } from 'playwright-core';
import { WebSocket } from 'ws';
import { browserOptions } from '../chromium.ts';
import { app, systemLocale } from './app.ts';
import { createEvent, record, windows } from './registry.ts';
import { handlerFor, inward } from './scheme.ts';

let context: BrowserContext | undefined;

/** The Chromium in which the windows are pages. */
export function browser(): BrowserContext {
  if (!context) throw new Error('electron-double: the browser does not run yet');
  return context;
}

/** Starts Chromium on the app's user data; answers the address at which it can be driven. */
export async function startBrowser(): Promise<string> {
  const profile = join(app.getPath('userData'), 'chromium');
  mkdirSync(profile, { recursive: true });
  const options = await browserOptions();
  context = await chromium.launchPersistentContext(profile, {
    ...options,
    locale: systemLocale(),
    headless: process.env.ELECTRON_DOUBLE_HEADED !== '1',
    args: [...(options.args ?? []), '--remote-debugging-port=0'],
  });
  app.cleanUp = () => browser().close();
  await context.route('**/*', answer);
  await context.routeWebSocket('**/*', (page) => joinSocket(page));
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return `http://127.0.0.1:${port}`;
}

async function answer(route: Route, request: PageRequest): Promise<void> {
  const url = request.url();
  const frame = frameOf(request);
  if (!frame && request.isNavigationRequest()) return route.abort('aborted'); // A popup: setWindowOpenHandler decides.
  if (frame && request.isNavigationRequest() && !mayNavigate(frame, url)) return route.abort('aborted');
  if (inward(url) !== url) return serve(route, request);
  record('network.blocked', url);
  return route.abort('blockedbyclient');
}

/** The first request of a popup has a frame whose page does not exist yet. */
function frameOf(request: PageRequest): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}

/** `will-navigate`: "Calling `event.preventDefault()` will prevent the navigation"; it is not told of what the app itself loads. */
function mayNavigate(frame: Frame, url: string): boolean {
  const contents = [...windows.values()].map(({ webContents }) => webContents).find(({ page }) => page === frame.page());
  if (!contents || frame !== contents.page?.mainFrame()) return true;
  const isExpected = contents.expected === url;
  contents.expected = undefined;
  if (isExpected) return true;
  const event = createEvent({ url: inward(url) });
  contents.emit('will-navigate', event, inward(url));
  record('will-navigate', inward(url), event.defaultPrevented);
  return !event.defaultPrevented;
}

async function serve(route: Route, request: PageRequest): Promise<void> {
  const url = inward(request.url());
  const handler = handlerFor(url);
  if (!handler) return route.abort('failed');
  const body = request.postDataBuffer();
  const init = { method: request.method(), headers: request.headers(), ...(body && { body: new Uint8Array(body) }) };
  const response = await handler(new Request(url, init));
  const headers = Object.fromEntries(response.headers);
  return route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) });
}

/**
 * A WebSocket of a page goes out from this process, with the origin that the page has for the app. Only to this machine: anything else is
 * noted and closed.
 */
function joinSocket(page: Parameters<Parameters<BrowserContext['routeWebSocket']>[1]>[0]): void {
  const url = page.url();
  if (new URL(url).hostname !== '127.0.0.1') {
    record('network.blocked', url);
    return void page.close();
  }
  const origin = [...windows.values()]
    .map(({ webContents }) => new URL(webContents.getURL()))
    .map(({ protocol, host }) => `${protocol}//${host}`)[0];
  const socket = new WebSocket(url, origin === undefined ? {} : { origin });
  const waiting: (string | Buffer)[] = [];
  page.onMessage((data) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
    else waiting.push(data);
  });
  socket.on('open', () => {
    for (const data of waiting.splice(0)) socket.send(data);
  });
  socket.on('message', (data, isBinary) => page.send(isBinary ? (data as Buffer) : String(data)));
  socket.on('error', () => {});
  socket.on('close', () => void page.close());
  page.onClose(() => socket.close());
}
