import { dirname, join } from 'node:path';
import type { Navigation } from '#core/git/attribution';
import type { Git } from '#core/git/git';
import type { GitPosition } from '#core/git/position';
import { type Home, workspaceKey } from '#core/home';
import { type Disk, makeFolder, readIfThere, writeAtomic } from '#core/storage/disk';

/** What the last scan saw: where git stood, which revision of each object was on disk, and moves not yet written down. */
export interface Position {
  /** What `Git.headMoved` said then: equal, and git need not be asked again. */
  readonly stamp: string;
  readonly git: GitPosition | null;
  /** Object → the revision that was last seen on disk, where that is not its single head. */
  readonly working: Readonly<Record<string, string>>;
  /** Navigation that rides with the next real entry (`spec/format.md` §8). */
  readonly pending: readonly Navigation[];
}

/** Nothing seen yet. */
export const noPosition: Position = { stamp: '', git: null, working: {}, pending: [] };

/** What a position needs of its workspace. */
interface Kept {
  readonly disk: Disk;
  readonly root: string;
  readonly home: Home;
  readonly git: Git | null;
  readonly chance: { now(): number; newId(instant: number): string };
}

/** In git's own folder of the worktree, one for each workspace in it; in the app data where there is no git. */
function placeOf({ git, home, root }: Kept): { file: string; key: string } {
  if (git !== null) return { file: git.positionFile(), key: git.prefix };
  return { file: join(home.folder, 'positions', `${workspaceKey(root)}.json`), key: '' };
}

/** Reads the position of a workspace; one that is missing or cannot be read is as good as none. */
export function readPosition(kept: Kept): Position {
  const { file, key } = placeOf(kept);
  const saved = readAll(kept.disk, file)[key];
  return { stamp: saved?.stamp ?? '', git: saved?.git ?? null, working: saved?.working ?? {}, pending: saved?.pending ?? [] };
}

function readAll(disk: Disk, file: string): Record<string, Partial<Position>> {
  try {
    return JSON.parse(readIfThere(disk, file)?.toString('utf8') ?? '{}');
  } catch {
    return {};
  }
}

/** Keeps a position, where that can be done; without it the next scan knows less, and loses nothing. */
export function writePosition(kept: Kept, position: Position): void {
  const { disk, chance } = kept;
  const { file, key } = placeOf(kept);
  try {
    const all = readAll(disk, file);
    if (JSON.stringify(all[key]) === JSON.stringify(position)) return;
    makeFolder(disk, dirname(file));
    const text = JSON.stringify({ ...all, [key]: position });
    writeAtomic(disk, file, Buffer.from(text, 'utf8'), `${file}.${chance.newId(chance.now())}.new`);
  } catch {
    // A read-only repository: texts are then judged by HEAD alone, as after a fresh clone.
  }
}
