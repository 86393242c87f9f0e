import { constants } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type CodeFile, type CodeSource, type Listing, type Looked, largestFile, type ReadBytes } from '#core/anchors/source';
import type { Git } from '#core/git/git';
import { type Disk, isMissing } from '#core/storage/disk';
import { isBorder, isIgnored, isNameable, type Rules, skipped, withRules } from '#core/workspace/walk';

/** What a folder as a source of code is made from. `root` is a real path. */
export interface FolderSourceParts {
  readonly disk: Disk;
  readonly root: string;
  readonly git: Git | null;
  readonly now: () => number;
  /** What a commit holds; absent where there is no git. */
  readonly blobAt?: (commit: string, path: string) => Promise<Buffer | null | undefined>;
}

/** A folder as it is on disk. What `.gitignore` names is not listed, but may be looked at by its path. */
export function folderSource({ disk, root, git, now, blobAt }: FolderSourceParts): CodeSource {
  const stampOf = (stat: Stat) => {
    // A file that was written a moment ago may be written again within the same tick of its clock.
    const isSettled = now() - Number(stat.mtimeNs / 1_000_000n) > settledMs;
    return isSettled ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : null;
  };
  const fileOf = (path: string, stat: Stat): CodeFile => ({ path, size: Number(stat.size), stamp: stampOf(stat), blob: null });
  return {
    key: root,
    // Some wait for a parser while others are read.
    atOnce: 8,
    async look(path): Promise<Looked> {
      const found = statOf(disk, root, path);
      return typeof found === 'string' ? { kind: found } : { kind: 'file', file: fileOf(path, found) };
    },
    list: (wants, limit, expired) => listFolder({ disk, root, fileOf }, wants, limit, expired),
    async read({ path }): Promise<ReadBytes> {
      const found = statOf(disk, root, path);
      if (typeof found === 'string') return { kind: found };
      try {
        // A link or a pipe that came in the meantime is not followed and not waited for.
        const handle = disk.openSync(join(root, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
        try {
          if (!disk.fstatSync(handle).isFile()) return { kind: 'unreadable' };
          const bytes = readUpTo(disk, handle, largestFile + 1);
          return bytes.length > largestFile ? { kind: 'too_large' } : { kind: 'bytes', bytes, stamp: stampOf(found) };
        } finally {
          disk.closeSync(handle);
        }
      } catch (error) {
        return { kind: isMissing(error) ? 'absent' : 'unreadable' };
      }
    },
    commit: async () => (await git?.position())?.head ?? null,
    at: async (commit, path) => (blobAt === undefined ? undefined : blobAt(commit, path)),
  };
}

/** As for a scan: what changed within two seconds is read again whatever its stat says. */
const settledMs = 2000;

interface Stat {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

function statOf(disk: Disk, root: string, path: string): Stat | 'absent' | 'unreadable' | 'too_large' {
  const parts = path.split('/');
  try {
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = disk.lstatSync(join(root, ...parts.slice(0, depth)));
      if (folder.isSymbolicLink()) return 'unreadable';
      if (!folder.isDirectory()) return 'absent';
    }
    const stat = disk.lstatSync(join(root, path), { bigint: true });
    if (stat.isDirectory()) return 'absent';
    if (!stat.isFile()) return 'unreadable';
    return stat.size > largestFile ? 'too_large' : stat;
  } catch (error) {
    return isMissing(error) ? 'absent' : 'unreadable';
  }
}

function readUpTo(disk: Disk, handle: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const chunk = Buffer.allocUnsafe(Math.min(256 * 1024, most - length));
    const read = disk.readSync(handle, chunk, 0, chunk.length, null);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  return Buffer.concat(chunks);
}

interface Walking {
  readonly disk: Disk;
  readonly root: string;
  fileOf(path: string, stat: Stat): CodeFile;
}

async function listFolder(
  { disk, root, fileOf }: Walking,
  wants: (path: string) => boolean,
  limit: number,
  expired: () => boolean,
): Promise<Listing> {
  const files: CodeFile[] = [];
  const folders: { path: string; outer: readonly Rules[] }[] = [{ path: '', outer: [] }];
  let complete = true;
  let turn = performance.now();
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { path: folder, outer } = next;
    const entries = entriesOf(disk, join(root, folder));
    if (entries === null) {
      complete = false;
      continue;
    }
    if (folder !== '' && isBorder(disk, root, folder, entries)) continue;
    const rules = withRules(disk, root, folder, entries, outer);
    if (rules === null) {
      complete = false;
      continue;
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!isNameable(entry.name)) continue;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name.toLowerCase()) && !isIgnored(rules, `${path}/`)) folders.push({ path, outer: rules });
      } else if (entry.isFile() && wants(path) && !isIgnored(rules, path)) {
        const stat = statOf(disk, root, path);
        if (stat === 'unreadable') complete = false;
        if (typeof stat !== 'string') files.push(fileOf(path, stat));
      }
      if (performance.now() - turn > turnMs) {
        await setImmediate();
        turn = performance.now();
      }
    }
    if (expired()) break;
  }
  // All are listed before some are left out, so that which they are does not hang on the order of folders.
  const more = files.length > limit || folders.length > 0;
  return { files: sorted(files).slice(0, limit), complete, more };
}

/** How long others wait while folders are read. */
const turnMs = 15;

const sorted = (files: CodeFile[]) => files.sort((a, b) => (a.path < b.path ? -1 : 1));

function entriesOf(disk: Disk, folder: string) {
  try {
    return disk.readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}
