import type { Page } from 'playwright-core';
import type { Client } from '#protocol/calls';
import { fromReply, type Reply } from '#protocol/reply';
import { type RunningElectron, waitFor } from './electron-app.ts';

interface Probed {
  stemmaPorts: MessagePort[];
}

/** A second voice on the port of a page: asks core as the page does, over the newest port that the preload handed over. */
export interface Probe {
  readonly ask: Client;
  /** How many ports have come since the page was loaded. */
  ports(): Promise<number>;
  /** Waits until there are more ports than before. */
  nextPort(before: number): Promise<void>;
}

let last = 1_000_000;

/** Puts a probe into the page of a window, which is loaded anew for it. */
export async function probe(app: RunningElectron, page: Page): Promise<Probe> {
  await page.addInitScript(() => {
    const ports: MessagePort[] = [];
    (window as unknown as Probed).stemmaPorts = ports;
    window.addEventListener('message', ({ data, ports: [port] }) => {
      if (data?.stemma === 'port' && port !== undefined) ports.push(port);
    });
  });
  const path = new URL(page.url()).pathname;
  await app.evaluate(({ BrowserWindow }, wanted) => {
    const contents = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
    contents.find((one) => new URL(one.getURL()).pathname === wanted)!.reload();
  }, path);
  const ports = () => page.evaluate(() => (window as unknown as Partial<Probed>).stemmaPorts?.length ?? 0).catch(() => 0);
  const nextPort = async (before: number) => {
    for (let tries = 0; (await ports()) <= before; tries++) {
      if (tries > 400) throw new Error('no new port came');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  await nextPort(0);
  const ask = async (call: string, input: unknown) => {
    const reply = await page.evaluate(askOverPort, { id: ++last, call, input });
    return fromReply(reply as Reply<unknown>);
  };
  return { ask: ask as Client, ports, nextPort };
}

/** Runs in the page. */
function askOverPort(question: { id: number; call: string; input: unknown }): Promise<unknown> {
  const port = (window as unknown as Probed).stemmaPorts.at(-1)!;
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }) => {
      if (data?.id === question.id) resolve(data.reply);
    });
    port.start();
    port.postMessage(question);
  });
}

/** The process ids of the cores that run. */
export async function corePids(app: RunningElectron): Promise<number[]> {
  return app.evaluate(({ app: { getAppMetrics } }) => getAppMetrics().flatMap(({ name, pid }) => (name === 'Stemma core' ? [pid] : [])));
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process is gone. */
export const waitForEnd = (pid: number): Promise<true> =>
  waitFor(() => !isAlive(pid) && true, `process ${pid} did not end`) as Promise<true>;
