import { EventEmitter } from 'node:events';

/** Who has an end of a channel: this process, a utility process or a page. */
export interface Holder {
  deliver(end: End, data: unknown): void;
  /** The other end is gone. */
  closed(end: End): void;
}

let last = 0;

/** One end of a channel. Whoever holds it, all traffic passes through here; without a holder that has started, messages wait. */
export class End {
  readonly id = ++last;
  other!: End;
  #holder: Holder | null = null;
  #waiting: unknown[] = [];
  #isClosed = false;

  send(data: unknown): void {
    if (!this.#isClosed) this.other.#arrive(data);
  }
  #arrive(data: unknown): void {
    if (this.#isClosed) return;
    if (this.#holder === null) this.#waiting.push(data);
    else this.#holder.deliver(this, data);
  }
  /** Gives the end to a holder, and with it what has arrived. */
  hold(holder: Holder): void {
    this.#holder = holder;
    for (const data of this.#waiting.splice(0)) holder.deliver(this, data);
    if (this.other.#isClosed) holder.closed(this);
  }
  /** Takes the end back from its holder, before it goes elsewhere. */
  release(): void {
    this.#holder = null;
  }
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.other.#holder?.closed(this.other);
  }
}

/** Two ends that belong together. */
export function entangle(): [End, End] {
  const [left, right] = [new End(), new End()];
  left.other = right;
  right.other = left;
  return [left, right];
}

/**
 * `MessagePortMain` (electron.d.ts). "Messages will be queued until this method is called" (`start`); `close` is "emitted when the remote
 * end of a MessagePortMain object becomes disconnected". A port that was transferred cannot be used any more.
 */
export class MessagePortMain extends EventEmitter implements Pick<Electron.MessagePortMain, 'postMessage' | 'start' | 'close'> {
  #end: End | null;
  #isClosed = false;
  constructor(end: End) {
    super();
    this.#end = end;
  }
  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    if (transfer.length > 0) throw new Error('electron-double: ports sent through ports is not modelled');
    const data = structuredClone(message);
    if (this.#end && !this.#isClosed) this.#end.send(data);
  }
  start(): void {
    this.#end?.hold({
      deliver: (_end, data) => setImmediate(() => this.#isClosed || this.emit('message', { data, ports: [] })),
      closed: () => setImmediate(() => this.#isClosed || this.emit('close')),
    });
  }
  close(): void {
    this.#isClosed = true;
    this.#end?.close();
  }
  /** Takes the end out of this object, which is neutered by it. */
  detach(index: number): End {
    const end = this.#end;
    if (end === null || this.#isClosed) throw new Error(`Port at index ${index} is already neutered`);
    end.release();
    this.#end = null;
    return end;
  }
}

/** `MessageChannelMain` (electron.d.ts): two ports that belong together. */
export class MessageChannelMain implements Record<keyof Electron.MessageChannelMain, MessagePortMain> {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;
  constructor() {
    const [left, right] = entangle();
    this.port1 = new MessagePortMain(left);
    this.port2 = new MessagePortMain(right);
  }
}

/** The ends of ports that are transferred; none may be transferred twice. */
export const detachAll = (ports: readonly MessagePortMain[]): End[] => ports.map((port, index) => port.detach(index));
