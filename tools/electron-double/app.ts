import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { holdInstance } from './instance.ts';
import { createEvent, strict, windows } from './registry.ts';

const manifest = JSON.parse(readFileSync(resolve('package.json'), 'utf8'));

Object.assign(process.versions, { electron: `${manifest.devDependencies?.electron ?? '0'}-double` });
Object.assign(process, { type: 'browser', defaultApp: true, resourcesPath: resolve('resources') });

/** The language of the system, from the environment as Chromium takes it on Linux. */
export function systemLocale(): string {
  const { LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = process.env;
  const named = (LANGUAGE || LC_ALL || LC_MESSAGES || LANG || '').split(/[:.@]/u)[0]!.replace('_', '-');
  return /^[a-z]{2,3}(-[A-Z]{2})?$/u.test(named) ? named : 'en-US';
}

/**
 * `app` (electron.d.ts, `interface App`). Quitting follows Electron's order: `before-quit`, the windows' `close`, `will-quit`, `quit`; a
 * window that refuses to close calls it off.
 */
class App extends EventEmitter {
  readonly isPackaged = false;
  name: string = manifest.productName ?? manifest.name;
  readonly #paths = new Map<string, string>();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #isQuitting = false;
  #exiting = false;
  /** Set by the browser: how what this process started is ended. */
  cleanUp: () => Promise<unknown> = async () => {};

  /** Filled in by the utility processes. */
  getAppMetrics: () => { type: string; pid: number; name?: string }[] = () => [];

  whenReady = () => this.#ready.promise;
  isReady = () => this.#isReady;
  getName = () => this.name;
  setName = (name: string) => {
    this.name = name;
  };
  getVersion = (): string => manifest.version;
  getAppPath = () => process.cwd();
  /** "This API must be called after the `ready` event is emitted." */
  getPreferredSystemLanguages = (): string[] => [this.getLocale()];
  getLocale(): string {
    this.needReady('app.getLocale()');
    return systemLocale();
  }
  getPath(name: string): string {
    const path = this.#paths.get(name) ?? resolve('.tmp/electron-double', name);
    mkdirSync(path, { recursive: true });
    return path;
  }
  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }
  /** "An instance is considered a second instance if it shares the same user data directory." */
  requestSingleInstanceLock(additionalData: unknown = null): boolean {
    return holdInstance(join(this.getPath('userData'), 'instance'), additionalData, (second) => {
      void this.whenReady().then(() => this.emit('second-instance', createEvent(), second.argv, second.workingDirectory, second.data));
    });
  }
  quit(): void {
    if (this.#exiting) return;
    const before = createEvent();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#isQuitting = true;
    const open = [...windows.values()];
    if (open.length === 0) this.shutDown();
    for (const window of open) window.close();
    if (windows.size > 0) this.#isQuitting = false;
  }
  /** Called by the last window that is gone. */
  windowsGone(): void {
    if (this.#exiting) return;
    if (this.#isQuitting) this.shutDown();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }
  shutDown(): void {
    const will = createEvent();
    this.emit('will-quit', will);
    this.#isQuitting = false;
    if (will.defaultPrevented || this.#exiting) return;
    this.emit('quit', createEvent(), 0);
    this.exit(0);
  }
  exit(code = 0): void {
    this.#exiting = true;
    const late = new Promise((resolve) => setTimeout(resolve, 3000));
    void Promise.race([this.cleanUp(), late]).finally(() => process.exit(code));
  }
  isExiting = () => this.#exiting;
  needReady(what: string): void {
    if (!this.#isReady) throw new Error(`${what} cannot be used before app is ready`);
  }
  /** Called once the browser runs. */
  makeReady(): void {
    this.#isReady = true;
    this.#ready.resolve();
    this.emit('ready', createEvent(), {});
  }
}

/** The application. */
export const app = strict('app', new App());
