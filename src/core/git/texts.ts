import { findBlobs, readBlobs } from '#core/git/blobs';
import type { GitProgram } from '#core/git/program';

/** A text found on disk: its path in the workspace, its content hash, and whether the ledger has it for that object. */
export interface TextChange {
  readonly path: string;
  readonly contentHash: string;
  readonly known: boolean;
}

/** Content hash of the bytes of a stored file, as the scan hashes the file at `path`: line endings may differ between the two. */
export type HashOf = (bytes: Uint8Array, path: string) => string;

/** Which commits hold which texts. */
export interface CommittedTexts {
  /** The pairs (see `pairKey`) of a commit that has the text of a change at its path; null when git is silent. */
  holders(commits: readonly string[], changes: readonly TextChange[]): Promise<Set<string> | null>;
}

/** Names a commit with a path. */
export const pairKey = (commit: string, path: string): string => `${commit}:${path}`;

/** Reads committed texts below `prefix` (the workspace folder in the repository); a stored text is read once for a path. */
export function createCommittedTexts(git: GitProgram, prefix: string, hashOf: HashOf): CommittedTexts {
  const hashes = new Map<string, string>();
  return {
    async holders(commits, changes) {
      const pairs = commits.flatMap((commit) => changes.map((change) => ({ commit, change })));
      const places = pairs.map(({ commit, change }) => ({ commit, path: prefix + change.path }));
      const blobs = await findBlobs(git, places);
      if (blobs === null) return null;
      const found = pairs.flatMap((pair, at) => (blobs[at] ? [{ ...pair, key: blobs[at].id + pair.change.path, blob: blobs[at] }] : []));
      const unread = new Map(
        found.filter(({ key }) => !hashes.has(key)).map(({ key, blob, change }) => [key, { ...blob, key, path: change.path }]),
      );
      const isRead = await readBlobs(git, [...unread.values()], ({ key, path }, bytes) => hashes.set(key, hashOf(bytes, path)));
      if (!isRead) return null;
      const holding = found.filter(({ key, change }) => hashes.get(key) === change.contentHash);
      return new Set(holding.map(({ commit, change }) => pairKey(commit, change.path)));
    },
  };
}
