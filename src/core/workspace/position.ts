import { dirname, join } from 'node:path';
import type { Navigation } from '#core/git/attribution';
import type { Git } from '#core/git/git';
import type { GitPosition } from '#core/git/position';
import { type Home, workspaceKey } from '#core/home';
import { type Disk, readIfThere, writeAtomic } from '#core/storage/disk';

/** What the last scan saw: where git stood, which revision of each object was on disk, and moves not yet written down. */
export interface Position {
  readonly git: GitPosition | null;
  /** Object → the revision that was last seen on disk, where that is not its single head. */
  readonly working: Readonly<Record<string, string>>;
  /** Navigation that rides with the next real entry (`spec/format.md` §8). */
  readonly pending: readonly Navigation[];
}

/** Nothing seen yet. */
export const noPosition: Position = { git: null, working: {}, pending: [] };

/** Where a workspace's position is kept: in git's own folder of the worktree, or in the app data where there is no git. */
export function positionFile(git: Git | null, home: Home, root: string): string {
  return git === null ? join(home.folder, 'positions', `${workspaceKey(root)}.json`) : git.positionFile();
}

/** Reads a position; one that is missing or cannot be read is as good as none. */
export function readPosition(disk: Disk, file: string): Position {
  try {
    const saved = JSON.parse(readIfThere(disk, file)?.toString('utf8') ?? 'null') as Partial<Position> | null;
    return saved === null ? noPosition : { git: saved.git ?? null, working: saved.working ?? {}, pending: saved.pending ?? [] };
  } catch {
    return noPosition;
  }
}

/** Keeps a position, where that can be done; without it the next scan knows less, and loses nothing. */
export function writePosition(disk: Disk, file: string, position: Position, token: string): void {
  try {
    if (JSON.stringify(readPosition(disk, file)) === JSON.stringify(position)) return;
    disk.mkdirSync(dirname(file), { recursive: true });
    writeAtomic(disk, file, Buffer.from(JSON.stringify(position), 'utf8'), `${file}.${token}.new`);
  } catch {
    // A read-only repository: texts are then judged by HEAD alone, as after a fresh clone.
  }
}
