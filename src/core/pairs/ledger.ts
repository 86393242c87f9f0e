import type { PairHashes } from '#kernel/body-pair';
import { type Facts, isNewer } from '#kernel/facts';
import type { Uuid } from '#kernel/uuid';

/** A pair as the ledger has it. */
export interface KnownPair {
  readonly id: Uuid;
  readonly technical: Uuid;
  readonly human: Uuid;
  /** What both were when somebody last said that they are in step. */
  readonly held: PairHashes;
  readonly since: number;
  /** Who said so, by name. */
  readonly by: string;
}

/** Every pair that was not taken apart, by id. */
export function knownPairs(facts: Facts): KnownPair[] {
  const ids = [...facts.pairs.keys()].filter((id) => !facts.pairRemovals.has(id)).sort();
  return ids.map((id) => knownPair(facts, id)!);
}

/** One pair, or null where there is none, or it was taken apart. */
export function knownPair(facts: Facts, id: string): KnownPair | null {
  const made = facts.pairs.get(id);
  if (made === undefined || facts.pairRemovals.has(id)) return null;
  const confirmed = facts.pairConfirmations.get(id);
  const newest = confirmed !== undefined && isNewer(confirmed, made) ? confirmed : made;
  const { technical, human } = made.value;
  return { id: id as Uuid, technical, human, held: newest.value.hashes, since: newest.time, by: newest.value.actor.id };
}
