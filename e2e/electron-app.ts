import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { _electron, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type LaunchOptions, temporaryHome } from './launch.ts';

/** What `evaluate` gives its function: the main process's `electron`. It is sent as text: it may use nothing from outside. */
export type Electron = typeof import('electron');

/** The started app, with the shape of Playwright's ElectronApplication as far as the tests use it. */
export interface RunningElectron {
  readonly home: string;
  windows(): Page[];
  /** The window whose address ends with `path`, once it has loaded. */
  window(path: '/' | '/breakdown'): Promise<Page>;
  evaluate<Result, Given = undefined>(run: (electron: Electron, given: Given) => Result | Promise<Result>, given?: Given): Promise<Result>;
  /** Of the main process. */
  readonly pid: number;
  /** What main and core have printed. */
  output(): string;
  /** Starts the program once more with the same app data; answers its exit code. */
  startAgain(folder: string): Promise<number | null>;
  /** Quits as the writer would; answers the exit code. */
  quit(): Promise<number | null>;
  /** Ends what is left, and takes the app data away if it was made for this test. */
  dispose(): Promise<void>;
}

/** A runtime that the tests can be run in: Electron itself, or the double. `reason`: why it cannot be used here. */
export interface Runtime {
  readonly name: string;
  readonly reason: string | null;
  launch(folder: string, options?: LaunchOptions): Promise<RunningElectron>;
}

/** The built main program; APP_ENTRY names that of a packaged app. */
const appEntry = resolve(process.env.APP_ENTRY ?? 'out/main/index.js');

/** The program of an installed Electron runtime, or null. Nothing is fetched. */
export function electronProgram(): string | null {
  const folder = resolve('node_modules/electron');
  try {
    const program = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), readFileSync(join(folder, 'path.txt'), 'utf8'));
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

const environment = (home: string, options: LaunchOptions): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  LANGUAGE: 'en_US',
  STEMMA_HOME: home,
  ...options.env,
});

/** Electron itself. */
const realElectron: Runtime = {
  name: 'Electron',
  reason:
    electronProgram() === null ? 'the Electron runtime is not installed on this machine (node node_modules/electron/install.js)' : null,
  async launch(folder, options = {}) {
    const home = options.home ?? temporaryHome();
    const env = environment(home, options);
    // Electron refuses to run as root with its sandbox; tests of the sandbox itself are for other users.
    const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const executablePath = electronProgram()!;
    const args = [...flags, appEntry, folder];
    const app = await _electron.launch({ executablePath, args, env });
    const child = app.process();
    return describeApp({
      child,
      home,
      ownsHome: options.home === undefined,
      context: app.context(),
      evaluate: (run, given) => app.evaluate(run as never, given as never),
      again: (other) => spawn(executablePath, [...flags, appEntry, other], { env, stdio: 'ignore' }),
      end: () => app.close(),
    });
  },
};

/** The double: the same built files under Node, with Chromium's pages for windows. */
export const doubleElectron: Runtime = {
  name: 'the double',
  reason: null,
  async launch(folder, options = {}) {
    const home = options.home ?? temporaryHome();
    const env = environment(home, options);
    const run = ['--enable-source-maps', '--import', './tools/electron-double/register.mjs', './tools/electron-double/run.ts'];
    const args = [...run, options.entry ?? appEntry];
    const child = spawn(process.execPath, [...args, folder], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
    const calls = createCalls(child);
    const cdp = await calls.ready;
    const browser = await chromium.connectOverCDP(cdp);
    return describeApp({
      child,
      home,
      ownsHome: options.home === undefined,
      context: browser.contexts()[0]!,
      evaluate: (run, given) => calls.ask('evaluate', run.toString(), given),
      again: (other) => spawn(process.execPath, [...args, other], { env, stdio: 'ignore' }),
      end: async () => {
        await browser.close().catch(() => {});
      },
    });
  },
};

/** Electron where its runtime is installed, else the double. */
export const launchElectron = (folder: string, options: LaunchOptions = {}): Promise<RunningElectron> =>
  (realElectron.reason === null ? realElectron : doubleElectron).launch(folder, options);

/** Every runtime, for tests that run in each; the ones that cannot be used are skipped with their reason. */
export const runtimes: readonly Runtime[] = [doubleElectron, realElectron];

interface Parts {
  readonly child: ChildProcess;
  readonly home: string;
  readonly ownsHome: boolean;
  readonly context: BrowserContext;
  readonly evaluate: (run: (electron: Electron, given: never) => unknown, given: unknown) => Promise<unknown>;
  readonly again: (folder: string) => ChildProcess;
  readonly end: () => Promise<void>;
}

function describeApp({ child, home, ownsHome, context, evaluate, again, end }: Parts): RunningElectron {
  const exited = child.exitCode === null ? (once(child, 'exit') as Promise<[number | null]>) : Promise.resolve([child.exitCode] as const);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const windows = () => context.pages().filter((page) => /^(app|https):\/\/stemma/u.test(page.url()));
  return {
    home,
    pid: child.pid!,
    windows,
    output: () => text,
    async window(path) {
      const isIt = (page: Page) => windows().includes(page) && new URL(page.url()).pathname === path;
      const page = await waitFor(() => windows().find(isIt), `no window shows ${path}`);
      await page.waitForLoadState('load');
      return page;
    },
    evaluate: (run, given) => evaluate(run, given) as never,
    async startAgain(folder) {
      const [code] = (await once(again(folder), 'exit')) as [number | null];
      return code;
    },
    async quit() {
      // The process may be gone before it can answer.
      await evaluate(({ app }) => app.quit(), undefined).catch(() => {});
      const [code] = await exited;
      return code;
    },
    async dispose() {
      child.kill('SIGKILL');
      await exited;
      await end();
      if (ownsHome) rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Asks until there is an answer, for thirty seconds. */
export async function waitFor<T>(look: () => T | undefined | null | false, otherwise: string): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > end) throw new Error(otherwise);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The double is asked over Node's own channel to a child. */
function createCalls(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<string>();
  let last = 0;
  let text = '';
  child.stderr?.on('data', (chunk) => (text += String(chunk)));
  child.on('message', (message: { id?: number; op?: string; cdp?: string; value?: unknown; error?: string }) => {
    if (message.op === 'ready') return ready.resolve(message.cdp!);
    const call = waiting.get(message.id!);
    return message.error === undefined ? call?.resolve(message.value) : call?.reject(new Error(message.error));
  });
  child.once('exit', (code) => {
    const gone = new Error(`the app ended with ${code}:\n${text}`);
    ready.reject(gone);
    for (const { reject } of waiting.values()) reject(gone);
  });
  return {
    ready: ready.promise,
    ask(op: string, ...args: unknown[]): Promise<unknown> {
      const call = Promise.withResolvers<unknown>();
      waiting.set(++last, call);
      child.send({ id: last, op, args }, (error) => error && call.reject(error));
      return call.promise;
    },
  };
}
