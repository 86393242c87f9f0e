import { join } from 'node:path';
import { type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron';
import { Fault, fromReply } from '#protocol';
import type { FallbackAddress } from '#protocol/desktop';
import { type Reply, toReply } from '#protocol/reply';
import type { FromCore, ToCore } from './core-message.ts';
import { restartAfter } from './restart.ts';
import { answerSecret } from './vault.ts';

const entry = join(import.meta.dirname, 'core-process.js');
/** How long a core may take to finish its work and end, in ms, before it is ended. */
const closePatience = 5000;

/** What the keeper of a core is told. */
export interface CoreEvents {
  /** The workspace was found at `root`; said after every start. */
  opened(root: string): void;
  /** A new core runs after a death: every window needs a new port. */
  restarted(): void;
  /** The folder cannot be opened; no core runs. */
  failed(reply: Reply<never>): void;
  /** Core died too often; none runs until `start` is called. */
  givenUp(): void;
}

/** A core in a process of its own, started again when it dies. */
export interface CoreHost {
  /** Starts a core where none runs. */
  start(): void;
  /** Gives core the end of a window's channel. Without a running core it is closed: the window gets a new one after the restart. */
  connect(windowId: number, port: MessagePortMain): void;
  /** The loopback carrier of this core, made at the first wish. Fails as `core-restarted` when core dies before it answers. */
  fallback(): Promise<FallbackAddress>;
  /** Lets core finish what it does, then ends it for good. */
  close(): Promise<void>;
}

/** Makes the host of the workspace in `folder`; nothing runs yet. */
export function createCoreHost(folder: string, events: CoreEvents): CoreHost {
  const asked = new Map<number, PromiseWithResolvers<FallbackAddress>>();
  let running: UtilityProcess | null = null;
  let deaths: number[] = [];
  let isClosed = false;
  let hasFailed = false;
  let pause: NodeJS.Timeout | undefined;

  const say = (message: ToCore, ports: MessagePortMain[] = []) => running?.postMessage(message, ports);
  const launch = () => {
    const started = utilityProcess.fork(entry, [folder], { serviceName: 'Stemma core', stdio: 'inherit' });
    running = started;
    hasFailed = false;
    started.on('message', (message: FromCore) => hear(message));
    started.once('exit', () => {
      if (running === started) ended();
    });
  };
  const hear = (message: FromCore) => {
    if (message.kind === 'opened') events.opened(message.root);
    else if (message.kind === 'failed') {
      hasFailed = true;
      events.failed(message.reply);
    } else if (message.kind === 'secret') {
      void toReply(async () => answerSecret(message.ask)).then((reply) => say({ kind: 'secret', id: message.id, reply }));
    } else settle(asked, message.id, message.reply);
  };
  const ended = () => {
    running = null;
    for (const { reject } of asked.values()) reject(new Fault('core-restarted', {}));
    asked.clear();
    if (isClosed || hasFailed) return;
    deaths = [...deaths.slice(-10), performance.now()];
    const next = restartAfter(deaths);
    if (next.kind === 'give-up') return events.givenUp();
    pause = setTimeout(() => {
      launch();
      events.restarted();
    }, next.pause);
  };

  return {
    start() {
      if (running !== null || isClosed) return;
      const isFirst = deaths.length === 0 && !hasFailed;
      deaths = [];
      launch();
      if (!isFirst) events.restarted();
    },
    connect(windowId, port) {
      if (running === null) port.close();
      else say({ kind: 'port', windowId }, [port]);
    },
    fallback() {
      if (running === null) return Promise.reject(new Fault('core-restarted', {}));
      const waiting = Promise.withResolvers<FallbackAddress>();
      const id = asked.size === 0 ? 1 : Math.max(...asked.keys()) + 1;
      asked.set(id, waiting);
      say({ kind: 'fallback', id });
      return waiting.promise;
    },
    async close() {
      isClosed = true;
      clearTimeout(pause);
      if (running !== null) await end(running);
    },
  };
}

function settle(asked: Map<number, PromiseWithResolvers<FallbackAddress>>, id: number, reply: Reply<FallbackAddress>): void {
  const waiting = asked.get(id);
  asked.delete(id);
  try {
    waiting?.resolve(fromReply(reply));
  } catch (error) {
    waiting?.reject(error);
  }
}

function end(core: UtilityProcess): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const impatience = setTimeout(() => core.kill(), closePatience);
  core.once('exit', () => {
    clearTimeout(impatience);
    ended.resolve();
  });
  core.postMessage({ kind: 'close' } satisfies ToCore);
  return ended.promise;
}
