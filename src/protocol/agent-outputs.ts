import { z } from 'zod';
import { contentHash, count, label, path, revisionId, role, time, uuid, word } from '#protocol/output-part';
import { dropReasons } from '#protocol/state';

const hash = contentHash.describe('Of the content without its id; what `base` wants.');
const revision = revisionId.nullable().describe('The revision that this content is; null where none is recorded yet.');
const object = uuid.nullable().describe('Null where it is not tracked.');

/** How the document stood in the last breakdown that was computed here. */
const coherence = z
  .strictObject({
    as_of: time,
    changed: count.describe('How many of its sources have moved past what it was written from, waived ones not counted.'),
    code: count.describe('How many of its code anchors have something to say.'),
  })
  .nullable()
  .describe('From the last breakdown that was computed; null where none was, or the document is not tracked.');

/** `workspace list`. */
export const listOutput = z.strictObject({
  documents: z.array(z.strictObject({ path, id: object, revision, label: label.nullable(), tracked: z.boolean() })).describe('By path.'),
  total: count,
  truncated: z.boolean().describe('Whether there are more than are listed; name a folder in `path`.'),
});

/** `workspace search`. */
export const searchOutput = z.strictObject({
  query: z.string(),
  hits: z
    .array(
      z.strictObject({
        path,
        hash,
        revision,
        matches: z.array(z.strictObject({ line: z.int().positive(), text: z.string() })),
        more: count.describe('Further matches in this document that are not shown.'),
      }),
    )
    .describe('By path.'),
  truncated: z.boolean().describe('Whether more documents may match than are shown.'),
  skipped: count.describe('Documents that are too large, unreadable or no text.'),
});

/** `document read`. */
export const readOutput = z.strictObject({
  path,
  text: z.string().describe('With LF, without BOM and without its id.'),
  hash,
  id: object,
  revision,
  tracked: z.boolean(),
  coherence,
});

/** `document outline`. */
export const outlineOutput = z.strictObject({
  path,
  hash,
  revision,
  headings: z
    .array(
      z.strictObject({
        level: z.int().min(1).max(6),
        text: z.string(),
        line: z.int().positive(),
        end_line: z.int().positive().describe('The last line of its section.'),
      }),
    )
    .describe('In order. Lines are those of `read`.'),
});

/** `document_write`, every action. */
export const writtenOutput = z.strictObject({
  path,
  hash,
  id: object,
  revision,
  recorded: z.strictObject({
    kind: z
      .enum(['recorded', 'unchanged', 'off', 'failed'])
      .describe('`off`: provenance is off here; `failed`: the file is written, the ledger is not.'),
    entry: uuid.nullable(),
    code: word.nullable().describe('Why it failed.'),
    message: z.string().nullable(),
  }),
  agent: z.strictObject({ type: z.enum(['model', 'external']), id: z.string() }),
  inputs: z.array(z.strictObject({ path, object: uuid, revision: revisionId, role })).describe('What it is recorded to rest on.'),
  left_out: z.array(z.strictObject({ path, reason: z.enum(dropReasons) })).describe('Reads that could not be pinned.'),
  left_out_older: count.describe('Reads beyond the newest 512.'),
});

/** `coherence claims`. */
export const claimsOutput = z.strictObject({
  claims: z
    .array(
      z.strictObject({
        claim: z.string(),
        entry: uuid,
        statement: z.string(),
        maturity: z.enum(['draft', 'established']),
        valid_at: z.string().nullable(),
        invalid_at: z.string().nullable(),
        visible: z.boolean().describe('Whether the default context shows it.'),
      }),
    )
    .describe('The newest statement of each, by claim id; retired ones too.'),
});

/** `coherence contexts`. */
export const contextsOutput = z.strictObject({
  contexts: z
    .array(
      z.strictObject({
        id: z.string().nullable(),
        name: z.string(),
        parent: z.string().nullable(),
        enforcement: z.string(),
        visible_claims: count,
        errors: z.array(word),
      }),
    )
    .describe('The default context first, the others by name.'),
});
