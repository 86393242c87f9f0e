import { openCore } from '#core';
import { dialCore } from '#core/handlers/dial';
import { createHost } from '#core/handlers/host';
import { openSocket } from '#core/handlers/socket';
import type { Environment } from '#core/home';
import { Fault } from '#protocol';
import type { CallInput, CallName, CallOutputs, Client } from '#protocol/calls';
import { connect } from '#protocol/link';
import { createMemoryPorts } from '#protocol/port';
import { serve } from '#protocol/server';

/** A core to ask, wherever it runs. */
export interface CoreLink {
  readonly call: Client;
  close(): Promise<void>;
}

interface Attached extends CoreLink {
  /** Told when nothing more can be asked there. */
  onGone(listener: () => void): void;
}

/**
 * Links to the running core of this installation that serves the folder, else opens the workspace itself, under its lock. When that core
 * ends, the next call finds another or opens the workspace; a call that was under way is asked once more, which a write's idem makes safe.
 */
export async function linkCore(folder: string, env: Environment): Promise<CoreLink> {
  let current: Promise<Attached> | null = null;
  const attached = (): Promise<Attached> => {
    if (current !== null) return current;
    const attaching = attach(folder, env);
    const forget = () => {
      if (current === attaching) current = null;
    };
    current = attaching;
    attaching.then(({ onGone }) => onGone(forget), forget);
    return attaching;
  };
  const call = async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutputs[Name]> => {
    try {
      return await (await attached()).call(name, input);
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'core-restarted')) throw error;
      return (await attached()).call(name, name === 'agent/write' ? { ...input, again: true } : input);
    }
  };
  await attached();
  return {
    call,
    async close() {
      await current?.then(
        (open) => open.close(),
        () => {},
      );
    },
  };
}

async function attach(folder: string, env: Environment): Promise<Attached> {
  const link = await dialCore(folder, env);
  if (link === null) return openHere(folder, env);
  return { call: link.call, onGone: link.onClose, close: async () => link.close() };
}

/** Files are looked at when somebody asks: a server that an agent starts writes nothing unasked. */
async function openHere(folder: string, env: Environment): Promise<Attached> {
  const host = createHost(await openCore({ folder, env }), { follows: false });
  const socket = await openSocket(host, env);
  const [page, served] = createMemoryPorts();
  serve(served, host);
  const { call } = connect(page);
  return {
    call,
    onGone: () => {},
    async close() {
      await socket?.close();
      await host.close();
    },
  };
}
