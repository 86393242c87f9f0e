import { z } from 'zod';
import { count, documentRef, path, revisionId, time, uuid } from '#protocol/output-part';

const evidence = z.array(z.strictObject({ path: path.nullable(), quote: z.string() }));
const about = { id: uuid, time };

const check = z.strictObject({
  ...about,
  kind: z.literal('check'),
  model: z.string().nullable(),
  verdict: z.enum(['no-contradiction', 'contradiction', 'unknown']),
  confidence: z.number().min(0).max(1).nullable(),
  downgraded: z
    .strictObject({ verdict: z.string(), reason: z.string(), tau: z.number().min(0).max(1).nullable(), evidence })
    .nullable()
    .describe("The model's own answer, where it was not taken; `confidence` is the one it gave."),
  evidence,
});

const resolution = z.strictObject({
  ...about,
  kind: z.enum(['ratification', 'waiver']),
  by: z.strictObject({ type: z.enum(['human', 'agent']), id: z.string() }),
  against: revisionId.describe('The revision of the source that was accepted or waived.'),
  reason: z.string().nullable(),
  expires: z.string().nullable().describe('As it was written; one that is no time has passed.'),
  grant: z.string().nullable().describe('Of an agent: the grant that it named.'),
});

const judgmentWord = z.enum(['relevant', 'noise', 'unsure']);
const judgment = z.strictObject({ ...about, kind: z.literal('judgment'), judgment: judgmentWord, note: z.string() });

const anchor = z.strictObject({
  ...about,
  kind: z.literal('anchor'),
  path: z.array(z.string()).describe('Empty where the whole source counts again.'),
  carried: z.boolean(),
});

const row = z.strictObject({
  edge: z.strictObject({ txf: uuid, input: count }).meta({ id: 'edge' }),
  artifact: documentRef.nullable().describe('Null where the ledger has no such edge.'),
  source: documentRef.nullable(),
  section: z.array(z.string()).min(1).nullable(),
  listed: z.boolean().describe('Whether the edge is that of the current version of its artifact.'),
  resolutions: count,
  lastResolution: z.enum(['ratification', 'waiver']).nullable(),
  judgment: judgmentWord.nullable().describe('The latest.'),
  acts: z
    .array(z.discriminatedUnion('kind', [check, resolution, judgment, anchor]))
    .min(1)
    .describe('In reader order.'),
});

/** The coherence log: the answer of `coherence/log` (breakdown §4). */
export const coherenceLogOutput = z
  .strictObject({
    format: z.literal(1),
    total: count.describe('Edges of which anything was said.'),
    resolvedAgain: count.describe('Edges that were resolved more than once.'),
    tally: z.strictObject({ relevant: count, noise: count, unsure: count, unjudged: count }).describe('How the edges were judged.'),
    rows: z.array(row).describe('Those that were asked for, by the first thing that was said of them.'),
  })
  .meta({ title: 'coherence/log', description: 'Everything that was ever said of edges: checks, decisions, judgments, section anchors.' });
