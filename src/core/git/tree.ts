import { checkObjects, readObjects } from '#core/git/object';
import type { GitProgram } from '#core/git/program';

/** The trees of commits, as far as they lead to certain paths. */
export interface Trees {
  /** Reads what the other two need for these commits; false when git is silent. */
  read(commits: readonly string[]): Promise<boolean>;
  /** Object name of the top tree of a commit that was read; null where there is no such commit. */
  topOf(commit: string): string | null;
  /** Object name of the regular file at one of the paths below a top tree; null where there is none. */
  fileAt(top: string, path: string): string | null;
}

/**
 * Walks from the top of each commit towards `paths` (from the top of the repository). No name of a file is ever given to
 * git, so any is good, and a tree that commits share is read once: looking each path up by itself reads its folder anew.
 */
export function createTrees(git: GitProgram, paths: readonly string[]): Trees {
  const tops = new Map<string, string>();
  const rows = new Map<string, ReadonlyMap<string, Row>>();
  const ways = new Map(paths.map((path) => [path, Buffer.from(path, 'utf8').toString('latin1').split('/')]));
  const names = new Set([...ways.values()].flat());
  const depth = Math.max(0, ...[...ways.values()].map((way) => way.length));

  async function readTrees(ids: readonly string[]): Promise<boolean> {
    const trees = await checkObjects(git, ids);
    const keep = (id: string, bytes: Uint8Array) => rows.set(id, parseTree(bytes, id.length / 2, names));
    return trees !== null && readObjects(git, trees, keep);
  }
  return {
    async read(commits) {
      const found = await checkObjects(
        git,
        commits.map((commit) => `${commit}^{tree}`),
      );
      if (found === null) return false;
      for (const [at, top] of found.entries()) if (top !== null) tops.set(commits[at]!, top.id);
      const ids = new Set(found.flatMap((top) => top?.id ?? []));
      for (let level = 0; level < depth; level++) {
        const folders = foldersAt(ways.values(), level);
        const trees = new Set([...ids].flatMap((top) => folders.flatMap((folder) => descend(rows, top, folder, true) ?? [])));
        if (!(await readTrees([...trees].filter((id) => !rows.has(id))))) return false;
      }
      return true;
    },
    topOf: (commit) => tops.get(commit) ?? null,
    fileAt: (top, path) => descend(rows, top, ways.get(path)!, false),
  };
}

interface Row {
  readonly id: string;
  readonly isTree: boolean;
}

function descend(rows: ReadonlyMap<string, ReadonlyMap<string, Row>>, top: string, way: readonly string[], isTree: boolean): string | null {
  let row: Row | undefined = { id: top, isTree: true };
  for (const name of way) row = row?.isTree ? rows.get(row.id)?.get(name) : undefined;
  return row?.isTree === isTree ? row.id : null;
}

function foldersAt(ways: Iterable<readonly string[]>, level: number): string[][] {
  const folders = [...ways].filter((way) => way.length > level).map((way) => way.slice(0, level));
  return [...new Map(folders.map((folder) => [folder.join('/'), folder])).values()];
}

// A row is its mode, a space, its name, a zero byte and the raw object name. Links and submodules are no texts.
function parseTree(bytes: Uint8Array, idBytes: number, names: ReadonlySet<string>): Map<string, Row> {
  const rows = new Map<string, Row>();
  const tree = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(0x20, at);
    const zero = tree.indexOf(0x00, space);
    const name = tree.toString('latin1', space + 1, zero);
    const mode = tree.toString('latin1', at, space);
    at = zero + 1 + idBytes;
    const isTree = mode === '40000';
    if (names.has(name) && (isTree || mode.startsWith('100'))) rows.set(name, { id: tree.toString('hex', zero + 1, at), isTree });
  }
  return rows;
}
