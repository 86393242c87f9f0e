import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { app } from './app.ts';
import { detachAll, type End, type Holder, type MessagePortMain } from './port.ts';
import { notModelled, strict } from './registry.ts';

const prelude = new URL('./utility-prelude.ts', import.meta.url).href;
const running = new Map<ChildProcess, string>();
process.once('exit', () => {
  for (const child of running.keys()) child.kill('SIGKILL');
});

/** What goes between this process and a utility process, besides the data of messages. */
export type Wire =
  | { readonly op: 'message'; readonly data: unknown; readonly ports: readonly number[] }
  | { readonly op: 'port-message'; readonly id: number; readonly data: unknown }
  | { readonly op: 'port-close'; readonly id: number };

/**
 * `UtilityProcess` (electron.d.ts): "a child process with Node.js integration", here a child process of Node whose `process.parentPort` is
 * made by `utility-prelude.ts`. `exit` tells "the exit code obtained from waitpid": of a signal, its number.
 */
class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly #child: ChildProcess;
  readonly #held = new Map<number, End>();
  readonly #holder: Holder;

  constructor(modulePath: string, args: string[], options: Electron.ForkOptions) {
    super();
    const { stdio = 'inherit', cwd, execArgv = [] } = options;
    const [, out = 'inherit', err = 'inherit'] = typeof stdio === 'string' ? ['ignore', stdio, stdio] : stdio;
    const child = fork(modulePath, args, {
      env: { ...(options.env ?? process.env) },
      ...(cwd === undefined ? {} : { cwd }),
      execArgv: ['--enable-source-maps', ...execArgv, '--import', prelude],
      serialization: 'advanced',
      stdio: ['ignore', out as 'pipe', err as 'pipe', 'ipc'],
    });
    running.set(child, options.serviceName ?? 'Node Utility Process');
    this.#child = child;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#holder = {
      deliver: ({ id }, data) => this.#tell({ op: 'port-message', id, data }),
      closed: ({ id }) => {
        this.#held.delete(id);
        this.#tell({ op: 'port-close', id });
      },
    };
    child.once('spawn', () => {
      this.pid = child.pid;
      this.emit('spawn');
    });
    child.on('message', (heard: Wire) => this.#hear(heard));
    child.once('exit', (code, signal) => this.#ended(code ?? constants.signals[signal!]));
  }
  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    const ends = detachAll(transfer);
    this.#tell({ op: 'message', data: structuredClone(message), ports: ends.map(({ id }) => id) });
    for (const end of ends) {
      this.#held.set(end.id, end);
      end.hold(this.#holder);
    }
  }
  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
  #tell(wire: Wire): void {
    if (this.#child.connected) this.#child.send(wire, () => {});
  }
  #hear(heard: Wire): void {
    if (heard.op === 'message') this.emit('message', heard.data);
    else if (heard.op === 'port-message') this.#held.get(heard.id)?.send(heard.data);
    else {
      this.#held.get(heard.id)?.close();
      this.#held.delete(heard.id);
    }
  }
  #ended(code: number): void {
    running.delete(this.#child);
    for (const end of this.#held.values()) end.close();
    this.#held.clear();
    this.emit('exit', code);
    this.pid = undefined;
  }
}

/** What `app.getAppMetrics` tells of the processes: `serviceName` "will appear in `name` property of `ProcessMetric`". */
app.getAppMetrics = () => [
  { type: 'Browser', pid: process.pid },
  ...[...running].map(([{ pid }, name]) => ({ type: 'Utility', pid: pid!, name })),
];

/** `utilityProcess` (electron.d.ts): "can only be called after the `ready` event has been emitted on `App`". */
export const utilityProcess = strict('utilityProcess', {
  fork(modulePath: string, args: string[] = [], options: Electron.ForkOptions = {}): UtilityProcess {
    app.needReady('utilityProcess.fork()');
    for (const option of ['session', 'partition'] as const) if (options[option]) throw notModelled(`utilityProcess.fork ${option}`);
    return strict('UtilityProcess', new UtilityProcess(modulePath, args, options));
  },
});
