import { z } from 'zod';
import { type FaultCode, faultDetails } from '#protocol/fault';
import {
  anchorCheck,
  anchorsAdd,
  anchorsCheck,
  anchorsConfirm,
  anchorsList,
  anchorsRemove,
  declarations,
  repositories,
} from '#protocol/output-anchor';
import { breakdownOutput } from '#protocol/output-breakdown';
import { coherenceLogOutput } from '#protocol/output-log';
import {
  confidence,
  contentHash,
  count,
  counts,
  diagnostic,
  label,
  path,
  reason,
  revisionId,
  role,
  time,
  uuid,
  word,
} from '#protocol/output-part';
import { checkStates, dropReasons } from '#protocol/state';

const trackedBy = z.enum(['id', 'path']).nullable();

const hash = z
  .strictObject({
    path,
    binary: z.boolean(),
    content_hash: contentHash,
    masked_bytes: count.describe('Length in bytes of what was hashed.'),
    id: uuid.nullable(),
    schema: z.string().nullable(),
    tracked_by: trackedBy,
  })
  .meta({ title: 'stemma hash --json', description: 'The content hash of a file and the identity that it carries.' });

const status = z
  .strictObject({
    initialized: z.boolean().describe('Whether there is a ledger.'),
    setting: z.enum(['on', 'off']),
    documents: count,
    tracked: count,
    counts,
    ledger: z.strictObject({ segments: count, entries: count, bytes: count }),
    quarantined: count,
    diagnostics: z.array(diagnostic),
    writer: uuid.nullable().describe('The ledger writer of this installation; null until it has written.'),
    git: z
      .strictObject({ branch: z.string().nullable().describe('Null when git is on no branch.') })
      .nullable()
      .describe('Null outside git.'),
  })
  .meta({ title: 'stemma status --json', description: 'A pure read: what the ledger says, without looking at the documents.' });

const scan = z
  .strictObject({
    complete: z.boolean(),
    reason,
    documents: count,
    unchanged: count,
    external: count.describe('New revisions by other programs.'),
    git: count.describe('New revisions by git.'),
    navigations: count,
    adopted: count,
    absent: count,
    moved: count,
    held: z.array(path).describe('Files that share an id with another; nothing is recorded for them.'),
    diagnostics: z.array(diagnostic),
  })
  .meta({ title: 'stemma scan --json', description: 'What a scan found and recorded.' });

const input = z.strictObject({ object: uuid, path: path.nullable(), revision: revisionId, role });

const record = z
  .strictObject({
    object: uuid,
    path,
    revision: revisionId,
    entry: uuid.nullable().describe('Null when nothing had changed and no input was left to record.'),
    confidence,
    inputs: z.array(input),
    dropped: z.array(z.strictObject({ path: z.string(), reason: z.enum(dropReasons) })),
  })
  .meta({ title: 'stemma record --json', description: 'The entry that was appended for a write made by a script.' });

const log = z
  .strictObject({
    entries: z.array(
      z.strictObject({
        id: uuid,
        idem: uuid,
        time,
        kind: z.string(),
        writer: uuid,
        body: z.unknown().describe('As it stands in the ledger.'),
      }),
    ),
  })
  .meta({ title: 'stemma log --json', description: 'Every entry, in reader order: by time, then by id.' });

const logFile = z
  .strictObject({
    object: uuid,
    path: path.nullable(),
    heads: z.array(revisionId),
    revisions: z
      .array(
        z.strictObject({
          revision: revisionId,
          label,
          time,
          agent: z.strictObject({ type: z.enum(['human', 'model', 'external', 'git']), id: z.string().nullable() }),
          intent: z.strictObject({ kind: z.string(), summary: z.string() }),
          confidence,
          parents: z.array(revisionId),
          inputs: z.array(input),
        }),
      )
      .describe('In reader order.'),
  })
  .meta({ title: 'stemma log FILE --json', description: 'The revisions of one document.' });

const verify = z
  .strictObject({
    ok: z.boolean(),
    entries: count,
    by_kind: z.record(z.string(), count),
    revisions: count,
    snapshots: z.strictObject({ present: count, missing: count, damaged: count }).describe('By distinct hash.'),
    orphans: z.array(contentHash).optional().describe('Snapshots that no entry names; harmless, and only said where there are some.'),
    quarantined: z.array(z.strictObject({ segment: z.string(), line: z.int().positive(), reason: z.string() })),
    future: count.describe('Entries of a newer format.'),
    problems: z.array(
      z.strictObject({
        code: word,
        message: z.string(),
        where: z.string().nullable(),
        detail: z.record(z.string(), z.union([z.string(), z.number()])).describe('What the sentence names.'),
      }),
    ),
    restored: count.optional().describe('Lines appended again; only with --restore-lines.'),
  })
  .meta({ title: 'stemma verify --json', description: 'Everything read and computed again, and what is wrong.' });

