import { digest } from '#core/digest';
import { type Acted, act, actedEarlier } from '#core/workspace/act';
import type { Workspace } from '#core/workspace/workspace';
import { type FlagJudgment, judgmentNoteCap } from '#kernel/body-edge';
import { fits } from '#kernel/body-field';
import { none } from '#kernel/key-table';
import { findEdge } from '#kernel/projection';
import type { Uuid } from '#kernel/uuid';

/** Whether showing an edge was worth it, as a person says. It may be said again, and of an edge that is listed no more. */
export interface Judging extends FlagJudgment {
  readonly idem?: Uuid;
}

/** `gone`: there is no such edge; `note-too-long`: more than 4,096 bytes. Nothing was recorded then. */
export type Judged = Acted | { readonly kind: 'gone' | 'note-too-long' };

/** Records a judgment. The caller holds the lock. */
export async function judge(workspace: Workspace, { edge, judgment, note, idem }: Judging): Promise<Judged> {
  const earlier = await actedEarlier(workspace, idem);
  if (earlier !== null) return earlier;
  const text = note.toWellFormed();
  if (findEdge(workspace.replica.reading.graph, edge) === none) return { kind: 'gone' };
  if (!fits(text, judgmentNoteCap, digest)) return { kind: 'note-too-long' };
  return act(workspace, { kind: 'flag-judgment', body: { edge, judgment, note: text }, subjects: [] }, idem);
}
