import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { browser } from './browser.ts';
import { ipcMain } from './ipc.ts';
import { type PressedKey, pressInMenu } from './menu.ts';
import { detachAll, type End, type Holder, type MessagePortMain } from './port.ts';
import { createEvent, record } from './registry.ts';
import { inward } from './scheme.ts';
import { defaultSession } from './session.ts';

const runtime = readFileSync(join(import.meta.dirname, 'page-runtime.js'), 'utf8');
const { encode, decode } = new Function(`${runtime}\nreturn electronDoubleRuntime()`)();
const world = 'electron-double-preload';
const taken = new WeakSet<Page>();

/** What a page says to this process, through the binding of its preload's world. */
type FromPage =
  | { readonly op: 'invoke' | 'send'; readonly id: number; readonly channel: string; readonly args: unknown }
  | { readonly op: 'port-message'; readonly id: number; readonly data: unknown }
  | { readonly op: 'port-close'; readonly id: number }
  | ({ readonly op: 'key' } & PressedKey);

/** What a window tells its contents. */
export interface Owner {
  readonly id: number;
  readonly webPreferences: Electron.WebPreferences;
  readonly size: { readonly width: number; readonly height: number };
  isDestroyed(): boolean;
  loaded(): void;
  gone(): void;
}

/**
 * `WebContents` (electron.d.ts): a page of Chromium. The preload runs in an isolated world that has a binding to this process; the page's
 * own world has none. Of the life of a page `dom-ready`, `did-finish-load`, `will-navigate` and `render-process-gone` are told.
 */
export class WebContents extends EventEmitter {
  readonly id: number;
  readonly session = defaultSession;
  page: Page | undefined;
  cdp: CDPSession | undefined;
  /** The address that the app itself is loading. */
  expected: string | undefined;
  readonly #owner: Owner;
  readonly #held = new Map<number, End>();
  readonly #holder: Holder;
  #contextId: number | undefined;
  #isCrashed = false;
  #openHandler: (details: { url: string }) => { action: 'allow' | 'deny' } = () => ({ action: 'allow' });

