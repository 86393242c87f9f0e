import { z } from 'zod';
import { anchorReasons, anchorStates, repositoryProblems } from '#kernel/anchor';
import { count, documentRef, time, uuid } from '#protocol/output-part';
import { budgetLimits } from '#protocol/state';

const line = z.int().positive();

/** A path inside a repository of code, relative to it, with `/`. */
const codePath = z.string().min(1).describe('Relative to the repository, with /.');

const candidate = z
  .strictObject({
    file: codePath,
    kind: z.string(),
    qualified_name: z.string(),
    line_start: line,
    line_end: line,
    similarity: z.number().min(0).max(1).optional().describe('How like its body is, where that was looked at.'),
  })
  .meta({ id: 'candidate' });

/** Why an anchor is in its state, and what is there now (code-anchors §5). */
const anchorDetail = z
  .strictObject({
    reason: z.enum(anchorReasons),
    repository_problem: z
      .enum(repositoryProblems)
      .optional()
      .describe('With `unreadable`: why its linked repository could not be read, where that is known.'),
    file: codePath.describe('Where it is now; of what is lost or was not checked, where it was.'),
    line_start: line.optional(),
    line_end: line.optional(),
    moved_to: codePath.optional(),
    renamed_to: z.string().optional(),
    body_changed: z.boolean().optional(),
    signature_changed: z.boolean().optional(),
    expected_hash: z.string().optional().describe('The hash of the baseline.'),
    actual_hash: z.string().optional().describe('The hash of what is there now: what a confirm says it saw.'),
    candidates: z.array(candidate).optional().describe('Several that are as good; with `ambiguous`.'),
    suggestions: z.array(candidate).optional().describe('What is a little like what is gone, the most like first.'),
  })
  .meta({ id: 'anchor-detail' });

const anchorDocument = documentRef.extend({
  section: z.array(z.string()).describe('A heading path; empty for the whole document.'),
});

const about = z.strictObject({
  id: uuid,
  document: anchorDocument,
  repository: z.string().nullable().describe('The name of a linked repository; null for the workspace itself.'),
  language: z.string().describe('`none` for lines of a file.'),
  kind: z.string(),
  qualified_name: z.string(),
  file_hint: codePath,
  fallback: z.boolean().describe('A range of lines, for want of a declaration.'),
});

/** One anchor as a check saw it. */
export const checkedAnchor = about
  .extend({ state: z.enum(anchorStates).describe('Of what was not checked, the last that was seen.'), detail: anchorDetail })
  .meta({ id: 'checked-anchor' });

const retired = about.extend({
  retired: z.strictObject({ reason: z.string(), by: z.string(), at: time }).describe('Said to describe code that is gone.'),
});

const fallbackShare = z
  .strictObject({ total: count, fallback: count, share: z.number().min(0).max(1) })
  .describe('How many anchors of the whole workspace are ranges of lines: a growing share means noise.')
  .meta({ id: 'fallback-share' });

const budget = z
  .strictObject({
    files_read: count.describe('Files that were really read; the cache spares those that did not change.'),
    bytes_read: count,
    elapsed_ms: count,
    limit: z.enum(budgetLimits).nullable().describe('What was spent, where `complete` is false because of it.'),
  })
  .meta({ id: 'budget' });

/** What a check of anchors says of itself and of the anchors. */
export const anchorCheck = z.strictObject({
  complete: z.boolean().describe('Every anchor was checked.'),
  budget,
  anchors: z.array(checkedAnchor).describe('By document, then by file and name. Without those said to describe code that is gone.'),
  unchecked_anchor_ids: z.array(uuid).describe('Those that keep the state they had, each with its reason.'),
  fallback_share: fallbackShare,
  retired: z.array(retired).describe('Those that a person said describe code that is gone; they ask nothing.'),
});

/** `stemma anchors check --json` (code-anchors §5). */
export const anchorsCheck = anchorCheck.meta({
  title: 'stemma anchors check --json',
  description: 'Every code anchor against the code as it is now.',
});

/** `stemma anchors list --json`: nothing is looked at but the ledger. */
export const anchorsList = z
  .strictObject({
    anchors: z.array(
      about.extend({
        state: z.enum(anchorStates).describe('The last that a check wrote down.'),
        reason: z.enum(anchorReasons),
        line_start: line,
        line_end: line,
        confirmed: time.describe('When it was made, bound or last confirmed.'),
        retired: retired.shape.retired.nullable(),
      }),
    ),
    fallback_share: fallbackShare,
  })
  .meta({ title: 'stemma anchors list --json', description: 'The code anchors that the ledger has.' });

/** `stemma anchors add --json`. */
export const anchorsAdd = z
  .strictObject({ id: uuid, state: z.enum(anchorStates), detail: anchorDetail })
  .meta({ title: 'stemma anchors add --json', description: 'The code anchor that was made.' });

/** `stemma anchors confirm --json` and `stemma anchors rebind --json`. */
export const anchorsConfirm = z
  .strictObject({
    id: uuid,
    changed: z.boolean().describe('False where there was nothing to confirm.'),
    from: z.enum(anchorStates).describe('The state that it was in.'),
    state: z.enum(anchorStates),
    detail: anchorDetail,
  })
  .meta({ title: 'stemma anchors confirm --json', description: 'The code anchor with its new baseline.' });

/** `stemma anchors remove --json`. */
export const anchorsRemove = z
  .strictObject({ id: uuid, removed: z.literal(true) })
  .meta({ title: 'stemma anchors remove --json', description: 'The code anchor that was taken away.' });

/** `stemma declarations --json`. */
export const declarations = z
  .strictObject({
    language: z.string(),
    declarations: z
      .array(
        z.strictObject({
          kind: z.string(),
          qualified_name: z.string(),
          container: z.string().nullable(),
          line_start: line,
          line_end: line,
          token_hash: z.string(),
          body_hash: z.string(),
          body_tokens: count,
          damaged: z.boolean().optional().describe('In a part that could not be read; it cannot be anchored to.'),
        }),
      )
      .describe('In the order of the file.'),
    parse_errors: count,
  })
  .meta({ title: 'stemma declarations --json', description: 'The declarations of a file, as an anchor can name them.' });

const linkedRepository = z.strictObject({
  name: z.string(),
  path: z.string().nullable().describe('A folder of this machine; null for an address.'),
  url: z.string().nullable(),
  ref: z.string().nullable().describe('What is read of it; null: the folder as it is, or what HEAD names.'),
  token_env: z.string().nullable().describe('The name of the variable that holds its token.'),
  confirmed: z.boolean().describe('A person has said on this machine that it may be read.'),
  fetched: z
    .strictObject({ commit: z.string(), at: time })
    .nullable()
    .describe('What was fetched last; null for a folder, or where nothing was.'),
  problem: z.string().nullable().describe('Why it cannot be used as it is written, if so.'),
});

/** `stemma repositories … --json`. */
export const repositories = z
  .strictObject({ repositories: z.array(linkedRepository) })
  .meta({ title: 'stemma repositories --json', description: 'The linked repositories of a workspace as they stand after the command.' });
