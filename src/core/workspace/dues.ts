import { hash as sha256 } from 'node:crypto';
import { join } from 'node:path';
import { type Home, workspaceKey } from '#core/home';
import { type Disk, readIfThere, removeIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import type { Acceptance } from '#core/workspace/authorship';
import { isInside } from '#core/workspace/place';
import type { ContentHash, RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** A text that autosave wrote to its file and that is still to be recorded (`spec/format.md` §6). */
export interface Due {
  readonly path: string;
  /** Content hash of what was written last, or was about to be. */
  readonly hash: ContentHash;
  /** The due text that it replaced, and the idem of its save: what the file still holds if the write did not happen. */
  readonly previous: { readonly hash: ContentHash; readonly idem: Uuid } | null;
  /** Idems under which it may have been recorded already; the first is that of its last save. */
  readonly idems: readonly Uuid[];
  /** What the first of these saves was written over; null where that was never recorded. */
  readonly parents: readonly RevisionId[] | null;
  readonly accepted: readonly Acceptance[];
}

/**
 * The dues of one workspace, in the app data, so that no program of this installation takes our own text for somebody
 * else's, also after a crash. A due is put down before its file is written, and the text itself after: where it is, the
 * file was written, and the text can be recorded even if another program has written over it since.
 */
export interface Dues {
  /** By their paths. What cannot be read is left out. */
  all(): Due[];
  at(path: string): Due | null;
  put(due: Due): void;
  /** The file holds these bytes now; texts of earlier saves are dropped. */
  written(due: Due, bytes: Uint8Array): void;
  /** The bytes that were written, null where they never were. */
  text(due: Due, content: ContentHash): Buffer | null;
  remove(due: Due): void;
}

const ending = '.json';

/** Opens the dues of a workspace; nothing is created before there is one. */
export function openDues(disk: Disk, home: Home, root: string, newToken: () => string): Dues {
  const folder = join(home.folder, 'dues', workspaceKey(root));
  const keyOf = (path: string) => sha256('sha256', path, 'hex').slice(0, 32);
  const entryOf = (path: string) => join(folder, `${keyOf(path)}${ending}`);
  const textOf = (path: string, content: ContentHash) => join(folder, `${keyOf(path)}-${content.slice('sha256:'.length)}`);
  const names = () => {
    try {
      return disk.readdirSync(folder);
    } catch {
      return [];
    }
  };
  const write = (file: string, bytes: Uint8Array) => {
    disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeAtomic(disk, file, bytes, `${file}.${newToken()}.new`);
  };
  const read = (file: string) => parseDue(readQuietly(disk, file));
  return {
    all: () =>
      names()
        .flatMap((name) => (name.endsWith(ending) ? (read(join(folder, name)) ?? []) : []))
        .sort(byPath),
    at: (path) => read(entryOf(path)),
    put: (due) => write(entryOf(due.path), Buffer.from(JSON.stringify(due))),
    written(due, bytes) {
      const file = textOf(due.path, due.hash);
      write(file, bytes);
      dropTexts(due.path, file);
    },
    text: (due, content) => readQuietly(disk, textOf(due.path, content)),
    remove(due) {
      removeIfThere(disk, entryOf(due.path));
      dropTexts(due.path, null);
    },
  };

  function dropTexts(path: string, but: string | null): void {
    const own = names().filter((name) => name.startsWith(`${keyOf(path)}-`));
    for (const name of own) if (join(folder, name) !== but) removeIfThere(disk, join(folder, name));
  }
}

const byPath = (a: Due, b: Due) => (a.path < b.path ? -1 : 1);

function readQuietly(disk: Disk, file: string): Buffer | null {
  try {
    return readIfThere(disk, file);
  } catch {
    return null;
  }
}

function parseDue(bytes: Buffer | null): Due | null {
  try {
    const due = JSON.parse(bytes?.toString('utf8') ?? 'null') as Due | null;
    const isDue = due !== null && isInside(due.path) && due.hash.startsWith('sha256:') && due.idems.length > 0;
    return isDue && Array.isArray(due.accepted) ? due : null;
  } catch {
    return null;
  }
}
