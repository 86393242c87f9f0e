import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readJournal } from '#core/journal/journal-reading';

/** Ends the processes of a page and all beside it by SIGKILL, as the system does where memory is short. */
export async function killPages(page: Page): Promise<void> {
  const browser = page.context().browser()!;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const crashed = page.waitForEvent('crash');
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
  await crashed;
  await session.detach();
}

/** Everything that was typed, as the journals in an app data have it: of each document what was put in, one after another. */
export function keptIn(home: string): string {
  const put = documentsKeptIn(home).map(({ text, steps }) => {
    const changes = steps.flatMap((record) => record.steps.flatMap((step) => step.changes));
    return [text.text, ...changes.flatMap((change) => (typeof change === 'number' ? [] : [change.slice(1).join('\n')]))].join('');
  });
  return put.join('\n');
}

/** Where the documents of the journals in an app data are, each by its last word. */
export const pathsKeptIn = (home: string): string[] => documentsKeptIn(home).map(({ text, steps }) => (steps.at(-1) ?? text).path);

function documentsKeptIn(home: string) {
  const folder = join(home, 'recovery');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.journal'));
  return names.flatMap((name) => readJournal(readFileSync(join(folder, name)))?.documents ?? []);
}
