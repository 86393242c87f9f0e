import { z } from 'zod';
import { checkedAnchor } from '#protocol/output-anchor';
import {
  confidence,
  count,
  counts,
  diagnostic,
  documentRef,
  label,
  path,
  reason,
  revisionId,
  revisionRef,
  time,
  uuid,
} from '#protocol/output-part';
import { rowStates, silences } from '#protocol/state';

const actions = z.strictObject({ accept: z.boolean(), revise: z.boolean(), waive: z.boolean() }).meta({ id: 'actions' });

const section = z
  .strictObject({
    path: z.array(z.string()).min(1),
    status: z.enum(['changed', 'unchanged', 'lost', 'unavailable']),
    carried: z.literal(true).optional().describe('Nobody set it for this version: it was carried from an earlier one.'),
  })
  .meta({ id: 'section', description: 'The section anchor of the edge. `unavailable`: the text to compare with is in no snapshot.' });

const check = z
  .strictObject({
    verdict: z.enum(['verified-valid', 'contradicted', 'unchecked']),
    confidence: z.number().min(0).max(1).nullable(),
    evidence: z.array(z.strictObject({ path: path.nullable(), quote: z.string() })),
    partial: z.literal(true).optional().describe('A text had to be cut, so the model did not see all of it.'),
  })
  .meta({ id: 'check', description: "A model's verdict that is still live: same pin, same current revision, same context, same claims." });

const waiver = z
  .strictObject({
    reason: z.string().nullable().describe('Null only where another program wrote none.'),
    by: z.string(),
    at: time,
    expires: time.nullable(),
  })
  .meta({ id: 'waiver' });

const delegated = z
  .strictObject({ by: z.string(), grant: z.string().nullable(), at: time })
  .meta({ id: 'delegated', description: 'The agent that accepted or waived this edge last, and the grant that it acted under.' });

const notCarried = z.strictObject({ path: z.array(z.string()).min(1), reason: z.enum(['not-found', 'ambiguous']) }).meta({
  id: 'not-carried',
  description:
    'The section that an earlier version rested on. The source as this version read it has none such, so the whole source counts.',
});

const edge = z
  .strictObject({ txf: uuid, input: count })
  .meta({ id: 'edge', description: 'The entry that made it, and which of its inputs it is.' });

const edgeRow = z.strictObject({
  edge,
  source: documentRef,
  pinned: revisionRef,
  current: revisionRef.nullable().describe('Null when the source has no current version, or several.'),
  state: z.enum(rowStates).exclude(['parallel-versions', 'finished-changed']),
  silenced: z.null(),
  section: section.nullable(),
  check: check.nullable(),
  waiver: waiver.nullable().describe('What `waived` rests on; null in every other state.'),
  provenance: confidence.describe('The confidence of the entry that made the edge.'),
  resolutions: count.describe('How often this edge was accepted or waived.'),
  judgment: z.enum(['relevant', 'noise', 'unsure']).nullable(),
  delegated: delegated.optional().describe('Only where an agent decided last.'),
  notCarried: notCarried.optional().describe('Only where a section anchor could not be carried to this version.'),
  actions: actions.describe('What a person may do with the row in the app.'),
});

const documentRow = edgeRow.omit({ delegated: true, notCarried: true }).extend({
  edge: z.null(),
  source: z.null(),
  section: z.null(),
  check: z.null(),
  waiver: z.null(),
  provenance: z.null(),
  judgment: z.null(),
});

const parallelRow = documentRow
  .extend({
    state: z.literal('parallel-versions'),
    pinned: z.null(),
    current: z.null(),
    heads: z.array(z.strictObject({ revision: revisionId, label })).min(2),
  })
  .describe('The artifact itself has several current versions; its edges stand aside until it has one.');

const finishedRow = documentRow
  .extend({ state: z.literal('finished-changed'), pinned: revisionRef.nullable(), current: revisionRef.nullable() })
  .describe(
    'A finished document that was edited: `pinned` is the revision that was finished, if it is known, `current` the one it has now.',
  );

const row = z.discriminatedUnion('state', [edgeRow.meta({ id: 'edge-row' }), parallelRow, finishedRow]);

const artifact = z.strictObject({
  object: uuid,
  path: path.nullable(),
  lifecycle: z.enum(['live', 'finished']),
  rows: z.array(row).min(1).describe('By source path.'),
});

const silencedRow = edgeRow.extend({ silenced: z.enum(silences), artifact: documentRef });

const goneRow = edgeRow.extend({ artifact: documentRef });

const pairSide = z.enum(['technical', 'human']);

const pairRow = z
  .strictObject({
    pair: uuid,
    technical: documentRef,
    human: documentRef,
    state: z.enum(['fresh', 'pair-ahead']),
    ahead: z.array(pairSide).describe('Which of them changed since both were last said to be in step.'),
    gone: z.array(pairSide).describe('Which of them is no longer in the workspace; then nothing is ahead.'),
  })
  .meta({ id: 'pair-row', description: 'A technical document and the one that people read, which are to say the same.' });

/** A context as the outputs name it. */
export const contextOutput = z.strictObject({
  id: uuid,
  name: z.string(),
  enforcement: z.enum(['greenhouse', 'enforcing']),
  problems: z
    .array(diagnostic)
    .min(1)
    .optional()
    .describe('What is wrong with the context, only where something is; it works with less then.'),
});

const scanned = z.strictObject({
  complete: z.boolean(),
  reason,
  documents: count,
  external: count,
  navigations: count,
  absent: count,
  diagnostics: z.array(diagnostic),
});

/** `stemma breakdown --json` (interfaces §5). */
export const breakdownOutput = z
  .strictObject({
    format: z.literal(1),
    context: contextOutput,
    scan: scanned.describe('With --no-scan: incomplete, `not-scanned`, and zeros.'),
    artifacts: z.array(artifact).describe('By path. Documents without a row are not listed.'),
    silenced: z.array(silencedRow).describe('Rows that ask nothing, each with its reason and its artifact.'),
    sourceGone: z.array(goneRow).describe('Rows whose source is no longer in the workspace; `source.path` is where it was last.'),
    provenanceUnknown: z.array(documentRef).describe('Documents that had inputs and lost them by an edit from outside or by hand.'),
    finished: z.array(documentRef).describe('Finished documents that stand in no row, so that they can be reopened.'),
    codeAnchors: z
      .array(checkedAnchor)
      .describe('As in `stemma anchors check`; those of documents that are gone are left out. With --no-scan: as last seen.'),
    pairs: z.array(pairRow).describe('Paired documents, by the path of the technical one.'),
    counts,
  })
  .meta({ title: 'stemma breakdown --json', description: 'Every pin that the world has moved past, seen through one context.' });
