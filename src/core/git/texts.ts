import { checkObjects, readObjects } from '#core/git/object';
import type { GitProgram } from '#core/git/program';
import { createTrees } from '#core/git/tree';

/** A text found on disk: its path in the workspace, its content hash, and whether the ledger has it for that object. */
export interface TextChange {
  readonly path: string;
  readonly contentHash: string;
  readonly known: boolean;
}

/** Content hash of the bytes of a stored file, as the scan hashes the file at `path`: line endings may differ between the two. */
export type HashOf = (bytes: Uint8Array, path: string) => string;

/** Which commits hold which of the changed texts. */
export interface CommittedTexts {
  readonly changes: readonly TextChange[];
  /** Reads what these commits have at the paths of these changes; false when git is silent. */
  read(commits: readonly string[], changes: readonly TextChange[]): Promise<boolean>;
  /** Whether a commit that was read has the text of a change at its path; a stored text that cannot be read counts as another. */
  has(commit: string, change: TextChange): boolean;
}

/** Reads committed texts below `prefix` (the workspace folder in the repository); a stored text is read once for a path. */
export function createCommittedTexts(git: GitProgram, prefix: string, changes: readonly TextChange[], hashOf: HashOf): CommittedTexts {
  const paths = changes.map((change) => prefix + change.path);
  const trees = createTrees(git, paths);
  const hashes = new Map<string, string>();

  async function readTexts(unread: ReadonlyMap<string, readonly Stored[]>): Promise<boolean> {
    const objects = await checkObjects(git, [...unread.keys()]);
    const keep = (id: string, bytes: Uint8Array) => {
      for (const { key, path } of unread.get(id)!) if (!hashes.has(key)) hashes.set(key, hashOf(bytes, path));
    };
    return objects !== null && readObjects(git, objects, keep);
  }
  return {
    changes,
    async read(commits, asked) {
      if (!(await trees.read(commits))) return false;
      const tops = new Set(commits.flatMap((commit) => trees.topOf(commit) ?? []));
      const stored = [...tops].flatMap((top) => asked.flatMap(({ path }) => storedAt(trees.fileAt(top, prefix + path), path) ?? []));
      return readTexts(
        Map.groupBy(
          stored.filter(({ key }) => !hashes.has(key)),
          ({ id }) => id,
        ),
      );
    },
    has(commit, { path, contentHash }) {
      const top = trees.topOf(commit);
      const stored = top === null ? null : storedAt(trees.fileAt(top, prefix + path), path);
      return stored !== null && hashes.get(stored.key) === contentHash;
    },
  };
}

interface Stored {
  readonly id: string;
  readonly path: string;
  readonly key: string;
}

const storedAt = (id: string | null, path: string): Stored | null => (id === null ? null : { id, path, key: id + path });
