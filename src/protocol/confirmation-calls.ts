import { z } from 'zod';
import type { AnchorState } from '#kernel/anchor';

/** What a face may ask about confirmations of code anchors and pairs, each with the schema of its input. */
export const confirmationInputs = {
  /** The part of the coherence log that is about code and pairs (breakdown §4). */
  'coherence/confirmations': z.strictObject({ offset: z.int().min(0), limit: z.int().min(1).max(200) }),
} as const;

interface LoggedDocument {
  readonly object: string;
  readonly path: string | null;
}

/** One confirmation: when, by whom, with what note. Of a code anchor `from` is the state that it was in; of a pair null. */
export interface LoggedConfirmation {
  readonly id: string;
  readonly time: string;
  readonly by: { readonly type: 'human' | 'external'; readonly id: string };
  readonly note: string;
  readonly from: AnchorState | null;
}

/** What was confirmed, with every confirmation of it in reader order; `isGone`: it was removed or taken apart since. */
export type ConfirmationRow = { readonly isGone: boolean; readonly acts: readonly LoggedConfirmation[] } & (
  | {
      readonly kind: 'code';
      readonly anchor: string;
      /** Null where the ledger has no such anchor. */
      readonly document: LoggedDocument | null;
      readonly section: readonly string[];
      /** As it was called when it was confirmed last. */
      readonly declared: { readonly kind: string; readonly qualified_name: string; readonly fallback: boolean };
    }
  | {
      readonly kind: 'pair';
      readonly pair: string;
      /** Null where the ledger has no such pair. */
      readonly documents: { readonly technical: LoggedDocument; readonly human: LoggedDocument } | null;
    }
);

/** What each call about confirmations answers. */
export interface ConfirmationOutputs {
  /** `total`: how many anchors and pairs were ever confirmed; the rows stand by their first confirmation. */
  'coherence/confirmations': { readonly total: number; readonly rows: readonly ConfirmationRow[] };
}
