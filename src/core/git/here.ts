import { dirname, join } from 'node:path';
import type { Git } from '#core/git/git';
import type { Environment } from '#core/home';
import { type Disk, isMissing } from '#core/storage/disk';

/** The repository that a folder stands in: it may come, go and be another one while a program runs. */
export interface GitHere {
  /** As of the last look; null without a repository, or without a git that can be asked about it. */
  now(): Git | null;
  /** Looks whether that has changed: a few stats; git is asked only where it has. */
  look(): Promise<void>;
}

/** Git is started only where there is something for it to find: a `.git` on the way up, or an environment that names one. */
export async function findGit(root: string, env: Environment, disk: Disk): Promise<GitHere> {
  let mark: string | null = null;
  let git: Git | null = null;
  const look = async () => {
    const found = markOf(disk, root, mark) ?? (env.GIT_DIR === undefined ? null : 'named');
    if (found === mark) return;
    mark = found;
    git = found === null ? null : await (await import('#core/git/git')).openGit(root, { env });
  };
  await look();
  return { now: () => git, look };
}

/** The nearest `.git` and which one it is; null where there is none, and `before` where that cannot be seen just now. */
function markOf(disk: Disk, root: string, before: string | null): string | null {
  try {
    for (let at = root; ; at = dirname(at)) {
      const inode = inodeOf(disk, join(at, '.git'));
      if (inode !== null) return `${at} ${inode}`;
      if (dirname(at) === at) return null;
    }
  } catch {
    return before;
  }
}

function inodeOf(disk: Disk, path: string): number | null {
  try {
    return disk.statSync(path).ino;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
