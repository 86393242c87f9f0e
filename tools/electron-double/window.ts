import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { app } from './app.ts';
import { type Owner, WebContents } from './contents.ts';
import { createEvent, focusOrder, record, strict, windows } from './registry.ts';
import { outward } from './scheme.ts';
import { screen } from './screen.ts';
import { decidePermissions } from './session.ts';

type Options = Electron.BrowserWindowConstructorOptions;
let next = 1;

/**
 * `BrowserWindow` (electron.d.ts, `class BrowserWindow` and `class BaseWindow`): a page of Chromium with the size of the window's content.
 * Only sandboxed, context-isolated windows without Node are made.
 */
export class BrowserWindow extends EventEmitter {
  readonly id = next++;
  readonly webContents: WebContents;
  readonly #attached: Promise<Page>;
  #bounds: Electron.Rectangle;
  #normal: Electron.Rectangle;
  #isReady = false;
  #isVisible: boolean;
  #isMinimized = false;
  #isMaximized = false;
  #title: string;

  constructor(options: Options = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const webPreferences = options.webPreferences ?? {};
    const { sandbox = true, contextIsolation = true, nodeIntegration = false, webSecurity = true, webviewTag = false } = webPreferences;
    if (!sandbox || !contextIsolation || nodeIntegration || !webSecurity || webviewTag)
      throw new Error('electron-double: only sandboxed, context-isolated windows without Node are modelled');
    const { width = 800, height = 600 } = options;
    const area = screen.getPrimaryDisplay().workArea;
    const { x = area.x + Math.round((area.width - width) / 2), y = area.y + Math.round((area.height - height) / 2) } = options;
    this.#bounds = { x, y, width, height };
    this.#normal = this.#bounds;
    this.#isVisible = options.show ?? true;
    this.#title = options.title ?? app.getName();
    windows.set(this.id, this);
    this.webContents = strict('webContents', new WebContents(this.#owner(webPreferences)));
    app.emit('web-contents-created', createEvent(), this.webContents);
    this.#attached = this.webContents.attach();
    this.#attached.catch(() => this.#gone());
    if (this.#isVisible) this.focus();
  }
  #owner(webPreferences: Electron.WebPreferences): Owner {
    return {
      id: this.id,
      webPreferences,
      size: { width: this.#bounds.width, height: this.#bounds.height },
      isDestroyed: () => this.isDestroyed(),
      loaded: () => {
        if (this.#isReady) return;
        this.#isReady = true;
        this.emit('ready-to-show');
      },
      gone: () => this.#gone(),
    };
  }
  static getAllWindows = (): BrowserWindow[] => [...windows.values()];
  static fromId = (id: number): BrowserWindow | null => windows.get(id) ?? null;
  static fromWebContents = (contents: { readonly id: number }): BrowserWindow | null =>
    BrowserWindow.getAllWindows().find((window) => window.webContents.id === contents.id) ?? null;
  static getFocusedWindow = (): BrowserWindow | null => focusOrder.at(-1) ?? null;

  async loadURL(url: string): Promise<void> {
    const page = await this.#attached;
    const target = outward(url);
    this.webContents.expected = target;
    await decidePermissions(this.webContents as never, this.webContents.cdp!, target);
    try {
      await page.goto(target);
    } catch (error) {
      throw new Error(`ERR_FAILED (-2) loading '${url}'`, { cause: error });
    }
  }
  show(): void {
    this.#isVisible = true;
    this.emit('show');
    this.focus();
  }
  focus(): void {
    if (!this.#isVisible || this.isDestroyed() || focusOrder.at(-1) === this) return;
    this.#leaveFocus();
    focusOrder.push(this);
    this.emit('focus');
    app.emit('browser-window-focus', createEvent(), this);
  }
  #leaveFocus(): void {
    const at = focusOrder.indexOf(this);
    if (at >= 0) focusOrder.splice(at, 1);
  }
  isVisible = (): boolean => this.#isVisible && !this.#isMinimized;
  isFocused = (): boolean => focusOrder.at(-1) === this;
  isDestroyed = (): boolean => !windows.has(this.id);
  getTitle = (): string => this.#title;
  setTitle = (title: string): void => {
    this.#title = title;
  };
  setDocumentEdited = (edited: boolean): void => record('window.setDocumentEdited', edited);
  getBounds = (): Electron.Rectangle => ({ ...this.#bounds });
  getNormalBounds = (): Electron.Rectangle => ({ ...this.#normal });
  setBounds(wanted: Partial<Electron.Rectangle>): void {
    this.#move({ ...this.#bounds, ...wanted });
    this.#normal = this.#bounds;
  }
  #move(bounds: Electron.Rectangle): void {
    const isResized = bounds.width !== this.#bounds.width || bounds.height !== this.#bounds.height;
    this.#bounds = bounds;
    void this.#attached.then((page) => page.setViewportSize({ width: bounds.width, height: bounds.height })).catch(() => {});
    this.emit(isResized ? 'resize' : 'move');
  }
  maximize(): void {
    this.#isMaximized = true;
    this.#move(screen.getDisplayMatching(this.#bounds).workArea);
    this.emit('maximize');
  }
  isMaximized = (): boolean => this.#isMaximized;
  minimize(): void {
    this.#isMinimized = true;
    this.#leaveFocus();
    this.emit('minimize');
  }
  isMinimized = (): boolean => this.#isMinimized;
  restore(): void {
    this.#isMinimized = false;
    this.emit('restore');
  }
  close(): void {
    if (this.isDestroyed()) return;
    const event = createEvent();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy(): void {
    void this.#attached.then((page) => page.close()).catch(() => {});
    this.#gone();
  }
  #gone(): void {
    if (!windows.delete(this.id)) return;
    const hadFocus = this.isFocused();
    this.#leaveFocus();
    this.webContents.emit('destroyed');
    this.emit('closed');
    const front = focusOrder.at(-1);
    if (hadFocus && front) app.emit('browser-window-focus', createEvent(), front);
    if (windows.size === 0) app.windowsGone();
  }
}
