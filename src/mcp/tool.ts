import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { refusalOutput } from '#mcp/result';
import { agentEditsLimit } from '#protocol/agent-limit';
import { claimsOutput, contextsOutput, listOutput, outlineOutput, readOutput, searchOutput, writtenOutput } from '#protocol/agent-outputs';
import { breakdownOutput } from '#protocol/output-breakdown';
import { outputs } from '#protocol/outputs';

const path = z.string().min(1).max(4096).describe('From the top of the workspace, with /, such as chapters/03.md.');
const folder = path.describe('A folder from the top of the workspace; only what is in it.').optional();
const query = z
  .string()
  .trim()
  .min(1)
  .max(400)
  .regex(/^[^\r\n]*$/, 'one line, please')
  .describe('The text to look for, as it is written, within a line; its case does not matter.');
const wellFormed = z.string().refine((given) => given.isWellFormed(), 'half of a surrogate pair stands alone in it');
const text = wellFormed.describe('The whole document, with LF. A `vmark` key is kept by Stemma and is not yours to write.');
const base = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe('The `hash` that `document read` gave.');
const edits = z
  .array(
    z.strictObject({
      old: z.string().describe('Exact text that stands in the document once.'),
      new: wellFormed.describe('What stands there instead.'),
    }),
  )
  .min(1)
  .max(agentEditsLimit)
  .describe('Applied one after another; all or none.');
const context = z.string().min(1).max(400).describe('The name of a context; otherwise the default one.').optional();
const edge = z.strictObject({ txf: z.string(), input: z.int().min(0) }).describe('The `edge` of a row.');
const reason = z.string().min(1).max(8192).describe('Why the difference is fine.');

const ofDocument = path.describe('Only the anchors of this document.').optional();
const file = z.string().min(1).max(4096).describe('A file of code, from the top of the workspace, with /.');
const section = z
  .array(z.string().min(1).max(512))
  .max(16)
  .describe('The headings that lead to the section that describes the code; otherwise the whole document.')
  .optional();
const kind = z
  .string()
  .min(1)
  .max(200)
  .describe('What it is in its language, such as function; only where names are not enough.')
  .optional();
const symbol = z.string().min(1).max(4096).describe('The `qualified_name` that `declarations` gave. This or `lines`.').optional();
const lines = z
  .string()
  .regex(/^[1-9]\d{0,8}-[1-9]\d{0,8}$/)
  .describe('Such as 12-31, both included: only for what declares nothing. This or `symbol`.')
  .optional();
const id = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .describe('The `id` of an anchor.');
const hashSeen = z.string().min(1).max(256).describe('The `actual_hash` that `check` gave: the code that you looked at.');
const note = z.string().max(4096).describe('Why the text is right about the code as it is now.').optional();

const action = <Name extends string>(name: Name) => z.literal(name);

/** The arguments of each tool by its action: what is checked before anything is done. */
export const toolInputs = {
  workspace: z.discriminatedUnion('action', [
    z.strictObject({ action: action('list'), path: folder }),
    z.strictObject({ action: action('search'), query, path: folder }),
  ]),
  document: z.discriminatedUnion('action', [
    z.strictObject({ action: action('read'), path }),
    z.strictObject({ action: action('outline'), path }),
  ]),
  document_write: z.discriminatedUnion('action', [
    z.strictObject({ action: action('create'), path, text }),
    z.strictObject({ action: action('replace'), path, text, base }),
    z.strictObject({ action: action('edit'), path, base, edits }),
  ]),
  coherence: z.discriminatedUnion('action', [
    z.strictObject({ action: action('status') }),
    z.strictObject({ action: action('edges'), context }),
    z.strictObject({ action: action('claims') }),
    z.strictObject({ action: action('contexts') }),
  ]),
  coherence_resolve: z.discriminatedUnion('action', [
    z.strictObject({ action: action('accept-latest'), edge }),
    z.strictObject({ action: action('waive'), edge, reason }),
  ]),
  code_anchors: z.discriminatedUnion('action', [
    z.strictObject({ action: action('list'), path: ofDocument }),
    z.strictObject({ action: action('check'), path: ofDocument }),
    z.strictObject({ action: action('declarations'), file }),
  ]),
  code_anchor_write: z.discriminatedUnion('action', [
    z.strictObject({ action: action('add'), path, section, file, kind, symbol, lines }),
    z.strictObject({ action: action('confirm'), id, hash_seen: hashSeen, note }),
  ]),
} as const;

/** The name of a tool. */
export type ToolName = keyof typeof toolInputs;
/** The arguments of a tool. */
export type ToolInput<Name extends ToolName> = z.infer<(typeof toolInputs)[Name]>;

const said = <Shape extends z.core.$ZodLooseShape>(name: string, output: z.ZodObject<Shape>) =>
  z.strictObject({ action: z.literal(name), ...output.shape });
