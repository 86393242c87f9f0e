import { z } from 'zod';
import { incompleteReasons } from '#protocol/state';

/** A whole number from zero. */
export const count = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER).meta({ id: 'count' });

/** A UUID in its written form. */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .meta({ id: 'uuid' });

/** The id of a revision. */
export const revisionId = z
  .string()
  .regex(/^rev1:[0-9a-f]{64}$/)
  .meta({ id: 'revision' });

/** The hash of a content. */
export const contentHash = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ id: 'content-hash' });

/** A display name: 1 + the longest path to a root. */
export const label = z
  .string()
  .regex(/^v[1-9][0-9]*$/)
  .meta({ id: 'label' });

/** A path inside the workspace, relative to it, with `/`. */
export const path = z
  .string()
  .regex(/^(?!\/)(?![A-Za-z]:[\\/])(?!(?:.*\/)?\.\.(?:\/|$))[^\0\n\r]+$/)
  .describe('Relative to the workspace, with /.')
  .meta({ id: 'path' });

/** A moment as RFC 3339; ours are in UTC with milliseconds. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/)
  .describe('RFC 3339.')
  .meta({ id: 'time' });

/** A stable word of an open list: codes and reasons. */
export const word = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

/** How certain it is that a write rests on what it names. */
export const confidence = z.enum(['exact', 'inferred', 'unknown']);

/** How a document was read: `direct` makes an edge, `contextual` does not. */
export const role = z.enum(['direct', 'contextual']);

/** A document by its id, and where it is or was last. */
export const documentRef = z.strictObject({ object: uuid, path: path.nullable() }).meta({ id: 'document' });

/** A revision with its display name; null when the revision is in no entry. */
export const revisionRef = z.strictObject({ revision: revisionId, label: label.nullable() }).meta({ id: 'labelled-revision' });

/** A finding that stops nothing. `path` names a file, or a place in the ledger, or nothing. */
export const diagnostic = z.strictObject({ code: word, message: z.string(), path: z.string().nullable() }).meta({ id: 'diagnostic' });

/** Why `complete` is false; absent when it is true. */
export const reason = z.enum(incompleteReasons).optional().describe('Why the answer is incomplete; absent when it is complete.');

/** How many rows stand in each state. `silenced` counts the rows that ask nothing. */
export const counts = z
  .strictObject({
    fresh: count.optional().describe('Only with --all.'),
    'version-stale': count,
    diverged: count,
    'diverged-multi-head': count,
    waived: count,
    unpinnable: count,
    'anchor-lost': count,
    'parallel-versions': count,
    'finished-changed': count,
    silenced: count,
    stale: count.describe('Code anchors.'),
    'moved-renamed': count.describe('Code anchors.'),
    lost: count.describe('Code anchors.'),
    'pair-ahead': count.describe('Pairs of documents.'),
  })
  .meta({ id: 'counts' });
