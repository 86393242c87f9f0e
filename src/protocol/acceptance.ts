import { z } from 'zod';
import { uuid } from '#protocol/input-part';

/** What makes an edge to a document that was read, or (`contextual`) only says that it was shown. */
export const inputRole = z.enum(['direct', 'contextual']);

/** A document at the revision at which it was read. */
export const pinnedInput = z.strictObject({
  object: uuid,
  path: z.string().min(1).max(4096),
  revision: z.string().regex(/^rev1:[0-9a-f]{64}$/),
  role: inputRole,
});

/** Text of a model that the writer took: the answer that it is of, what that rests on, and what the writer typed before and after (`spec/format.md` §6). */
export const acceptance = z.strictObject({
  id: uuid,
  model: z.string().min(1).max(1000).nullable(),
  kind: z.enum(['genie', 'ai-suggestion']),
  inputs: z.array(pinnedInput).max(512),
  clean: z.boolean(),
  typed: z.boolean(),
});
