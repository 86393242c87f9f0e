import type { NewEntry } from '#core/workspace/recorder';
import { forgetRidden, ridingMoves } from '#core/workspace/riding';
import { entryWithIdem } from '#core/workspace/versions';
import type { Workspace } from '#core/workspace/workspace';
import type { Uuid } from '#kernel/uuid';

/** What an act of a person has recorded: its first entry. */
export interface Acted {
  readonly kind: 'done';
  readonly entry: Uuid;
}

/** White space as JavaScript and as Unicode count it. */
export const isBlank = (text: string) => /^[\s\u0085]*$/u.test(text);

/** The entry that this idem made before, when the act is tried again; null otherwise. Takes in what others have written first. */
export async function actedEarlier(workspace: Workspace, idem: Uuid | undefined): Promise<Acted | null> {
  await workspace.replica.refresh();
  const entry = idem === undefined ? null : entryWithIdem(workspace.replica.reading.graph, idem);
  return entry === null ? null : { kind: 'done', entry };
}

/** Appends, with the moves of HEAD that wait for a real entry; answers the id of the first. The caller holds the lock. */
export async function appendFirst(workspace: Workspace, entries: readonly NewEntry[]): Promise<Uuid> {
  const ready = workspace.recorder.ready([...entries, ...ridingMoves(workspace)]);
  await workspace.recorder.append(ready);
  forgetRidden(workspace);
  return ready[0]!.id;
}

/** Appends the entry of an act, under its idem where it has one. */
export async function act(workspace: Workspace, entry: NewEntry, idem: Uuid | undefined): Promise<Acted> {
  return { kind: 'done', entry: await appendFirst(workspace, [{ ...entry, ...(idem === undefined ? {} : { idem }) } as NewEntry]) };
}
