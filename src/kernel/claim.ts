import type { Claim } from '#kernel/body-check';
import type { Digest } from '#kernel/digest';
import { type Dated, type Facts, isNewer } from '#kernel/facts';
import { parseUuid } from '#kernel/uuid';

/** A claim as it stands now, and the entry that says so. `contested`: several entries stand that none supersedes, of which this is the latest. */
export interface CurrentClaim {
  readonly claim: string;
  readonly entry: string;
  readonly value: Claim;
  readonly contested: boolean;
}

/** Of every claim the entry that no other supersedes, sorted by the claim's id; of several such the latest (vmark.md §8.5). */
export function currentClaims(facts: Facts): CurrentClaim[] {
  return standing(facts.claims, ({ claim }) => claim)
    .map(({ key, all }) => ({ claim: key, entry: all[0]!.id, value: all[0]!.value, contested: all.length > 1 }))
    .sort((a, b) => (a.claim < b.claim ? -1 : 1));
}

/** What an entry of a kind that supersedes others says of that. */
interface Superseding {
  readonly supersedes: string | null;
}

/** The entries that no other names as superseded, under what they are about, the latest first. */
export function standing<T extends Superseding>(
  entries: ReadonlyMap<string, Dated<T>>,
  keyOf: (value: T) => string,
): { key: string; all: Dated<T>[] }[] {
  const superseded = new Set<string>();
  for (const { id, value } of entries.values()) if (value.supersedes !== null && value.supersedes !== id) superseded.add(value.supersedes);
  const found = new Map<string, Dated<T>[]>();
  for (const dated of entries.values()) {
    if (superseded.has(dated.id)) continue;
    const key = keyOf(dated.value);
    const all = found.get(key);
    if (all === undefined) found.set(key, [dated]);
    else all.push(dated);
  }
  return [...found].map(([key, all]) => ({ key, all: all.sort((a, b) => (isNewer(a, b) ? -1 : 1)) }));
}

/** A claim that a check is given: its stable id, and the entry that states it now. */
export interface FedClaim {
  readonly claim: string;
  readonly currentEntry: string;
}

/** The claims that a check is given, by their ids: visible, current, established and not retired. One whose id is no UUID is of no use. */
export function fedClaims(facts: Facts, visible: readonly string[]): FedClaim[] {
  const shown = new Set(visible);
  return currentClaims(facts)
    .filter(({ claim, value }) => shown.has(claim) && parseUuid(claim) !== null && isEstablished(value))
    .map(({ claim, entry }) => ({ claim, currentEntry: entry }));
}

const isEstablished = ({ maturity, invalid_at }: Claim) => maturity === 'established' && invalid_at === null;

/** What tells one set of fed claims from another, whatever their order; without any it is the hash of nothing. */
export function claimsFingerprint(digest: Digest, fed: readonly FedClaim[]): string {
  const lines = fed.map(({ claim, currentEntry }) => `${claim}=${currentEntry}\n`);
  return `sha256:${digest.sha256(lines.sort().join(''))}`;
}