  constructor(owner: Owner) {
    super();
    this.#owner = owner;
    this.id = owner.id;
    this.#holder = {
      deliver: ({ id }, data) => void this.#deliver({ op: 'port-message', id, data: encode(data) }),
      closed: ({ id }) => {
        this.#held.delete(id);
        void this.#deliver({ op: 'port-close', id });
      },
    };
  }
  get mainFrame() {
    return { url: this.getURL(), parent: null, top: null };
  }
  getURL = (): string => (this.page ? inward(this.page.url()) : '');
  isDestroyed = (): boolean => this.#owner.isDestroyed();
  isCrashed = (): boolean => this.#isCrashed;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'allow' | 'deny' }): void {
    this.#openHandler = handler;
  }
  send(channel: string, ...args: unknown[]): void {
    void this.#deliver({ op: 'event', channel, args: encode(args), ports: [] });
  }
  /** "When they arrive in the renderer, they will be native DOM `MessagePort` objects." */
  postMessage(channel: string, message: unknown, transfer: MessagePortMain[] = []): void {
    const ends = detachAll(transfer);
    void this.#deliver({ op: 'event', channel, args: encode([message]), ports: ends.map(({ id }) => id) });
    for (const end of ends) {
      if (this.#contextId === undefined) end.close();
      else {
        this.#held.set(end.id, end);
        end.hold(this.#holder);
      }
    }
  }
  async reload(): Promise<void> {
    this.expected = this.page?.url();
    await this.page?.reload();
  }
  forcefullyCrashRenderer(): void {
    void this.cdp?.send('Page.crash').catch(() => {});
  }
  /** By Chromium's own printing, with the options that it knows under the same names. */
  async printToPDF(options: Electron.PrintToPDFOptions): Promise<Buffer> {
    const { printBackground = false, preferCSSPageSize = false, generateDocumentOutline = false, generateTaggedPDF = false } = options;
    const wanted = { printBackground, preferCSSPageSize, generateDocumentOutline, generateTaggedPDF };
    const { data } = await this.cdp!.send('Page.printToPDF', wanted);
    return Buffer.from(data, 'base64');
  }
  /** What a menu role does: a command of Chromium's editor, sent with a key that is none. */
  async runEditorCommand(command: string): Promise<void> {
    await this.cdp?.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: [command] });
  }

  async attach(): Promise<Page> {
    const open = browser();
    const page = open.pages().find((one) => one.url() === 'about:blank' && !taken.has(one)) ?? (await open.newPage());
    taken.add(page);
    this.page = page;
    await page.setViewportSize(this.#owner.size);
    const cdp = await open.newCDPSession(page);
    this.cdp = cdp;
    await this.#followContexts(cdp);
    await this.#installPreload(cdp);
    this.#followPage(page, cdp);
    return page;
  }
  async #followContexts(cdp: CDPSession): Promise<void> {
    const { frameTree } = await cdp.send('Page.getFrameTree');
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId?: string };
      if (context.name === world && frameId === frameTree.frame.id) this.#contextId = context.id;
    });
    cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      if (executionContextId === this.#contextId) this.#pageGone();
    });
    cdp.on('Runtime.executionContextsCleared', () => this.#pageGone());
    cdp.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
      if (executionContextId === this.#contextId) void this.#receive(JSON.parse(payload));
    });
    await cdp.send('Page.enable');
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name: '__electronDoubleSend', executionContextName: world });
  }
  async #installPreload(cdp: CDPSession): Promise<void> {
    const top = 'if (window === window.top)';
    const main = `${top} { (() => { ${runtime}\nelectronDoubleRuntime('main'); })(); }`;
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: main });
    const { preload, additionalArguments = [] } = this.#owner.webPreferences;
    if (preload === undefined) return;
    // "In sandboxed renderers the process object contains only a subset of the APIs" (docs, Process).
    const given = {
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      platform: process.platform,
      argv: [process.execPath, ...additionalArguments],
      versions: { ...process.versions },
      env: {},
    };
    const code = `(function (exports, require, module, process) { ${readFileSync(preload, 'utf8')}\n})`;
    const call = `${code}(module.exports, electronDoubleRuntime('preload'), module, Object.freeze(${JSON.stringify(given)}));`;
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: world,
      source: `${top} { (() => { ${runtime}\nconst module = { exports: {} };\n${call} })(); }\n//# sourceURL=${pathToFileURL(preload).href}`,
    });
  }
  #followPage(page: Page, cdp: CDPSession): void {
    page.on('domcontentloaded', () => this.emit('dom-ready', createEvent()));
    page.on('load', () => {
      this.emit('did-finish-load', createEvent());
      this.#owner.loaded();
    });
    page.on('crash', () => {
      this.#isCrashed = true;
      this.#pageGone();
      this.emit('render-process-gone', createEvent(), { reason: 'crashed', exitCode: 1 });
    });
    let isAllowed = false;
    cdp.on('Page.windowOpen', ({ url }) => {
      const { action } = this.#openHandler({ url: inward(url) });
      record('window.open', inward(url), action);
      isAllowed = action === 'allow';
    });
    page.on('popup', (popup) => {
      if (isAllowed) throw new Error('electron-double: opened windows are not modelled');
      void popup.close().catch(() => {}); // Electron never makes it.
    });
    page.on('close', () => {
      this.#pageGone();
      this.#owner.gone();
    });
  }
  /** The ports of a page go with it. */
  #pageGone(): void {
    this.#contextId = undefined;
    for (const end of this.#held.values()) end.close();
    this.#held.clear();
  }
  async #deliver(message: object): Promise<void> {
    const contextId = this.#contextId;
    if (contextId === undefined) return; // There is no listener either.
    const expression = `__electronDoubleReceive(${JSON.stringify(JSON.stringify(message))})`;
    await this.cdp?.send('Runtime.evaluate', { expression, contextId }).catch(() => {});
  }
  async #receive(message: FromPage): Promise<void> {
    if (message.op === 'key') return pressInMenu(message);
    if (message.op === 'port-message') return this.#held.get(message.id)?.send(decode(message.data));
    if (message.op === 'port-close') {
      this.#held.get(message.id)?.close();
      return void this.#held.delete(message.id);
    }
    const event = { sender: this, senderFrame: this.mainFrame, processId: process.pid, frameId: 1, type: 'frame' };
    const args = decode(message.args) as unknown[];
    if (message.op === 'send') return void ipcMain.emit(message.channel, event, ...args);
    const { id, channel } = message;
    try {
      const handler = ipcMain.handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      await this.#deliver({ op: 'reply', id, value: encode(await handler(event, ...args)) });
    } catch (error) {
      await this.#deliver({ op: 'reply', id, error: `Error invoking remote method '${channel}': ${error}` });
    }
  }
}
