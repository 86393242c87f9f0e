import { digest } from '#core/digest';
import { type Acted, act, actedEarlier, isBlank } from '#core/workspace/act';
import { personName } from '#core/workspace/person';
import { hasLedger } from '#core/workspace/place';
import { entryLine } from '#core/workspace/version';
import type { Workspace } from '#core/workspace/workspace';
import { type Grant, type GrantScope, grants } from '#kernel/delegation';
import { parseLine } from '#kernel/entry';
import { formatInstant, parseInstant } from '#kernel/instant';
import type { Uuid } from '#kernel/uuid';
import type { GrantEntry } from '#protocol/context-entry';

/** What a person allows an agent, until when. */
export interface Granting {
  /** Who the agent's token says it is. */
  readonly agent: string;
  readonly scope: readonly GrantScope[];
  /** RFC 3339, and still to come: no grant is for ever. */
  readonly expires: string;
  readonly idem?: Uuid;
}

/** `nobody`: the agent has no name; `nothing`: no scope; `no-end`: the expiry is no time that is to come; `no-ledger`: there is nothing to decide. Nothing was recorded then. */
export type Granted = Acted | { readonly kind: 'nobody' | 'nothing' | 'no-end' | 'no-ledger' };

/** Records a grant. The caller holds the lock. */
export async function giveGrant(workspace: Workspace, { agent, scope, expires, idem }: Granting): Promise<Granted> {
  const earlier = await actedEarlier(workspace, idem);
  if (earlier !== null) return earlier;
  if (!hasLedger(workspace.disk, workspace.root)) return { kind: 'no-ledger' };
  const now = workspace.chance.now();
  const end = parseInstant(expires);
  if (isBlank(agent)) return { kind: 'nobody' };
  if (scope.length === 0) return { kind: 'nothing' };
  if (end === null || end <= now) return { kind: 'no-end' };
  const body = {
    delegation: workspace.chance.newId(now),
    actor: { type: 'human', id: await personName(workspace) } as const,
    delegate: { type: 'external', id: agent.toWellFormed() },
    scope: [...new Set(scope)].sort(),
    expires: formatInstant(end),
    supersedes: null,
  };
  return act(workspace, { kind: 'delegation', body, subjects: [] }, idem);
}

/** `unknown`: there is no such grant; `unchanged`: it allows nothing any more. */
export type Revoked = Acted | { readonly kind: 'unknown' | 'unchanged' };

/** Takes a grant back: an entry with the same grant and an empty scope. The caller holds the lock. */
export async function revokeGrant(workspace: Workspace, { grant, idem }: { grant: string; idem?: Uuid }): Promise<Revoked> {
  const earlier = await actedEarlier(workspace, idem);
  if (earlier !== null) return earlier;
  const now = workspace.chance.now();
  const standing = grants(workspace.replica.reading.facts, now).find((one) => one.grant === grant);
  if (standing === undefined) return { kind: 'unknown' };
  if (standing.state !== 'live') return { kind: 'unchanged' };
  const { delegate, expires } = standing.value;
  const body = {
    delegation: grant,
    actor: { type: 'human', id: await personName(workspace) } as const,
    delegate: { type: 'external', id: delegate.id },
    scope: [],
    expires,
    supersedes: standing.entry as Uuid,
  };
  return act(workspace, { kind: 'delegation', body, subjects: [] }, idem);
}

/** Every grant, the newest first, with what was resolved under it. */
export function listGrants(workspace: Workspace): GrantEntry[] {
  const { facts } = workspace.replica.reading;
  const resolved = resolvedUnder(workspace);
  return grants(facts, workspace.chance.now()).map((grant) => grantEntry(grant, resolved.get(grant.grant) ?? []));
}

function grantEntry({ grant, given, value, state }: Grant, resolved: GrantEntry['resolved']): GrantEntry {
  const { delegate, scope, expires, actor } = value;
  return { grant, agent: delegate.id, scope: [...scope], expires, state, by: actor?.id ?? null, at: formatInstant(given), resolved };
}

/** What agents resolved, by the grant that they named; other programs may name one of its entries instead. */
function resolvedUnder({ replica }: Workspace): Map<string, GrantEntry['resolved'][number][]> {
  const { graph, facts } = replica.reading;
  const found = new Map<string, GrantEntry['resolved'][number][]>();
  for (let resolution = 0; resolution < graph.resolutionDelegated.length; resolution++) {
    if (graph.resolutionDelegated.at(resolution) === 0) continue;
    const read = parseLine(entryLine({ replica }, graph.resolutionEntry.at(resolution)), digest);
    if (read.kind !== 'entry' || (read.entry.kind !== 'ratification' && read.entry.kind !== 'waiver')) continue;
    const { time, kind, body } = read.entry;
    const named = body.delegation ?? '';
    const grant = facts.delegations.get(named)?.value.delegation ?? named;
    const all = found.get(grant) ?? [];
    all.push({ edge: body.edge, kind, at: time, reason: body.reason });
    found.set(grant, all);
  }
  for (const all of found.values()) all.sort((a, b) => (a.at < b.at ? -1 : 1));
  return found;
}
