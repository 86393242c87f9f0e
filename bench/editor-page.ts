import type { CDPSession, Page } from 'playwright-core';

/** What is put into every page that is measured. */
interface Watching {
  keys: number[];
  arrived: number;
  painted: number;
}

declare const window: Window & { watching: Watching; WebSocket: typeof WebSocket };

/** Watches a page from its start: how long keys take to the first task after their frame, when a text arrived, and when it was painted. */
export async function watchPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watching = { keys: [] as number[], arrived: 0, painted: 0 };
    window.watching = watching;
    const afterFrame = (act: (now: number) => void) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => act(performance.now());
      requestAnimationFrame(() => port2.postMessage(null));
    };
    addEventListener('keydown', (event) => afterFrame((now) => watching.keys.push(now - event.timeStamp)), { capture: true });
    const Socket = WebSocket;
    window.WebSocket = class extends Socket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        this.addEventListener('message', ({ data }) => {
          if (String(data).length > 20_000) watching.arrived = performance.now();
        });
      }
    } as typeof WebSocket;
    new MutationObserver(() => {
      const lines = document.querySelectorAll('.cm-line, .view-line').length;
      if (lines > 12 && watching.painted === 0) {
        watching.painted = -1;
        afterFrame((now) => {
          watching.painted = now;
        });
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Presses a letter so many times, each after the one before was painted; the times to the first task after the frame, in ms. */
export async function pressKeys(page: Page, session: CDPSession, count: number): Promise<number[]> {
  await page.evaluate(() => {
    window.watching.keys = [];
  });
  for (let turn = 0; turn < count; turn++) {
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'e', code: 'KeyE', text: 'e' });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'e', code: 'KeyE' });
    await page.waitForFunction((wanted) => window.watching.keys.length > wanted, turn, { polling: 'raf' });
  }
  return page.evaluate(() => window.watching.keys);
}

/** Waits until the text that was asked for is painted; the ms since it was there (or since `start`, in the page's time). */
export async function untilPainted(page: Page, start: number | null): Promise<number> {
  await page.waitForFunction(() => window.watching.painted > 0, undefined, { polling: 50, timeout: 120_000 });
  return page.evaluate((from) => window.watching.painted - (from ?? window.watching.arrived), start);
}

/** Forgets what was painted before. */
export const forgetPaint = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.watching.painted = 0;
  });

/** The JS heap after a collection, in MB. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize / 2 ** 20;
}

/** Jumps to places all over the text, then scrolls on from the middle; the ms of each jump, and of the longest frame while scrolling. */
export function scrollOver(page: Page): Promise<{ readonly jumps: number[]; readonly longest: number }> {
  return page.evaluate(async () => {
    const scroller = document.querySelector<HTMLElement>('.cm-scroller')!;
    const frame = () =>
      new Promise<number>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        requestAnimationFrame(() => port2.postMessage(null));
      });
    const jumps: number[] = [];
    for (let turn = 1; turn <= 20; turn++) {
      await frame();
      const start = performance.now();
      scroller.scrollTop = scroller.scrollHeight * ((turn * 0.618) % 1);
      jumps.push((await frame()) - start);
    }
    scroller.scrollTop = scroller.scrollHeight / 2;
    let last = await frame();
    let longest = 0;
    for (let turn = 0; turn < 60; turn++) {
      scroller.scrollTop += 300;
      const now = await frame();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return { jumps, longest };
  });
}
