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

interface Target {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close' | 'error', listener: () => void): void;
  close(): void;
}

interface MessagePortLike extends Target {
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

interface WebSocketLike extends Target {
  readonly readyState: number;
  send(text: string): void;
}

/** A MessagePort of a page, a worker or `node:worker_threads`. */
export function portFromMessagePort(port: MessagePortLike): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      port.addEventListener('message', ({ data }) => listener(data));
      port.start();
    },
    onClose: (listener) => port.addEventListener('close', once(listener)),
    close: () => port.close(),
  };
}

/** A MessagePortMain of Electron, in its main process or a utility process. */
export function portFromMessagePortMain(port: MessagePortMainLike): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', ({ data }) => listener(data));
      port.start();
    },
    onClose: (listener) => void port.on('close', once(listener)),
    close: () => port.close(),
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
    onMessage: (listener) => socket.addEventListener('message', ({ data }) => listener(parsed(data))),
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
