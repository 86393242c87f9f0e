/** One end of something that carries plain data both ways, in order. Messages wait until somebody listens. */
export interface Port {
  /** Sends; into a port that is closed, nothing. Throws what cannot be carried. */
  post(message: unknown): void;
  /** Called once, by whoever owns this end; from then on messages are delivered. */
  onMessage(listener: (message: unknown) => void): void;
  /** The other end is gone, or this one was closed. Told once. */
  onClose(listener: () => void): void;
  close(): void;
}

// Every library of types has its own events; all of them are objects, and those of messages have `data`.
interface Target<Event extends string> {
  addEventListener(event: Event, listener: (event: object) => void): void;
  close(): void;
}

interface MessagePortLike extends Target<'message' | 'close'> {
  postMessage(message: unknown): void;
  start(): void;
}

interface MessagePortMainLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

interface WebSocketLike extends Target<'message' | 'close' | 'error'> {
  readonly readyState: number;
  send(text: string): void;
}

const dataOf = (event: object): unknown => (event as { data?: unknown }).data;

/** A MessagePort of a page, a worker or `node:worker_threads`. */
export function portFromMessagePort(port: MessagePortLike): Port {
  return withOwnEnd(port, {
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      port.addEventListener('message', (event) => listener(dataOf(event)));
      port.start();
    },
    onClose: (listener) => port.addEventListener('close', listener),
  });
}

/** A MessagePortMain of Electron, in its main process or a utility process. */
export function portFromMessagePortMain(port: MessagePortMainLike): Port {
  return withOwnEnd(port, {
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', ({ data }) => listener(data));
      port.start();
    },
    onClose: (listener) => void port.on('close', listener),
  });
}

/** A message port tells its end to the other side; who closes it here must hear of it as well. */
function withOwnEnd(port: { close(): void }, carrier: Omit<Port, 'close'>): Port {
  const told: (() => void)[] = [];
  return {
    ...carrier,
    onClose(listener) {
      const tell = once(listener);
      told.push(tell);
      carrier.onClose(tell);
    },
    close() {
      port.close();
      for (const tell of told) tell();
    },
  };
}

const socketOpen = 1;

/** A WebSocket that is open, of a page or of `ws`. What arrives and is no JSON is delivered as `undefined`. */
export function portFromWebSocket(socket: WebSocketLike): Port {
  // `ws` throws an error that nobody hears; what follows it is a close, and that is told.
  socket.addEventListener('error', () => {});
  return {
    post: (message) => {
      const text = JSON.stringify(message);
      if (socket.readyState === socketOpen) socket.send(text);
    },
    onMessage: (listener) => socket.addEventListener('message', (event) => listener(parsed(dataOf(event)))),
    onClose: (listener) => socket.addEventListener('close', once(listener)),
    close: () => socket.close(),
  };
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}

// Every place that this runs in has them, and no library of types that all of them share names them.
declare function structuredClone<Value>(value: Value): Value;
declare function queueMicrotask(work: () => void): void;

/** Two ends in one process. Messages are cloned as another process would see them, so that a test fails on what would not survive. */
export function createMemoryPorts(): readonly [Port, Port] {
  const left = createEnd();
  const right = createEnd();
  const close = () => {
    left.closed();
    right.closed();
  };
  const portOf = (own: End, other: End): Port => ({
    post(message) {
      const copy = structuredClone(message);
      queueMicrotask(() => other.deliver(copy));
    },
    onMessage: own.listen,
    onClose: own.onClose,
    close,
  });
  return [portOf(left, right), portOf(right, left)];
}

type End = ReturnType<typeof createEnd>;

function createEnd() {
  const closeListeners: (() => void)[] = [];
  let waiting: unknown[] = [];
  let listener: ((message: unknown) => void) | null = null;
  let isClosed = false;
  return {
    deliver(message: unknown) {
      if (isClosed) return;
      if (listener === null) waiting.push(message);
      else listener(message);
    },
    listen(next: (message: unknown) => void) {
      listener = next;
      for (const message of waiting) next(message);
      waiting = [];
    },
    onClose: (next: () => void) => void closeListeners.push(once(next)),
    closed() {
      isClosed = true;
      queueMicrotask(() => {
        for (const next of closeListeners) next();
      });
    },
  };
}

/** A port may hear of its end twice: its own `close`, and the other end's. */
function once(listener: () => void): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    listener();
  };
}