const init = z
  .strictObject({
    setting: z.literal('on'),
    changed: z.boolean().describe('False when it was on already.'),
    initialized: z.boolean().describe('Whether there is a ledger already; `init` makes none.'),
  })
  .meta({ title: 'stemma init --json', description: 'The setting of this workspace.' });

const track = z
  .strictObject({
    dry_run: z.boolean(),
    documents: z.array(
      z.strictObject({
        path,
        outcome: z.enum(['tracked', 'already-tracked', 'refused']).describe('With dry_run: what would be.'),
        object: uuid.nullable(),
        revision: revisionId.nullable(),
        tracked_by: trackedBy,
        reason: word.nullable().describe('Why it is tracked by its path, or why it was refused.'),
      }),
    ),
    counts: z.strictObject({ tracked: count, 'already-tracked': count, refused: count }),
  })
  .meta({ title: 'stemma track --json', description: 'What became of each document, by path.' });

const show = z
  .strictObject({
    object: uuid,
    path: path.nullable(),
    revision: revisionId,
    label,
    content_hash: contentHash,
    binary: z.boolean(),
    text: z.string().nullable().describe('The canonical text without its identity; null when it is binary.'),
    base64: z.string().nullable().describe('The bytes of a binary content; null when it is text.'),
  })
  .meta({ title: 'stemma show FILE@REV --json', description: 'A document as it was at a revision.' });

const side = z
  .strictObject({ revision: revisionId.nullable(), label: label.nullable(), content_hash: contentHash })
  .describe('A revision, or with nulls the file as it is on disk.');

const diff = z
  .strictObject({
    object: uuid,
    path: path.nullable(),
    from: side,
    to: side,
    equal: z.boolean(),
    binary: z.boolean(),
    added: count.describe('Lines.'),
    removed: count.describe('Lines.'),
    diff: z.string().nullable().describe('A unified diff; empty when equal, null when binary.'),
  })
  .meta({ title: 'stemma diff --json', description: 'What changed between two contents of a document.' });

const rebuild = z
  .strictObject({
    index: z.enum(['workspace', 'app-data']).nullable().describe('Where the index is; null when there is no ledger.'),
    entries: count,
    documents: count,
    revisions: count,
    edges: count,
  })
  .meta({ title: 'stemma rebuild --json', description: 'What the new index was built from.' });

const check = z
  .strictObject({
    ok: z.boolean().describe('No listed state is present and the answer is complete: exit 0.'),
    complete: z.boolean(),
    reason,
    fail_on: z.array(z.enum(checkStates)),
    failing: z.partialRecord(z.enum(checkStates), z.int().positive()).describe('The listed states that are present, with how many rows.'),
    breakdown: breakdownOutput,
    anchors: anchorCheck.omit({ anchors: true }).describe('What the check of code anchors says of itself; they stand in the breakdown.'),
  })
  .meta({ title: 'stemma check --json', description: 'The answer for CI, with the breakdown that it follows from. Nothing is recorded.' });

const agents = z
  .strictObject({
    agents: z.array(
      z.strictObject({
        name: z.string(),
        created: time,
        removed: time.nullable().describe('Null while its token is good.'),
      }),
    ),
  })
  .meta({
    title: 'stemma agents list --json',
    description: 'The agents that were given a name; after `remove`, the one that it was taken from.',
  });

const agentAdded = z
  .strictObject({ name: z.string(), token: z.string().describe('Shown only now; only its hash is kept.') })
  .meta({ title: 'stemma agents add NAME --json', description: 'A new agent and its token.' });

const failure = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(faultDetails) as [FaultCode, ...FaultCode[]]),
      message: z.string(),
      candidates: z.array(z.string()).optional().describe('What could have been meant.'),
    }),
  })
  .meta({ title: 'any failure with --json', description: 'Why a command could not be done.' });

/** The schema of every JSON output of the command line, and of the coherence log, by the name of its file in `docs/formats/`. For tests and scripts. */
export const outputs = {
  hash,
  status,
  scan,
  record,
  log,
  'log-file': logFile,
  verify,
  breakdown: breakdownOutput,
  init,
  track,
  show,
  diff,
  rebuild,
  check,
  agents,
  'agent-added': agentAdded,
  'anchors-add': anchorsAdd,
  'anchors-check': anchorsCheck,
  'anchors-list': anchorsList,
  'anchors-confirm': anchorsConfirm,
  'anchors-remove': anchorsRemove,
  declarations,
  repositories,
  failure,
  'coherence-log': coherenceLogOutput,
} as const;

/** The JSON output of each command, by the names of `outputs`. */
export type Outputs = { [Name in keyof typeof outputs]: z.infer<(typeof outputs)[Name]> };
