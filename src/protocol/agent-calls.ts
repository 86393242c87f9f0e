import { z } from 'zod';
import { agentEditsLimit, agentInputsLimit } from '#protocol/agent-limit';
import type {
  claimsOutput,
  contextsOutput,
  listOutput,
  outlineOutput,
  readOutput,
  searchOutput,
  writtenOutput,
} from '#protocol/agent-outputs';
import { anchorTarget } from '#protocol/anchor-calls';
import { contentHash, path, revision, uuid } from '#protocol/input-part';
import { role } from '#protocol/output-part';
import type { Outputs } from '#protocol/outputs';

const under = path.nullable();
const credential = z.string().max(400).nullable();
/** Longer than any text that is let through: what is too large is refused with a code of its own. */
const text = z.string().max(64 * 1024 * 1024);

/**
 * What an agent was given to read: the content by its hash, and the revision that it was, as far as the ledger knew. `object` null: not
 * tracked; `revision` null with an object: no revision has that content yet.
 */
export const served = z.strictObject({ path, hash: contentHash, object: uuid.nullable(), revision: revision.nullable() });

/** One read that a write rests on; `text` is what was served where the document was not tracked, as far as it was kept. */
const read = served.extend({ role, text: text.nullable() });

const change = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('create'), text }),
  z.strictObject({ action: z.literal('replace'), text, base: contentHash }),
  z.strictObject({
    action: z.literal('edit'),
    base: contentHash,
    edits: z.array(z.strictObject({ old: text, new: text })).max(agentEditsLimit),
  }),
]);

/**
 * What a server for agents asks of core. `credential` is the token that the agent connects with: core tells whose it is, nobody states a
 * name. `leftOut` counts reads that the server no longer had. `again`: the answer to the same write was lost.
 */
export const agentInputs = {
  'agent/list': z.strictObject({ under }),
  'agent/search': z.strictObject({
    query: z
      .string()
      .max(400)
      .regex(/^[^\r\n]+$/),
    under,
  }),
  'agent/read': z.strictObject({ path }),
  'agent/outline': z.strictObject({ path }),
  'agent/write': z.strictObject({
    path,
    change,
    reads: z.array(read).max(agentInputsLimit),
    leftOut: z.int().min(0),
    credential,
    idem: uuid,
    again: z.boolean().optional(),
  }),
  'agent/status': z.strictObject({}),
  'agent/edges': z.strictObject({ context: z.string().min(1).max(400).nullable() }),
  'agent/claims': z.strictObject({}),
  'agent/contexts': z.strictObject({}),
  'agent/anchors': z.strictObject({ path: under }),
  /** Holds the anchors against the code; nothing is written down. */
  'agent/anchor-check': z.strictObject({ path: under }),
  'agent/declarations': z.strictObject({ file: path }),
  'agent/anchor-add': z.strictObject({
    path,
    section: z.array(z.string().max(512)).max(16),
    file: path,
    target: anchorTarget,
    credential,
  }),
  'agent/anchor-confirm': z.strictObject({
    id: uuid,
    hashSeen: z.string().min(1).max(256),
    note: z.string().max(4096),
    credential,
    idem: uuid,
  }),
} as const;

/** What was served, by its content and its revision. */
export type Served = z.infer<typeof served>;
/** A read that a write rests on. */
export type AgentRead = z.infer<typeof read>;
/** What a write does to a document. */
export type AgentChange = z.infer<typeof change>;
type Answer<Schema extends z.ZodType> = z.infer<Schema>;

/** A document as an agent reads it, and what it was. */
export interface AgentReading {
  readonly answer: Answer<typeof readOutput>;
  readonly served: Served;
}

/** What became of a write. `conflict`: the document is another than the one that was read, here it is (null: gone, or no text any more). */
export type AgentWrite =
  | { readonly kind: 'written'; readonly answer: Answer<typeof writtenOutput> }
  | { readonly kind: 'conflict'; readonly now: AgentReading | null };

/** What each call of an agent's server answers. */
export interface AgentOutputs {
  'agent/list': Answer<typeof listOutput>;
  'agent/search': { readonly answer: Answer<typeof searchOutput>; readonly served: readonly Served[] };
  'agent/read': AgentReading;
  'agent/outline': { readonly answer: Answer<typeof outlineOutput>; readonly served: Served };
  'agent/write': AgentWrite;
  'agent/status': Outputs['status'];
  'agent/edges': Outputs['breakdown'];
  'agent/claims': Answer<typeof claimsOutput>;
  'agent/contexts': Answer<typeof contextsOutput>;
  'agent/anchors': Outputs['anchors-list'];
  'agent/anchor-check': Outputs['anchors-check'];
  'agent/declarations': Outputs['declarations'];
  'agent/anchor-add': Outputs['anchors-add'];
  'agent/anchor-confirm': Outputs['anchors-confirm'];
}
