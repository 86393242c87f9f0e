import { join } from 'node:path';
import type { Git } from '#core/git/git';
import type { Home } from '#core/home';
import type { Disk } from '#core/storage/disk';
import { Replica } from '#core/storage/replica';
import { openSnapshots, type Snapshots } from '#core/storage/snapshots';
import { type Dues, openDues } from '#core/workspace/dues';
import { hasLedger, vmarkName } from '#core/workspace/place';
import type { Position } from '#core/workspace/position';
import { type Chance, createRecorder, type Recorder } from '#core/workspace/recorder';
import { refill } from '#core/workspace/refilling';
import type { LastScan } from '#core/workspace/scan';
import type { SettledDue } from '#core/workspace/settling';
import { statProgram } from '#core/workspace/stat-mate';
import { Sweep } from '#core/workspace/sweep';
import type { Uuid } from '#kernel/uuid';

/** An opened workspace: its folder, and the parts that read and write it. Nothing is created by opening it. */
export interface Workspace {
  readonly root: string;
  readonly vmark: string;
  readonly disk: Disk;
  readonly home: Home;
  readonly git: Git | null;
  readonly chance: Chance;
  readonly replica: Replica;
  readonly snapshots: Snapshots;
  readonly sweep: Sweep;
  readonly recorder: Recorder;
  readonly dues: Dues;
  /** Told of each due that is recorded, or could not be. */
  readonly settled: Set<(due: SettledDue) => void>;
  /** What this process has found and later calls go by. */
  readonly last: Last;
}

/** What the last scan found; the layout as it was when all was in its place; whether the present call keeps all other processes out, and what it knows while it does. */
export interface Last {
  held: ReadonlyMap<Uuid, readonly string[]>;
  scan: LastScan | null;
  layout: string | null;
  isAlone: boolean;
  positions: Map<string, Position> | null;
}

/** What a workspace is made from; `follows` is false where it is asked once. */
export type WorkspaceBase = Pick<Workspace, 'root' | 'disk' | 'home' | 'chance'> & {
  readonly follows?: boolean;
  /** The repository as it is now. */
  readonly git: () => Git | null;
};

/** What is held as long as nobody has looked. */
export const notLooked: ReadonlyMap<Uuid, readonly string[]> = new Map();

/** Puts the parts of a workspace together. `root` is a real path (`findRoot`). */
export function assembleWorkspace({ follows = true, ...base }: WorkspaceBase): Workspace {
  const { root, disk, chance } = base;
  const vmark = join(root, vmarkName);
  const replica = new Replica(disk, vmark, { follows, gitStamp: () => gitStamp(base.git()) });
  const snapshots = openSnapshots(disk, vmark, () => chance.newId(chance.now()));
  return {
    ...base,
    get git() {
      return base.git();
    },
    vmark,
    replica,
    snapshots,
    sweep: new Sweep(disk, root, () => chance.now(), { program: follows ? statProgram(disk) : null }),
    recorder: createRecorder({ ...base, replica, restored: (lines) => refill({ disk, root, replica, snapshots }, lines) }),
    dues: openDues(disk, base.home, root, () => chance.newId(chance.now())),
    settled: new Set(),
    last: { held: notLooked, scan: null, layout: null, isAlone: true, positions: null },
  };
}

/** Equal stamps: git has changed no file of the worktree. Null while it works. Starts no process. */
function gitStamp(git: Git | null): string | null {
  const index = git === null ? '' : git.indexStamp();
  return index === null || git === null ? index : `${index} ${git.headMoved()}`;
}

/** What may be written here (`spec/product.md`, principle 1): stamps and a ledger; records of tracked documents only; nothing. */
export type Policy = 'adopt' | 'tracked-only' | 'nothing';

/** The policy at this moment: the setting and the disk are asked anew each time. */
export function policyOf(workspace: Workspace): Policy {
  if (workspace.home.isOn(workspace.root)) return 'adopt';
  return hasLedger(workspace.disk, workspace.root) ? 'tracked-only' : 'nothing';
}
