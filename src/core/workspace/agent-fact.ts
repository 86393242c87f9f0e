import { listClaims } from '#core/workspace/claims';
import { contextEntries } from '#core/workspace/context';
import type { Workspace } from '#core/workspace/workspace';
import type { AgentOutputs } from '#protocol/agent-calls';

/** Every claim as it stands, retired ones too. A pure read. */
export function agentClaims(workspace: Workspace): AgentOutputs['agent/claims'] {
  const claims = listClaims(workspace, undefined).map(({ claim, entry, statement, maturity, validAt, invalidAt, visible }) => ({
    claim,
    entry,
    statement,
    maturity,
    valid_at: validAt,
    invalid_at: invalidAt,
    visible,
  }));
  return { claims };
}

/** The most contexts that are listed. */
const contextLimit = 1000;

/** The contexts, the default one first, whether it has a manifest or not; files that are none are told by their errors. A pure read. */
export function agentContexts(workspace: Workspace): AgentOutputs['agent/contexts'] {
  const { contexts, unreadable } = contextEntries(workspace);
  const readable = contexts.map(({ id, name, parent, enforcement, claims, problems }) => ({
    id,
    name,
    parent: parent?.id ?? null,
    enforcement,
    visible_claims: claims.length,
    errors: problems.map(({ code }) => code),
  }));
  const broken = unreadable.map(({ path }) => ({
    id: null,
    name: path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/u, ''),
    parent: null,
    enforcement: 'greenhouse',
    visible_claims: 0,
    errors: ['context-unreadable'],
  }));
  return { contexts: [...readable, ...broken].slice(0, contextLimit) };
}
