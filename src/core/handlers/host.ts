import type { Core } from '#core/core';
import { agentHandlers } from '#core/handlers/agent';
import { aiHandlers } from '#core/handlers/ai';
import { anchorHandlers } from '#core/handlers/anchor';
import { appDataHandlers } from '#core/handlers/app-data';
import { breakdownHandlers } from '#core/handlers/breakdown';
import { contextHandlers } from '#core/handlers/context';
import { documentHandlers, settledAs } from '#core/handlers/document';
import { exportHandlers } from '#core/handlers/export';
import { fileHandlers } from '#core/handlers/file';
import { createHeldCode } from '#core/handlers/held-code';
import { historyHandlers } from '#core/handlers/history';
import { journalHandlers } from '#core/handlers/journal';
import { createHeldPairs, pairHandlers } from '#core/handlers/pair';
import { repositoryHandlers } from '#core/handlers/repository';
import { createResting } from '#core/handlers/resting';
import { versionHandlers } from '#core/handlers/version';
import type { Caller, Handlers } from '#protocol/calls';
import { type Announcer, createAnnouncer } from '#protocol/server';

/** The handlers of all calls over one core; what they change for others is announced. */
export function createHandlers(
  core: Core,
  events: Announcer,
  now: () => number = Date.now,
  rested: (path: string) => void = () => {},
): Handlers {
  const code = createHeldCode(core);
  const pairs = createHeldPairs();
  return {
    ...documentHandlers(core, rested),
    ...versionHandlers(core),
    ...fileHandlers(core, events),
    ...breakdownHandlers(core, now, code, pairs),
    ...anchorHandlers(core, code),
    ...pairHandlers(core, pairs),
    ...repositoryHandlers(core, events),
    ...agentHandlers(core),
    ...aiHandlers(core),
    ...contextHandlers(core),
    ...appDataHandlers(core),
    ...historyHandlers(core),
    ...journalHandlers(core),
    ...exportHandlers(),
    'settings/read': async () => core.settings(),
    'settings/write': async ({ key, value }) => {
      const settings = core.writeSetting(key, value);
      events.announce('settings-changed', { settings });
      return settings;
    },
  };
}

/** A core at work for its faces: what it answers, and what it says unasked. */
export interface Host {
  readonly root: string;
  readonly handlers: Handlers;
  readonly events: Announcer;
  /** Waits for the calls that are under way, records what autosave left due, and closes the core as well. */
  close(): Promise<void>;
}

/**
 * Puts a core to work: handlers over it, and its files followed from now on. Without `follows` nothing is looked at
 * before somebody asks.
 */
export function createHost(core: Core, { follows = true } = {}): Host {
  const events = createAnnouncer();
  if (!follows)
    return hostOf(
      core,
      events,
      async () => {},
      () => null,
    );
  let unwatched: string | null = null;
  const troubled = (reason: string) => {
    unwatched = reason;
    events.announce('watch-troubled', { reason });
  };
  // A large folder takes a while to be watched, and nobody waits for that.
  const following = core.follow({
    changed: (paths) => events.announce('files-changed', { paths: [...paths] }),
    reconciled: () => {},
    troubled,
  });
  following.catch(() => troubled('unknown'));
  const unfollow = core.followSettings((settings) => events.announce('settings-changed', { settings }));
  const unheard = core.followSettled((due) => events.announce('document-settled', settledAs(due)));
  const unshared = core.followSharing((shared) => events.announce('workspace-shared', { shared }));
  return hostOf(
    core,
    events,
    async () => {
      unfollow();
      unshared();
      await following.catch(() => null);
      unheard();
    },
    () => unwatched,
  );
}

/** `unwatched`: why changes may go unseen, for pages that come after it was said. */
function hostOf(core: Core, events: Announcer, unfollow: () => Promise<void>, unwatched: () => string | null): Host {
  const resting = createResting(core);
  // A crash may have left texts that are still to be recorded.
  resting.begin(null);
  const handlers = createHandlers(core, events, Date.now, resting.begin);
  const info = async () => ({ ...(await core.info()), unwatched: unwatched() });
  const calls = countCalls({ ...handlers, 'workspace/info': info });
  return {
    root: core.root,
    handlers: calls.handlers,
    events,
    async close() {
      // Whoever waits for an answer of a model would be waited for.
      core.ai.close();
      await calls.settled();
      resting.stop();
      await core.settle(null).catch(() => undefined);
      await unfollow();
      await core.close();
    },
  };
}

/** The same handlers, and how to wait for the calls that are under way: a save is not left half done. */
function countCalls(handlers: Handlers) {
  const running = new Set<Promise<unknown>>();
  const counted = (handler: (input: never, caller?: Caller) => Promise<unknown>) => (input: never, caller?: Caller) => {
    const call = handler(input, caller);
    running.add(call);
    const done = () => running.delete(call);
    call.then(done, done);
    return call;
  };
  const all = Object.entries(handlers).map(([name, handler]) => [name, counted(handler)]);
  return {
    handlers: Object.fromEntries(all) as Handlers,
    async settled() {
      await Promise.allSettled(running);
    },
  };
}
