import { navigationEntry } from '#core/workspace/observation';
import { readPosition, writePosition } from '#core/workspace/position';
import type { NewEntry } from '#core/workspace/recorder';
import type { Workspace } from '#core/workspace/workspace';

/** Moves of HEAD that were seen and never come alone, as entries to be appended with a real one (`spec/format.md` §8). */
export function ridingMoves(workspace: Workspace): NewEntry[] {
  return readPosition(workspace).pending.map(navigationEntry);
}

/** Forgets the moves that have ridden. A crash before this writes them down once more, and says nothing wrong by it. */
export function forgetRidden(workspace: Workspace): void {
  const position = readPosition(workspace);
  if (position.pending.length > 0) writePosition(workspace, { ...position, pending: [] });
}
