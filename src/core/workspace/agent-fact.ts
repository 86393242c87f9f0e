import { join } from 'node:path';
import { readIfThere } from '#core/storage/disk';
import { defaultContext } from '#core/workspace/breakdown-row';
import { visibleClaims } from '#core/workspace/context';
import type { Workspace } from '#core/workspace/workspace';
import type { Claim } from '#kernel/body-check';
import { type Dated, isNewer } from '#kernel/facts';
import type { AgentOutputs } from '#protocol/agent-calls';

type ContextLine = AgentOutputs['agent/contexts']['contexts'][number];

/** The newest statement of every claim, retired ones too. A pure read. */
export function agentClaims({ disk, vmark, replica }: Workspace): AgentOutputs['agent/claims'] {
  const newest = new Map<string, Dated<Claim>>();
  for (const dated of replica.reading.facts.claims.values()) {
    const other = newest.get(dated.value.claim);
    if (other === undefined || isNewer(dated, other)) newest.set(dated.value.claim, dated);
  }
  const visible = new Set(visibleClaims(disk, vmark));
  const claims = [...newest.values()].map(({ id, value }) => {
    const { claim, statement, maturity, valid_at, invalid_at } = value;
    return { claim, entry: id, statement, maturity, valid_at, invalid_at, visible: visible.has(claim) };
  });
  return { claims: claims.sort((a, b) => (a.claim < b.claim ? -1 : 1)) };
}

/** The most manifests that are listed. */
const contextLimit = 1000;

/** The contexts by their manifests, the default one first, whether it has a manifest or not. A pure read. */
export function agentContexts(workspace: Workspace): AgentOutputs['agent/contexts'] {
  const names = manifestNames(workspace).slice(0, contextLimit);
  const others = names.filter((name) => name !== defaultContext.name).map((name) => contextOf(workspace, name));
  return { contexts: [contextOf(workspace, defaultContext.name), ...others] };
}

function manifestNames({ disk, vmark }: Workspace): string[] {
  try {
    const entries = disk.readdirSync(join(vmark, 'contexts'), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && /^[^.].*\.json$/u.test(entry.name));
    return files.map(({ name }) => name.slice(0, -'.json'.length)).sort();
  } catch {
    // Without a ledger there are no manifests.
    return [];
  }
}

function contextOf({ disk, vmark }: Workspace, name: string): ContextLine {
  const isDefault = name === defaultContext.name;
  const { id, enforcement } = isDefault ? defaultContext : { id: null, enforcement: 'greenhouse' };
  const bare = { id, name, parent: null, enforcement, visible_claims: 0, errors: [] };
  try {
    const text = readIfThere(disk, join(vmark, 'contexts', `${name}.json`))?.toString('utf8');
    if (text === undefined) return bare;
    const manifest = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const said = (field: string) => (typeof manifest[field] === 'string' ? (manifest[field] as string) : null);
    return {
      ...bare,
      id: said('id') ?? id,
      parent: said('parent'),
      enforcement: said('enforcement') ?? enforcement,
      visible_claims: Array.isArray(manifest.visible_claims) ? manifest.visible_claims.length : 0,
    };
  } catch {
    return { ...bare, errors: ['context-unreadable'] };
  }
}
