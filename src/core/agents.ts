import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { type Disk, makeFolder, readIfThere, writeAtomic } from '#core/storage/disk';
import { Fault, faultFromSystem } from '#protocol';

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
  const keep = (agents: readonly KeptAgent[]) => writeAgents(disk, folder, file, agents);
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
  try {
    const text = readIfThere(disk, file)?.toString('utf8');
    const { agents } = text === undefined ? { agents: [] } : (JSON.parse(text) as { agents?: unknown });
    if (Array.isArray(agents) && agents.every(isAgent)) return agents;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw faultFromSystem(error, file);
  }
  throw new Fault('settings-unreadable', { path: file });
}

function isAgent(value: unknown): value is KeptAgent {
  const { name, created, removed, hash: kept } = (value ?? {}) as Partial<Record<keyof KeptAgent, unknown>>;
  const isRemoved = removed === null || typeof removed === 'string';
  return typeof name === 'string' && typeof created === 'string' && isRemoved && typeof kept === 'string' && /^[0-9a-f]{64}$/.test(kept);
}

/** Mode 0600: names are no secret, but who may be added is this user's to say. */
function writeAgents(disk: Disk, folder: string, file: string, agents: readonly KeptAgent[]): void {
  const text = `${JSON.stringify({ agents }, null, 2)}\n`;
  const owner = { mode: 0o600, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  try {
    makeFolder(disk, folder);
    writeAtomic(disk, file, Buffer.from(text, 'utf8'), `${file}.${randomBytes(6).toString('hex')}.new`, owner);
  } catch (error) {
    throw faultFromSystem(error, file);
  }
}
