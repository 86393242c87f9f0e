import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { readPrivate, writePrivate } from '#core/private-file';
import type { Disk } from '#core/storage/disk';
import { Fault } from '#protocol';

/** An agent that a person gave a name. Its token is known to nobody but the agent; only its hash is kept. */
export interface NamedAgent {
  readonly name: string;
  /** RFC 3339. */
  readonly created: string;
  /** Null while its token is good. A removed agent keeps its name, so that nobody else can take over what was granted to it. */
  readonly removed: string | null;
}

interface KeptAgent extends NamedAgent {
  readonly hash: string;
}

/** The agents of this installation (`spec/interfaces.md` §3), kept in the app data and readable by this user only. */
export interface Agents {
  list(): readonly NamedAgent[];
  /** Makes an agent; its token is answered once and never again. `agent-taken` where the name was ever used. */
  add(name: string): { readonly name: string; readonly token: string };
  /** Ends a token for good; `agent-missing` where there is no such agent. */
  remove(name: string): NamedAgent;
  /** Whose a token is; null where it is nobody's, or its agent was removed. Writes nothing. */
  whose(token: string): string | null;
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;
/** What an agent without a token is called. */
export const unnamedAgent = 'mcp-client';

/** Opens the agents of the app data in `folder`. Nothing is made before one is added. */
export function openAgents(disk: Disk, folder: string, now: () => number = Date.now): Agents {
  const file = join(folder, 'agents.json');
  const read = () => readAgents(disk, file);
  const keep = (agents: readonly KeptAgent[]) => writePrivate(disk, file, { agents });
  const moment = () => new Date(now()).toISOString();
  return {
    list: () => read().map(withoutHash),
    add(asked) {
      const name = asked.trim().normalize('NFC');
      if (!namePattern.test(name) || name.trimEnd() !== name) throw new Fault('agent-name-invalid', { name: asked });
      const agents = read();
      const isTaken = name.toLowerCase() === unnamedAgent || agents.some((agent) => agent.name.toLowerCase() === name.toLowerCase());
      if (isTaken) throw new Fault('agent-taken', { name });
      const token = `stemma_${randomBytes(32).toString('base64url')}`;
      keep([...agents, { name, created: moment(), removed: null, hash: hashOf(token) }]);
      return { name, token };
    },
    remove(name) {
      const agents = read();
      const agent = agents.find((one) => one.name === name.trim().normalize('NFC') && one.removed === null);
      if (agent === undefined) throw new Fault('agent-missing', { name });
      const removed = { ...agent, removed: moment() };
      keep(agents.map((one) => (one === agent ? removed : one)));
      return withoutHash(removed);
    },
    whose(token) {
      const given = Buffer.from(hashOf(token));
      let found: string | null = null;
      // All are compared, so that the time tells nothing of where one was found.
      for (const { hash: kept, name, removed } of read()) {
        const isSame = kept.length === given.length && timingSafeEqual(Buffer.from(kept), given);
        if (isSame && removed === null) found = name;
      }
      return found;
    },
  };
}

const hashOf = (token: string) => hash('sha256', token, 'hex');

const withoutHash = ({ name, created, removed }: KeptAgent): NamedAgent => ({ name, created, removed });

function readAgents(disk: Disk, file: string): readonly KeptAgent[] {
  return readPrivate(disk, file, { agents: [] }, isKept).agents;
}

function isKept(value: unknown): value is { readonly agents: readonly KeptAgent[] } {
  const agents = (value as { agents?: unknown } | null)?.agents;
  return Array.isArray(agents) && agents.every(isAgent);
}

function isAgent(value: unknown): value is KeptAgent {
  const { name, created, removed, hash: kept } = (value ?? {}) as Partial<Record<keyof KeptAgent, unknown>>;
  const isRemoved = removed === null || typeof removed === 'string';
  return typeof name === 'string' && typeof created === 'string' && isRemoved && typeof kept === 'string' && /^[0-9a-f]{64}$/.test(kept);
}
