import { join } from 'node:path';
import { type Agents, unnamedAgent } from '#core/agents';
import type { AnchorDesk } from '#core/anchors/desk';
import type { Asker } from '#core/anchors/work';
import { documentPlace, filePlace } from '#core/workspace/agent-place';
import type { Workspace } from '#core/workspace/workspace';
import type { Uuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';
import type { CallInput } from '#protocol/calls';

/** What a server for agents asks about code anchors. Nothing but `add` and `confirm` writes; both under the name of the agent's token. */
export interface AgentAnchors {
  list(path: string | null): Promise<Outputs['anchors-list']>;
  check(path: string | null): Promise<Outputs['anchors-check']>;
  declarations(file: string): Promise<Outputs['declarations']>;
  add(request: CallInput<'agent/anchor-add'>): Promise<Outputs['anchors-add']>;
  confirm(request: CallInput<'agent/anchor-confirm'>): Promise<Outputs['anchors-confirm']>;
}

/** Names of agents start at the top of the workspace, wherever the core's do, and lead to nothing outside. */
export function agentAnchors(workspace: Workspace, anchors: AnchorDesk, agents: Agents): AgentAnchors {
  const document = (named: string) => join(workspace.root, documentPlace(workspace, named));
  const file = (named: string) => join(workspace.root, filePlace(workspace, named));
  const ofDocument = (named: string | null) => (named === null ? null : document(named));
  return {
    list: async (path) => anchors.list(ofDocument(path)),
    check: async (path) => anchors.check({ document: ofDocument(path), observe: false }),
    declarations: async (named) => anchors.declarations(file(named), null),
    async add({ path, section, file: named, target, credential }) {
      const by = askerOf(agents, credential);
      return anchors.add({ document: document(path), section, repository: null, file: file(named), target, by });
    },
    async confirm({ id, hashSeen, note, credential, idem }) {
      return anchors.confirm({ id, hashSeen, note, by: askerOf(agents, credential), idem: idem as Uuid });
    },
  };
}

/** Never a person; a token that is nobody's is said, and nothing is recorded under another name. */
function askerOf(agents: Agents, credential: string | null): Asker {
  if (credential === null) return { type: 'external', id: unnamedAgent };
  const name = agents.whose(credential);
  if (name === null) throw new Fault('agent-unknown', {});
  return { type: 'external', id: name };
}
