import type { BrowserContext, Page } from 'playwright-core';
import { socketPath } from '#protocol/link';

/** How many times slower pages run, and how many milliseconds each answer of core comes late; a run of stories sets them to find what depends on speed. */
const { STEMMA_SLOW: times = '1', STEMMA_LATE: late = '0' } = process.env;

/** Slows all pages of a context down, those that come as well, as far as the environment asks for it. */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (Number(times) > 1) context.on('page', (page) => void throttle(page));
  if (Number(late) > 0) await delayAnswers(context, Number(late));
}

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(times) });
}

/** Answers and events keep their order. */
async function delayAnswers(context: BrowserContext, milliseconds: number): Promise<void> {
  await context.routeWebSocket(new RegExp(`${socketPath}(?:\\?|$)`, 'u'), (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => setTimeout(() => socket.send(message), milliseconds));
  });
}
