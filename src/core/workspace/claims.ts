import { findContext, lensThrough, readContexts } from '#core/workspace/context';
import type { Workspace } from '#core/workspace/workspace';
import { currentClaims, fedClaims } from '#kernel/claim';
import type { ClaimEntry } from '#protocol/context-entry';

/** Every claim as it stands, by its id, with whether a context shows it and whether its checks are given it. */
export function listClaims({ disk, vmark, replica }: Workspace, context: string | undefined): ClaimEntry[] {
  const { facts } = replica.reading;
  const contexts = readContexts(disk, vmark);
  const { visibleClaims } = lensThrough(contexts, findContext(contexts, context));
  const visible = new Set(visibleClaims);
  const fed = new Set(fedClaims(facts, visibleClaims).map(({ claim }) => claim));
  return currentClaims(facts).map(({ claim, entry, value, contested }) => ({
    claim,
    entry,
    statement: value.statement,
    maturity: value.maturity,
    validAt: value.valid_at,
    invalidAt: value.invalid_at,
    establishedBy: value.established_by.map(({ object, revision }) => ({ object, path: facts.pathOf(object), revision })),
    contested,
    visible: visible.has(claim),
    fed: fed.has(claim),
  }));
}
