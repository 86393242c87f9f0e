import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** A manifest as plain data, as a test makes it. */
export interface PlainManifest {
  id: Uuid;
  name: string;
  parent: Uuid | null;
  selections: Record<Uuid, string>;
  enforcement: string;
  visible_claims: string[];
}

/** What a context comes to: pins, claims, and whether its chain of parents could be walked. */
export interface PlainLens {
  selections: Map<Uuid, RevisionId>;
  claims: string[];
  broken: boolean;
}

/** The default context. */
export const nil = '00000000-0000-0000-0000-000000000000' as Uuid;

/** Looks a context up by the letter of vmark.md §8.6, with the default one always there. */
export function plainLens(manifests: readonly PlainManifest[], id: Uuid): PlainLens {
  const chain: PlainManifest[] = [];
  for (let next: Uuid | null = id; next !== null; ) {
    const manifest = manifests.find((one) => one.id === next);
    if (manifest === undefined && next === nil) break;
    if (manifest === undefined || chain.includes(manifest) || chain.length === 16)
      return { selections: new Map(), claims: [], broken: true };
    chain.push(manifest);
    next = manifest.parent;
  }
  const selections = new Map<Uuid, RevisionId>();
  for (const manifest of chain.toReversed()) {
    for (const [object, text] of Object.entries(manifest.selections) as [Uuid, string][]) {
      if (/^rev1:[0-9a-f]{64}$/.test(text)) selections.set(object, text as RevisionId);
      else selections.delete(object);
    }
  }
  return { selections, claims: [...new Set(chain.flatMap((manifest) => manifest.visible_claims))], broken: false };
}
