import { openAgents } from '#core/agents';
import { agentClaims, agentContexts } from '#core/workspace/agent-fact';
import { type Answered, agentList, agentOutline, agentReading } from '#core/workspace/agent-read';
import { agentSearch, type Find } from '#core/workspace/agent-search';
import { agentWrite } from '#core/workspace/agent-write';
import type { Workspace } from '#core/workspace/workspace';
import type { AgentOutputs, AgentReading, AgentWrite } from '#protocol/agent-calls';
import type { CallInput } from '#protocol/calls';

/** What a server for agents asks of a workspace (`spec/interfaces.md` §3). All but `write` are pure reads. */
export interface AgentDesk {
  list(under: string | null): Promise<AgentOutputs['agent/list']>;
  search(query: string, under: string | null): Promise<AgentOutputs['agent/search']>;
  read(path: string): Promise<AgentReading>;
  outline(path: string): Promise<AgentOutputs['agent/outline']>;
  write(request: CallInput<'agent/write'>): Promise<AgentWrite>;
  claims(): Promise<AgentOutputs['agent/claims']>;
  contexts(): Promise<AgentOutputs['agent/contexts']>;
}

/** How it reaches what it shares with the other faces of a core. */
export interface AgentDeskParts {
  /** Takes in what the ledger has, where there is one. */
  refresh(): Promise<void>;
  /** Runs a write under the lock, where there is something to record. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  /** The search of the workspace, over the files as they are now. */
  readonly find: Find;
  /** The last breakdown that was computed here. */
  answered(): Answered | null;
}

/** The desk for agents of a workspace. */
export function agentDesk(workspace: Workspace, { refresh, writing, find, answered }: AgentDeskParts): AgentDesk {
  const { disk, home, chance } = workspace;
  const agents = openAgents(disk, home.folder, () => chance.now());
  // A ledger that cannot be read keeps nobody from a text; whoever asks for the ledger is told.
  const refreshed = () => refresh().catch(() => {});
  return {
    async list(under) {
      await refreshed();
      return agentList(workspace, under);
    },
    async search(query, under) {
      await refreshed();
      return agentSearch(workspace, find, query, under);
    },
    async read(path) {
      await refreshed();
      return agentReading(workspace, path, answered());
    },
    async outline(path) {
      await refreshed();
      return agentOutline(workspace, path);
    },
    write: (request) => writing(() => agentWrite(workspace, request, { agents, answered: answered() })),
    async claims() {
      await refresh();
      return agentClaims(workspace);
    },
    async contexts() {
      await refresh();
      return agentContexts(workspace);
    },
  };
}