const written = (name: string) => said(name, writtenOutput);

/** What each tool answers, refusals included; as JSON Schema in `docs/formats/`. */
export const toolOutputs = {
  workspace: z.union([said('list', listOutput), said('search', searchOutput), refusalOutput]),
  document: z.union([said('read', readOutput), said('outline', outlineOutput), refusalOutput]),
  document_write: z.union([written('create'), written('replace'), written('edit'), refusalOutput]),
  coherence: z.union([
    said('status', outputs.status),
    said('edges', breakdownOutput),
    said('claims', claimsOutput),
    said('contexts', contextsOutput),
    refusalOutput,
  ]),
  coherence_resolve: refusalOutput,
  code_anchors: z.union([
    said('list', outputs['anchors-list']),
    said('check', outputs['anchors-check']),
    said('declarations', outputs.declarations),
    refusalOutput,
  ]),
  code_anchor_write: z.union([said('add', outputs['anchors-add']), said('confirm', outputs['anchors-confirm']), refusalOutput]),
} as const satisfies Readonly<Record<ToolName, z.ZodType>>;

type Listing = Pick<Tool, 'title' | 'description' | 'annotations'>;

const pure = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const listings: Readonly<Record<ToolName, Listing>> = {
  workspace: {
    title: 'Workspace',
    description:
      '`list`: the Markdown documents, with id and current revision. `search`: full text in all of them; what it shows is remembered as shown, not as relied on.',
    annotations: pure,
  },
  document: {
    title: 'Document',
    description:
      '`read`: the text with its hash and revision. What you read is recorded as what your next write rests on, so read what you rely on. `coherence.changed` above 0: its own sources have moved on. `outline`: its headings with their lines.',
    annotations: pure,
  },
  document_write: {
    title: 'Write a document',
    description:
      '`create`: a new document. `replace`: the whole text. `edit`: exact replacements. `replace` and `edit` take the hash that you read as `base`; if the document has changed since, nothing is written and you get the new text. Every write is recorded with what you read since your last one.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  },
  coherence: {
    title: 'Coherence',
    description:
      '`status`: counts, as recorded; writes nothing. `edges`: looks at the files, then lists every document that rests on a source which has changed since. `claims`, `contexts`: what is stated, and through what it is seen.',
    annotations: { ...pure, idempotentHint: false },
  },
  coherence_resolve: {
    title: 'Accept or waive',
    description:
      '`accept-latest`, `waive`: settle a row of `coherence edges`. Only where a person has granted it to you; otherwise refused.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  },
  code_anchors: {
    title: 'Code anchors',
    description:
      '`list`: which documents describe which declarations of code, as last seen. `check`: holds them against the code as it is now; writes nothing. `declarations`: what a file of code declares, by the names that an anchor takes.',
    annotations: pure,
  },
  code_anchor_write: {
    title: 'Anchor and confirm',
    description:
      '`add`: ties a document, or a section of it, to a declaration that it describes. `confirm`: says that the text is right about code that has changed; look at the code and the text first, and mend the text where it is not. Recorded with your name.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  },
};

/** The tools as a client is told of them. */
export function listTools(): Tool[] {
  return (Object.keys(toolInputs) as ToolName[]).map((name) => ({
    name,
    ...listings[name],
    inputSchema: inputSchema(name) as Tool['inputSchema'],
    outputSchema: { ...jsonSchema(toolOutputs[name]), type: 'object' } as NonNullable<Tool['outputSchema']>,
  }));
}

/** One flat object: models are told of every argument once, and which action wants it. */
function inputSchema(name: ToolName): object {
  const variants = toolInputs[name].options as readonly z.ZodObject[];
  const names = variants.map(({ shape }) => (shape.action as z.ZodLiteral<string>).value);
  const properties: Record<string, object> = {};
  for (const argument of new Set(variants.flatMap(({ shape }) => Object.keys(shape)))) {
    if (argument === 'action') continue;
    const takers = variants.filter(({ shape }) => argument in shape);
    const schema = jsonSchema(takers[0]!.shape[argument] as z.ZodType);
    const taking = takers.map(({ shape }) => (shape.action as z.ZodLiteral<string>).value).join(', ');
    const whose = takers.length === variants.length ? '' : ` (${taking})`;
    properties[argument] = { ...schema, description: `${(schema as { description?: string }).description ?? argument}${whose}` };
  }
  const isEverywhere = (argument: string) =>
    variants.every(({ shape }) => shape[argument] !== undefined && !(shape[argument] as z.ZodType).safeParse(undefined).success);
  const required = ['action', ...Object.keys(properties).filter(isEverywhere)];
  return { type: 'object', properties: { action: { type: 'string', enum: names }, ...properties }, required, additionalProperties: false };
}

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema) as Record<string, unknown>;
  return rest;
}
