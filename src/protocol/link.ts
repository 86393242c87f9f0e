import type { Client, CoreEvents, EventName } from '#protocol/calls';
import { Fault } from '#protocol/fault';
import type { Port } from '#protocol/port';
import { fromReply, type Reply } from '#protocol/reply';
import type { ShellClient } from '#protocol/shell-calls';

/** The path at which a browser shell takes WebSockets. */
export const socketPath = '/socket';

/** A question on the wire; `id` is chosen by who asks and comes back with the answer. */
export interface Request {
  readonly id: number;
  readonly call: string;
  readonly input: unknown;
}

/** An answer on the wire; `id` null answers what had none that could be read. */
export interface Answer {
  readonly id: number | null;
  readonly reply: Reply<unknown>;
}

/** Something said unasked, on the wire. */
export interface Announcement {
  readonly event: string;
  readonly data: unknown;
}

/** The asking end of a port. */
export interface Link {
  /** Asks core. A fault that core answers is thrown here; `core-restarted` when the port closes before the answer, or was closed. */
  readonly call: Client;
  /** Asks the shell. */
  readonly shell: ShellClient;
  /** Listens to an event; the answer stops listening. */
  on<Name extends EventName>(event: Name, listener: (data: CoreEvents[Name]) => void): () => void;
  /** Told once, when nothing more can be asked here. Calls that were waiting have failed by then. */
  onClose(listener: () => void): void;
  close(): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Makes a link over a port. Messages that are not understood are left alone. */
export function connect(port: Port): Link {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(data: never) => void>>();
  let isClosed = false;
  let last = 0;

  const ask = (call: string, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new Fault('core-restarted', {});
      const id = ++last;
      port.post({ id, call, input } satisfies Request);
      waiting.set(id, { resolve, reject });
    });
  port.onClose(() => {
    isClosed = true;
    const failed = [...waiting.values()];
    waiting.clear();
    for (const { reject } of failed) reject(new Fault('core-restarted', {}));
  });
  port.onMessage((message) => {
    const heard = message as Partial<Answer & Announcement> | null | undefined;
    if (typeof heard?.event === 'string') {
      for (const listener of listeners.get(heard.event) ?? []) listener(heard.data as never);
    } else if (typeof heard?.id === 'number' && heard.reply !== undefined) {
      settle(waiting.get(heard.id), heard.reply);
      waiting.delete(heard.id);
    }
  });
  return {
    call: ask as Client,
    shell: ask as ShellClient,
    on(event, listener) {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
      return () => void known.delete(listener);
    },
    onClose: (listener) => port.onClose(listener),
    close: () => port.close(),
  };
}

function settle(waiting: Waiting | undefined, reply: Reply<unknown>): void {
  try {
    waiting?.resolve(fromReply(reply));
  } catch (error) {
    waiting?.reject(error);
  }
}
