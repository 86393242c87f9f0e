import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Call, optionValue, type Run } from '#cli/command';
import { usageFault } from '#cli/usage';
import { Fault, faultFromSystem } from '#protocol';
import type { WebShell } from '#web/server';

/** Where the built page stands beside the built command line. */
const rendererFolder = join(import.meta.dirname, '..', 'renderer');

/** `stemma serve`: the browser shell on a folder, or on a document and the folder around it. Answers once it is ready; the process then lives until it is told to end. */
export const serve: Run = async (call: Call) => {
  const named = resolve(call.folder, typeof call.positional[0] === 'string' ? call.positional[0] : '.');
  const file = isFile(named) ? basename(named) : null;
  const shell = await start(file === null ? named : dirname(named), portOf(call));
  endWith(shell);
  const url = file === null ? shell.url : `${shell.url}&open=${encodeURIComponent(file)}`;
  if (call.options.open !== false) await openBrowser(url);
  const output = { url, pid: process.pid };
  return { output, print: () => ({ text: `${JSON.stringify(output)}\n` }) };
};

/** A file is shown with the folder that it is in. */
const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

async function start(folder: string, port: number): Promise<WebShell> {
  if (!existsSync(join(rendererFolder, 'index.html'))) throw new Fault('page-missing', { path: rendererFolder });
  const [{ openCore }, { createHost }, { createLocalApi }, { withSocket }, { startWeb }] = await Promise.all([
    import('#core'),
    import('#core/handlers/host'),
    import('#core/handlers/local-api'),
    import('#core/handlers/socket'),
    import('#web/server'),
  ]);
  const open = async (named: string) => {
    const core = await openCore({ folder: named, env: process.env });
    return { ...(await withSocket(createHost(core))), api: createLocalApi(core) };
  };
  return startWeb({ folder, port, rendererFolder, open });
}

function portOf(call: Call): number {
  const text = optionValue(call, 'port');
  if (text === undefined) return 0;
  const port = Number(text);
  if (!/^\d{1,5}$/u.test(text) || port > 65_535) throw usageFault('bad-port', { port: text });
  return port;
}

/** The first SIGTERM or SIGINT ends it in order; a second one ends it at once. */
function endWith(shell: WebShell): void {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const end = () => {
    for (const signal of signals) process.off(signal, end);
    shell.close().catch((error: unknown) => {
      process.stderr.write(`${faultFromSystem(error, '.').message}\n`);
      process.exitCode = 3;
    });
  };
  for (const signal of signals) process.on(signal, end);
}

/** Opens the system's browser; where there is none the address is printed all the same. */
async function openBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [program, ...args] = { darwin: ['open', url], win32: ['rundll32', 'url.dll,FileProtocolHandler', url] }[
    process.platform as string
  ] ?? ['xdg-open', url];
  const child = spawn(program!, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
