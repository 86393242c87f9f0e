import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import type { Wire } from './utility.ts';

// Loaded before the module of a utility process: makes `process.parentPort` (electron.d.ts, `interface ParentPort`) over Node's own channel.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron' || specifier.startsWith('electron/'))
      throw new Error('electron-double: electron in a utility process is not modelled');
    return next(specifier, context);
  },
});
Object.assign(process, { type: 'utility' });

// Taken away from the program, which in Electron has only its port.
const send = process.send!.bind(process);
const tell = (wire: Wire) => void send(wire, () => {});
const ports = new Map<number, ChildPort>();

/** `MessagePortMain` as a utility process has it. */
class ChildPort extends EventEmitter {
  readonly #id: number;
  #waiting: (() => void)[] | null = [];
  constructor(id: number) {
    super();
    this.#id = id;
    ports.set(id, this);
  }
  postMessage(message: unknown, transfer: unknown[] = []): void {
    if (transfer.length > 0) throw new Error('electron-double: ports sent through ports is not modelled');
    if (ports.has(this.#id)) tell({ op: 'port-message', id: this.#id, data: structuredClone(message) });
  }
  start(): void {
    for (const arrive of this.#waiting?.splice(0) ?? []) arrive();
    this.#waiting = null;
  }
  close(): void {
    if (ports.delete(this.#id)) tell({ op: 'port-close', id: this.#id });
  }
  arrive(event: 'message' | 'close', data?: unknown): void {
    const emit = () => void (event === 'message' ? this.emit('message', { data, ports: [] }) : this.emit('close'));
    if (this.#waiting === null || event === 'close') emit();
    else this.#waiting.push(emit);
  }
}

/** "Messages received on this port will be queued up until a handler is registered for this event." */
class ParentPort extends EventEmitter {
  readonly #waiting: object[] = [];
  constructor() {
    super();
    this.on('newListener', (event) => {
      if (event === 'message') setImmediate(() => this.#flush());
    });
  }
  postMessage(message: unknown): void {
    tell({ op: 'message', data: structuredClone(message), ports: [] });
  }
  arrive(event: object): void {
    this.#waiting.push(event);
    if (this.listenerCount('message') > 0) this.#flush();
  }
  #flush(): void {
    for (const event of this.#waiting.splice(0)) this.emit('message', event);
  }
}

const parentPort = new ParentPort();
Object.assign(process, { parentPort, send: undefined });
process.on('message', (wire: Wire) => {
  if (wire.op === 'message') return parentPort.arrive({ data: wire.data, ports: wire.ports.map((id) => new ChildPort(id)) });
  const port = ports.get(wire.id);
  if (wire.op === 'port-message') return port?.arrive('message', wire.data);
  ports.delete(wire.id);
  return port?.arrive('close');
});
// The main process of Electron takes its children with it.
process.on('disconnect', () => process.exit(0));
