// node --import register.mjs run.ts ENTRY [args]: runs a built main entry as Electron would, and does what the test process asks.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from './app.ts';
import { startBrowser } from './browser.ts';
import * as electron from './electron.ts';
import { answerNext, calls } from './registry.ts';

const operations: Record<string, (...args: never[]) => unknown> = {
  evaluate: (source: string, given: unknown) => new Function('electron', 'given', `return (${source})(electron, given)`)(electron, given),
  answer: answerNext,
  calls: () => calls,
};

process.on('message', async ({ id, op, args }: { id: number; op: string; args: never[] }) => {
  try {
    const run = operations[op];
    if (!run) throw new Error(`no operation ${op}`);
    process.send?.({ id, value: await run(...args) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
// A test that is gone needs no app.
process.on('disconnect', () => app.exit(1));

const entry = resolve(process.argv[2] ?? 'out/main/index.js');
process.argv.splice(1, 2, entry);
const stuck = setTimeout(() => {
  console.error('electron-double: the entry has not finished loading; is it awaiting app.whenReady() at its top level?');
  process.exit(13);
}, 5000);
await import(pathToFileURL(entry).href);
clearTimeout(stuck);
if (!app.isExiting()) {
  const cdp = await startBrowser();
  app.makeReady();
  process.send?.({ op: 'ready', cdp });
}
