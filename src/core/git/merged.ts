import { type GitProgram, textOf } from '#core/git/program';

/** A merge that HEAD stands at, and the files in which it differs from any of its parents, sorted: what it brought together. */
export interface LandedMerge {
  readonly commit: string;
  /** Workspace paths with `/`. */
  readonly paths: readonly string[];
}

/** The merge at HEAD, of what is below `prefix`; null where HEAD has one parent or none (a fast-forward is no merge), or git is silent. */
export async function landedMerge(git: GitProgram, prefix: string): Promise<LandedMerge | null> {
  const line = await textOf(git(['rev-list', '--parents', '--max-count=1', 'HEAD', '--']));
  const [commit, ...parents] = line?.trim().split(' ') ?? [];
  if (commit === undefined || parents.length < 2) return null;
  const paths = new Set<string>();
  for (const parent of parents) {
    const options = ['-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', '--no-textconv'];
    const changed = await textOf(git(['diff-tree', ...options, parent, commit, '--', ...(prefix === '' ? [] : [prefix])]));
    if (changed === null) return null;
    for (const path of changed.split('\0')) if (path.startsWith(prefix) && path !== '') paths.add(path.slice(prefix.length));
  }
  return { commit, paths: [...paths].sort() };
}
