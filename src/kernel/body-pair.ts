import { type AnchorActor, anchorActorOf, anchorNoteCap, writeActor } from '#kernel/body-anchor';
import { fits, hashOf, isJson, type Json, optionalText, type Sizes, uuidOf } from '#kernel/body-field';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** The two documents of a pair. */
export const pairSides = ['technical', 'human'] as const;
/** One of `pairSides`. */
export type PairSide = (typeof pairSides)[number];

/** The contents of both documents at one moment, as they are hashed and stored. */
export type PairHashes = Readonly<Record<PairSide, ContentHash>>;

/** Two documents that say the same, one for those who build and one for those who use (code-anchors §6). */
export interface DocumentPair {
  readonly pair: Uuid;
  readonly technical: Uuid;
  readonly human: Uuid;
  readonly hashes: PairHashes;
  readonly actor: AnchorActor;
}

/** Somebody looked at both and said that they are in step: what was seen is what they are held against from then on. */
export interface DocumentPairConfirmation {
  readonly pair: Uuid;
  readonly hashes: PairHashes;
  readonly note: string;
  readonly actor: AnchorActor;
}

/** A pair taken apart, for good. */
export interface DocumentPairRemoval {
  readonly pair: Uuid;
  readonly actor: AnchorActor;
}

/** The pair, or why it is malformed. */
export function readDocumentPair(raw: Json, sizes: Sizes): DocumentPair | string {
  const [pair, technical, human] = [uuidOf(raw.pair), uuidOf(raw.technical), uuidOf(raw.human)];
  if (pair === null || technical === null || human === null) return 'the pair or a document is not a UUID';
  const hashes = hashesOf(raw.hashes);
  if (hashes === null) return 'a content is not named by its hash';
  const actor = anchorActorOf(raw.actor, sizes);
  return actor === null ? 'the actor is not valid' : { pair, technical, human, hashes, actor };
}

/** The pair as it is written. */
export function writeDocumentPair({ pair, technical, human, hashes, actor }: DocumentPair): Json {
  return { pair, technical, human, hashes: writeHashes(hashes), actor: writeActor(actor) };
}

/** The confirmation, or why it is malformed. */
export function readDocumentPairConfirmation(raw: Json, sizes: Sizes): DocumentPairConfirmation | string {
  const pair = uuidOf(raw.pair);
  if (pair === null) return 'the pair is not a UUID';
  const hashes = hashesOf(raw.hashes);
  if (hashes === null) return 'a content is not named by its hash';
  const note = optionalText(raw.note);
  if (note === undefined || (note !== null && !fits(note, anchorNoteCap, sizes))) return 'the note is not text, or too long';
  const actor = anchorActorOf(raw.actor, sizes);
  return actor === null ? 'the actor is not valid' : { pair, hashes, note: note ?? '', actor };
}

/** The confirmation as it is written. */
export function writeDocumentPairConfirmation({ pair, hashes, note, actor }: DocumentPairConfirmation): Json {
  return { pair, hashes: writeHashes(hashes), note, actor: writeActor(actor) };
}

/** The removal, or why it is malformed. */
export function readDocumentPairRemoval(raw: Json, sizes: Sizes): DocumentPairRemoval | string {
  const pair = uuidOf(raw.pair);
  if (pair === null) return 'the pair is not a UUID';
  const actor = anchorActorOf(raw.actor, sizes);
  return actor === null ? 'the actor is not valid' : { pair, actor };
}

/** The removal as it is written. */
export function writeDocumentPairRemoval({ pair, actor }: DocumentPairRemoval): Json {
  return { pair, actor: writeActor(actor) };
}

function hashesOf(value: unknown): PairHashes | null {
  if (!isJson(value)) return null;
  const [technical, human] = [hashOf(value.technical), hashOf(value.human)];
  return technical === null || human === null ? null : { technical, human };
}

const writeHashes = ({ technical, human }: PairHashes): Json => ({ technical, human });

/** Which of two documents moved ahead of what they are held against; none: they are in step. */
export function aheadOf(held: PairHashes, now: Readonly<Record<PairSide, ContentHash | null>>): readonly PairSide[] {
  return pairSides.filter((side) => now[side] !== null && now[side] !== held[side]);
}

/** The side that is to be looked at: the one that stayed behind; of two that changed, or of what is left, the technical one if it is there. */
export function behindSide({ ahead, gone }: { readonly ahead: readonly PairSide[]; readonly gone: readonly PairSide[] }): PairSide {
  if (gone.length > 0) return gone.includes('technical') ? 'human' : 'technical';
  return ahead[0] === 'technical' && ahead.length === 1 ? 'human' : 'technical';
}
