import { z } from 'zod';
import type { Acted } from '#protocol/breakdown-calls';
import type { ClaimEntry, ContextEntries, GrantEntry } from '#protocol/context-entry';
import { context, revision, uuid } from '#protocol/input-part';

/** What a face may ask of contexts, and of claims and grants, each with the schema of its input. */
export const contextInputs = {
  'context/list': z.strictObject({}),
  'context/make': z.strictObject({
    name: z.string().max(200),
    parent: z.string().min(1).max(200).nullable(),
    branch: z.string().min(1).max(1000).nullable(),
  }),
  /** What is left out stays. A pin of null takes the selection out, so that the parents decide. */
  'context/change': z.strictObject({
    context: z.string().min(1).max(200),
    parent: z.string().min(1).max(200).nullable().optional(),
    enforcement: z.enum(['greenhouse', 'enforcing']).optional(),
    branch: z.string().min(1).max(1000).nullable().optional(),
    pins: z
      .array(z.strictObject({ object: uuid, chosen: z.union([z.literal('live'), revision]).nullable() }))
      .max(10_000)
      .optional(),
    claims: z.array(uuid).max(10_000).optional(),
  }),
  'context/remove': z.strictObject({ context: z.string().min(1).max(200) }),
  'claim/list': z.strictObject({ context }),
  'grant/list': z.strictObject({}),
  'grant/give': z.strictObject({
    agent: z.string().min(1).max(1000),
    scope: z.array(z.enum(['resolve.accept-newer', 'resolve.waive'])).max(2),
    expires: z.string().max(64),
    idem: uuid,
  }),
  'grant/revoke': z.strictObject({ grant: uuid, idem: uuid }),
} as const;

/** What each call of them answers. */
export interface ContextOutputs {
  'context/list': ContextEntries;
  'context/make':
    | { readonly kind: 'made'; readonly context: string }
    | { readonly kind: 'name-invalid' | 'name-taken' | 'parent-unusable' | 'no-ledger' };
  'context/change': { readonly kind: 'changed' | 'default-enforced' | 'parent-unusable' | 'revision-unknown' | 'no-ledger' };
  'context/remove': { readonly kind: 'removed' | 'default-kept' | 'is-parent' };
  'claim/list': { readonly claims: readonly ClaimEntry[] };
  'grant/list': { readonly grants: readonly GrantEntry[] };
  'grant/give': Acted<'nobody' | 'nothing' | 'no-end' | 'no-ledger'>;
  'grant/revoke': Acted<'unknown' | 'unchanged'>;
}
