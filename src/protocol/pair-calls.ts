import { z } from 'zod';
import { contentHash as hash, path, uuid } from '#protocol/input-part';
import type { Outputs } from '#protocol/outputs';

/** What a face may do with paired documents, each with the schema of its input. */
export const pairInputs = {
  /** Ties a technical document to the one that people read. */
  'pair/make': z.strictObject({ technical: path, human: path }),
  /** Pairs as the breakdown that was computed last saw them: those that ask something, or all others. */
  'pair/page': z.strictObject({
    group: z.enum(['waiting', 'fresh']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
    search: z.string().max(200),
  }),
  /** Both documents as they were in step, and as they are. */
  'pair/look': z.strictObject({ pair: uuid }),
  /** *Confirm in step*: `hashes` are those of the texts that were looked at. */
  'pair/confirm': z.strictObject({
    pair: uuid,
    hashes: z.strictObject({ technical: hash, human: hash }),
    note: z.string().max(4096),
    idem: uuid,
  }),
  'pair/remove': z.strictObject({ pair: uuid }),
} as const;

/** A pair as a breakdown saw it. */
export type PairRow = Outputs['breakdown']['pairs'][number];

/** One document of a pair: as it was in step (null: no copy is left) and as it is (null: it is gone). */
export interface PairSideText {
  readonly object: string;
  readonly path: string | null;
  readonly before: string | null;
  readonly now: string | null;
  readonly hash: string | null;
}

/** A pair looked at; `since` and `by` tell who last said that both are in step. */
export interface PairLook extends Omit<PairRow, 'technical' | 'human'> {
  readonly technical: PairSideText;
  readonly human: PairSideText;
  readonly since: string;
  readonly by: string;
}

/** What each call about pairs answers. */
export interface PairOutputs {
  'pair/make': { readonly pair: string };
  'pair/page': { readonly asOf: number; readonly total: number; readonly rows: readonly PairRow[] };
  'pair/look': PairLook;
  'pair/confirm': { readonly changed: boolean };
  'pair/remove': { readonly pair: string };
}
