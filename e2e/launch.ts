import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserOptions } from '../tools/chromium.ts';
import { lateAnswers, slowPages } from './slow.ts';

/** Where a test runs: an app data of its own, and more of the environment where it says so. */
export interface LaunchOptions {
  /** The app-data folder; by default one that goes with the test. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another main program than the app's, for tests of the double itself. */
  readonly entry?: string;
  /** Takes what the server says of itself; else that is seen where the tests run. */
  readonly said?: string[];
}

/** A server without a browser. */
export interface RunningServer {
  /** The address that the server printed; it lets one browser in. */
  readonly url: string;
  readonly pid: number;
  /** Ends the server, by SIGTERM unless told otherwise; answers its exit code, null where the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The browser shell with one page of Chromium in it. */
export interface RunningBrowser {
  /** Other stories may have it after this one. */
  readonly browser: Browser;
  readonly page: Page;
  /** The address that the server printed; it lets one browser in. */
  readonly url: string;
  /** Of the server. */
  readonly pid: number;
  readonly home: string;
  /** Ends the pages, the browser where no other story will have it, and, by SIGTERM or as told, the server; answers the server's exit code, null where the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** An app-data folder for one test. */
export const temporaryHome = (): string => mkdtempSync(join(tmpdir(), 'stemma-home-'));

/** Starts the browser shell on a folder; port 0 lets the system choose one. */
export async function startServer(folder: string, home: string, options: LaunchOptions = {}, port = 0): Promise<RunningServer> {
  const env = { ...process.env, STEMMA_HOME: home, ...options.env };
  const serve = [resolve('out/cli/index.js'), 'serve', folder, '--port', String(port), '--no-open'];
  const { said } = options;
  const server = spawn(process.execPath, [...lateAnswers, ...serve], {
    env,
    stdio: ['ignore', 'pipe', said === undefined ? 'inherit' : 'pipe'],
  });
  server.stderr?.setEncoding('utf8').on('data', (text: string) => said?.push(text));
  const ended = once(server, 'exit') as Promise<[number | null]>;
  const { url, pid } = JSON.parse(await firstLine(server)) as { url: string; pid: number };
  return {
    url,
    pid,
    async stop(signal = 'SIGTERM') {
      server.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

let kept: Promise<Browser> | undefined;
let isShared = false;

/** Has all stories of this process share one browser, each in a context of its own: starting one takes longer than many a story. */
export function shareBrowser(): void {
  isShared = true;
}

/** A browser to open contexts in; `leave` ends it unless it is shared. */
async function enterBrowser(): Promise<{ browser: Browser; leave(): Promise<void> }> {
  const start = async () => chromium.launch({ ...(await browserOptions()), headless: true });
  if (!isShared) {
    const browser = await start();
    return { browser, leave: () => browser.close() };
  }
  const known = await kept;
  if (known === undefined || !known.isConnected()) kept = start();
  return { browser: await kept!, leave: async () => {} };
}

/** Starts the browser shell on a folder and opens its page. */
export async function launchBrowser(folder: string, options: LaunchOptions = {}): Promise<RunningBrowser> {
  const home = options.home ?? temporaryHome();
  const server = await startServer(folder, home, options);
  const { browser, leave } = await enterBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 840 } });
  slowPages(context);
  const page = await context.newPage();
  await page.goto(server.url);
  return {
    browser,
    page,
    url: server.url,
    pid: server.pid,
    home,
    async stop(signal) {
      await context.close();
      await leave();
      const code = await server.stop(signal);
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
      return code;
    },
  };
}

/** What a program prints first; fails where it ends before that. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) done(text.split('\n', 1)[0]!);
    });
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code} before it was ready`)));
  });
}
