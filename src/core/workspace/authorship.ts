import type { PinnedInput } from '#core/workspace/capture';
import type { Workspace } from '#core/workspace/workspace';
import type { Agent, Confidence, Intent } from '#kernel/body-transformation';
import { none } from '#kernel/key-table';
import type { Uuid } from '#kernel/uuid';
import { inputsCap } from '#kernel/writing';

/** Text of a model that the writer took into a document, as the page knows it. */
export interface Acceptance {
  /** Of this acceptance, so that it can be taken back. */
  readonly id: Uuid;
  /** The model's name, where it is known. */
  readonly model: string | null;
  readonly kind: 'genie' | 'ai-suggestion';
  /** The document itself and all that was put into the prompt, as they were read. */
  readonly inputs: readonly PinnedInput[];
  /** Whether the buffer had no unsaved changes before. */
  readonly clean: boolean;
  /** Whether anything was typed into the document after. */
  readonly typed: boolean;
}

/** Who a save is by, and what it rests on. */
export interface Authorship {
  readonly agent: Agent;
  readonly intent: Intent;
  readonly confidence: Confidence;
  readonly inputs: readonly PinnedInput[];
}

/** A save of nobody's but the writer's. */
export const byHand = {
  agent: { type: 'human', id: null },
  intent: { kind: 'editor-save', summary: 'saved', prompt_hash: null },
  confidence: 'exact',
  inputs: [],
} as const satisfies Authorship;

/** What stands of two lists of acceptances, the later word about one replacing the earlier; those taken back are left out. */
export function standing(earlier: readonly Acceptance[], later: readonly Acceptance[], undone: readonly Uuid[]): Acceptance[] {
  const known = new Map([...earlier, ...later].map((acceptance) => [acceptance.id, acceptance]));
  return [...known.values()].filter(({ id }) => !undone.includes(id));
}

/**
 * One entry for a mixed save (`spec/format.md` §6): by the model if any of its text survives, with all inputs, and
 * `exact` only if the buffer was clean before and nothing was typed after. A pin that this ledger does not know is
 * dropped and lowers `exact`.
 */
export function authorshipOf(workspace: Workspace, accepted: readonly Acceptance[], summary: string): Authorship {
  const newest = accepted.at(-1);
  if (newest === undefined) return { ...byHand, intent: { ...byHand.intent, summary } };
  const inputs = unionOf(accepted.flatMap((acceptance) => acceptance.inputs));
  const pinned = inputs.filter((input) => isRecorded(workspace, input)).slice(-inputsCap);
  const isExact = accepted.every(({ clean, typed }) => clean && !typed) && pinned.length === inputs.length;
  return {
    agent: { type: 'model', id: newest.model },
    intent: { kind: newest.kind, summary: `${summary}, with accepted text`, prompt_hash: null },
    confidence: isExact ? 'exact' : 'inferred',
    inputs: pinned,
  };
}

/** One input for each revision of a document; `direct` wins over `contextual`. */
function unionOf(inputs: readonly PinnedInput[]): PinnedInput[] {
  const known = new Map<string, PinnedInput>();
  for (const input of inputs) {
    const key = `${input.object} ${input.revision}`;
    if (known.get(key)?.role !== 'direct') known.set(key, input);
  }
  return [...known.values()];
}

function isRecorded({ replica }: Workspace, { object, revision }: PinnedInput): boolean {
  const { graph } = replica.reading;
  return graph.findNode(graph.findObject(object), revision) !== none;
}
