import { dirname, join } from 'node:path';
import type { Navigation } from '#core/git/attribution';
import type { Git } from '#core/git/git';
import type { GitPosition } from '#core/git/position';
import { type Home, workspaceKey } from '#core/home';
import { type Disk, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';

/** What the last scan saw: where git stood, which revision of each object was on disk, and moves not yet written down. */
export interface Position {
  /** What `Git.headMoved` said then: equal, and git need not be asked again. */
  readonly stamp: string;
  readonly git: GitPosition | null;
  /** Object → the revision that was last seen on disk, where that is not its single head. */
  readonly working: Readonly<Record<string, string>>;
  /** Navigation that rides with the next real entry (`spec/format.md` §8). */
  readonly pending: readonly Navigation[];
  /** Files that were still changing when HEAD had moved, each with the position before that: whoever made them did it then. */
  readonly unsettled?: Readonly<Record<string, GitPosition>>;
  /** Objects whose id stood in several files, with their paths: where a program looks that saves before it has scanned. */
  readonly held?: Readonly<Record<string, readonly string[]>>;
}

/** Nothing seen yet. */
const noPosition: Position = { stamp: '', git: null, working: {}, pending: [] };

/** What a position needs of its workspace. */
interface Kept {
  readonly disk: Disk;
  readonly root: string;
  readonly home: Home;
  readonly git: Git | null;
  readonly chance: { now(): number; newId(instant: number): string };
  /** What was read or written while all other processes are kept out, by place; null while they are not. */
  readonly last?: { readonly positions: Map<string, Position> | null };
}

/** In git's own folder of the worktree, one for each workspace in it; in the app data where there is no git. */
function placeOf({ git, home, root }: Kept): { file: string; key: string } {
  if (git !== null) return { file: git.positionFile(), key: git.prefix };
  return { file: join(home.folder, 'positions', `${workspaceKey(root)}.json`), key: '' };
}

/** Reads the position of a workspace; one that is missing or cannot be read is as good as none. */
export function readPosition(kept: Kept): Position {
  const { file, key } = placeOf(kept);
  const known = kept.last?.positions?.get(memoKey(file, key));
  if (known !== undefined) return known;
  const saved = readAll(kept.disk, file)[key];
  const position = isPosition(saved) ? saved : noPosition;
  kept.last?.positions?.set(memoKey(file, key), position);
  return position;
}

const memoKey = (file: string, key: string) => `${file}\n${key}`;

function readAll(disk: Disk, file: string): Record<string, unknown> {
  try {
    const saved: unknown = JSON.parse(readIfThere(disk, file)?.toString('utf8') ?? '{}');
    return isObject(saved) ? saved : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';

/** The file may be of any make: an older program's, a damaged one, one that came with a folder from elsewhere. */
function isPosition(value: unknown): value is Position {
  if (!isObject(value) || typeof value.stamp !== 'string' || !isObject(value.working) || !Array.isArray(value.pending)) return false;
  const isWorking = Object.values(value.working).every((revision) => typeof revision === 'string');
  if (value.unsettled !== undefined && !(isObject(value.unsettled) && Object.values(value.unsettled).every(isGitPosition))) return false;
  if (value.held !== undefined && !(isObject(value.held) && Object.values(value.held).every(isTexts))) return false;
  return isWorking && (value.git === null || isGitPosition(value.git)) && value.pending.every(isNavigation);
}

function isGitPosition(value: unknown): boolean {
  if (!isObject(value) || ![value.head, value.ref, value.stash].every(isTextOrNull)) return false;
  const { reflog } = value;
  return reflog === null || (isObject(reflog) && typeof reflog.size === 'number' && typeof reflog.last === 'string');
}

function isNavigation(value: unknown): boolean {
  if (!isObject(value) || typeof value.from !== 'string' || typeof value.to !== 'string' || !isTextOrNull(value.ref)) return false;
  return ['checkout', 'branch-switch', 'reset', 'detach'].includes(String(value.op));
}

/** Keeps a position, where that can be done; without it the next scan knows less, and loses nothing. */
export function writePosition(kept: Kept, position: Position): void {
  const { disk, chance } = kept;
  const { file, key } = placeOf(kept);
  try {
    const all = readAll(disk, file);
    if (JSON.stringify(all[key]) !== JSON.stringify(position)) {
      makeFolder(disk, dirname(file));
      const text = JSON.stringify({ ...all, [key]: position });
      writeAtomic(disk, file, Buffer.from(text, 'utf8'), `${file}.${chance.newId(chance.now())}.new`);
    }
    kept.last?.positions?.set(memoKey(file, key), position);
  } catch {
    // A read-only repository: texts are then judged by HEAD alone, as after a fresh clone.
  }
}
