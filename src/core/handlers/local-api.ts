import { openAgents } from '#core/agents';
import type { Core } from '#core/core';
import { type Environment, homeFolder } from '#core/home';
import { realDisk } from '#core/storage/disk';
import type { LocalApi } from '#protocol/local-api';

/** The local HTTP API over a core. A read appends no observation (code-anchors §5). */
export function createLocalApi({ anchors, ...core }: Core, env: Environment = process.env): LocalApi {
  const agents = openAgents(realDisk, homeFolder(env));
  return {
    whose: agents.whose,
    breakdown: () => core.breakdown({ all: false, scan: true, observe: false }),
    anchors: async (document) => anchors.list(await anchors.documentOf(document)),
    check: async (document) => anchors.check({ document: await anchors.documentOf(document), observe: false }),
    async add(document, { file, symbol, kind, lines, section, repository }, by) {
      const target =
        symbol === undefined
          ? { kind: 'lines' as const, lines: lines! }
          : { kind: 'declaration' as const, name: symbol, declared: kind ?? null };
      return anchors.add({ document: await anchors.documentOf(document), section, repository, file, target, by });
    },
    confirm: (id, { hash_seen: hashSeen, note }, by) => anchors.confirm({ id, hashSeen, note, by }),
    remove: (id, by) => anchors.remove(id, by),
  };
}
