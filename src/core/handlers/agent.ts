import type { Core } from '#core/core';
import { realDisk } from '#core/storage/disk';
import { isFolder } from '#core/workspace/place';
import { Fault } from '#protocol';
import type { Handlers } from '#protocol/calls';

/** What servers for agents ask. Where provenance is off and there is no ledger nothing is scanned, and that is said as the scan's reason. */
export function agentHandlers(core: Core) {
  const { agents, agentAnchors } = core;
  return whileThere(core.root, {
    'agent/list': ({ under }) => agents.list(under),
    'agent/search': ({ query, under }) => agents.search(query, under),
    'agent/read': ({ path }) => agents.read(path),
    'agent/outline': ({ path }) => agents.outline(path),
    'agent/write': (request) => agents.write(request),
    'agent/status': () => core.status(),
    'agent/edges': async ({ context }) => {
      const { setting, initialized } = await core.info();
      const isOff = setting === 'off' && !initialized;
      const answer = await core.breakdown({ all: false, scan: !isOff, ...(context === null ? {} : { context }) });
      return isOff ? { ...answer, scan: { ...answer.scan, reason: 'provenance-off' as const } } : answer;
    },
    'agent/claims': () => agents.claims(),
    'agent/contexts': () => agents.contexts(),
    'agent/anchors': ({ path }) => agentAnchors.list(path),
    'agent/anchor-check': ({ path }) => agentAnchors.check(path),
    'agent/declarations': ({ file }) => agentAnchors.declarations(file),
    'agent/anchor-add': (request) => agentAnchors.add(request),
    'agent/anchor-confirm': (request) => agentAnchors.confirm(request),
  } satisfies Partial<Handlers>);
}

/** A workspace that was deleted or moved away is said to be gone: a write would make a folder there that nobody asked for. */
function whileThere<Some extends Partial<Handlers>>(root: string, handlers: Some): Some {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    const guard = async (input: never) => {
      if (!isFolder(realDisk, root)) throw new Fault('folder-missing', { path: root });
      return (handler as (input: never) => Promise<unknown>)(input);
    };
    return [name, guard];
  });
  return Object.fromEntries(guarded) as Some;
}
