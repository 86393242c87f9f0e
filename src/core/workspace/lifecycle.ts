import { digest } from '#core/digest';
import { type Acted, act, actedEarlier } from '#core/workspace/act';
import type { Workspace } from '#core/workspace/workspace';
import { fits } from '#kernel/body-field';
import { lifecycleReasonCap } from '#kernel/body-object';
import { none } from '#kernel/key-table';
import { currentSince, live } from '#kernel/projection';
import type { Uuid } from '#kernel/uuid';

/** A document that a person marks as finished, or reopens. */
export interface Finishing {
  readonly object: Uuid;
  readonly state: 'finished' | 'live';
  readonly reason: string;
  readonly idem?: Uuid;
}

/**
 * `unchanged`: it is so already; a finished document that was edited since may be finished again. `not-tracked`: no
 * entry registers it; `reason-too-long`: more than 2,048 bytes. Nothing was recorded in these cases.
 */
export type Finished = Acted | { readonly kind: 'unchanged' | 'not-tracked' | 'reason-too-long' };

/** Records that a document is finished, or live again; no revision is made by it. The caller holds the lock. */
export async function finish(workspace: Workspace, { object, state, reason, idem }: Finishing): Promise<Finished> {
  const earlier = await actedEarlier(workspace, idem);
  if (earlier !== null) return earlier;
  const text = reason.toWellFormed();
  if (!workspace.replica.reading.facts.registrations.has(object)) return { kind: 'not-tracked' };
  if (!fits(text, lifecycleReasonCap, digest)) return { kind: 'reason-too-long' };
  if (isSo(workspace, object, state)) return { kind: 'unchanged' };
  const body = { object, state: state === 'live' ? 'live' : 'frozen', reason: text } as const;
  return act(workspace, { kind: 'object-lifecycle', body, subjects: [object] }, idem);
}

function isSo({ replica }: Workspace, object: Uuid, state: Finishing['state']): boolean {
  const { graph, facts } = replica.reading;
  const lifecycle = facts.lifecycles.get(object);
  if (lifecycle?.value.state !== 'frozen') return state === 'live';
  const number = graph.findObject(object);
  const isEdited = number !== none && currentSince(graph, number, live(graph), lifecycle).length > 0;
  return state === 'finished' && !isEdited;
}
