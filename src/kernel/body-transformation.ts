import {
  hashOf,
  isJson,
  type Json,
  listOf,
  type ObjectRevision,
  objectRevisionOf,
  optionalText,
  revisionOf,
  textOf,
} from '#kernel/body-field';
import type { ContentHash, RevisionId } from '#kernel/revision';

/** Who may write. */
export const agentTypes = ['human', 'model', 'external', 'git'] as const;
/** How sure a record is, the most certain first. */
export const confidences = ['exact', 'inferred', 'unknown'] as const;
/** What an input may be to its output; a kind that is not known reads as the first. */
export const edgeKinds = ['dependency', 'conformance', 'supersession', 'part-of', 'mention'] as const;

/** One of `agentTypes`. */
export type AgentType = (typeof agentTypes)[number];
/** One of `confidences`. */
export type Confidence = (typeof confidences)[number];
/** One of `edgeKinds`; `part-of` and `mention` pass no change on. */
export type EdgeKind = (typeof edgeKinds)[number];

/** What was read for a write: `direct` makes an edge, `contextual` is recorded only. */
export interface Input extends ObjectRevision {
  readonly role: 'direct' | 'contextual';
  readonly kind: EdgeKind;
}

/** A revision that was written; its parents may stand in any order. */
export interface Output extends ObjectRevision {
  readonly content_hash: ContentHash;
  readonly parents: readonly RevisionId[];
}

/** Who wrote; not every agent has an id. */
export interface Agent {
  readonly type: AgentType;
  readonly id: string | null;
}

/** What a write was for: one of the known words or another, and a sentence. */
export interface Intent {
  readonly kind: string;
  readonly summary: string;
  readonly prompt_hash: ContentHash | null;
}

/** One recorded write, with fields named as on disk; an edge's `input` is the place in `inputs`. */
export interface Transformation {
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly agent: Agent;
  readonly intent: Intent;
  readonly confidence: Confidence;
}

/** The transformation, or why it is malformed; an input of an unknown kind reads as a dependency. */
export function readTransformation(raw: Json): Transformation | string {
  const inputs = listOf(raw.inputs, readInput);
  if (inputs === null) return 'an input is not valid';
  const outputs = listOf(raw.outputs, readOutput);
  if (outputs === null) return 'an output is not valid';
  if (outputs.length === 0) return 'there is no output';
  const agent = readAgent(raw.agent);
  if (agent === null) return 'the agent is not valid';
  const intent = readIntent(raw.intent);
  if (intent === null) return 'the intent is not valid';
  const confidence = oneOf(confidences, raw.confidence);
  if (confidence === null) return 'the confidence is not known';
  return { inputs, outputs, agent, intent, confidence };
}

/** The transformation as it is written: a dependency without its kind, absent ids left out. */
export function writeTransformation(body: Transformation): Json {
  const { agent, intent } = body;
  return {
    inputs: body.inputs.map(writeInput),
    outputs: body.outputs.map(({ object, revision, content_hash, parents }) => ({ object, revision, content_hash, parents })),
    agent: agent.id === null ? { type: agent.type } : { type: agent.type, id: agent.id },
    intent: {
      kind: intent.kind,
      summary: intent.summary,
      ...(intent.prompt_hash === null ? {} : { prompt_hash: intent.prompt_hash }),
    },
    confidence: body.confidence,
  };
}

function writeInput({ object, revision, role, kind }: Input): Json {
  return kind === 'dependency' ? { object, revision, role } : { object, revision, role, kind };
}

function readInput(value: unknown): Input | null {
  const pin = objectRevisionOf(value);
  if (pin === null || !isJson(value)) return null;
  const { role, kind } = value;
  if (role !== 'direct' && role !== 'contextual') return null;
  if (kind === undefined) return { ...pin, role, kind: 'dependency' };
  if (typeof kind !== 'string') return null;
  return { ...pin, role, kind: oneOf(edgeKinds, kind) ?? 'dependency' };
}

function readOutput(value: unknown): Output | null {
  const made = objectRevisionOf(value);
  if (made === null || !isJson(value)) return null;
  const content_hash = hashOf(value.content_hash);
  const parents = listOf(value.parents, revisionOf);
  return content_hash === null || parents === null ? null : { ...made, content_hash, parents };
}

function readAgent(value: unknown): Agent | null {
  if (!isJson(value)) return null;
  const type = oneOf(agentTypes, value.type);
  const id = optionalText(value.id);
  return type === null || id === undefined ? null : { type, id };
}

function readIntent(value: unknown): Intent | null {
  if (!isJson(value)) return null;
  const kind = textOf(value.kind);
  const summary = textOf(value.summary);
  const prompt = value.prompt_hash ?? null;
  const prompt_hash = hashOf(prompt);
  if (kind === null || summary === null || (prompt !== null && prompt_hash === null)) return null;
  return { kind, summary, prompt_hash };
}

function oneOf<T extends string>(words: readonly T[], value: unknown): T | null {
  return words.find((word) => word === value) ?? null;
}
