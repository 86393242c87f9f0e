import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type Disk, inFolder, isMissing, makeFolder, readIfThere, syncFolder } from '#core/storage/disk';
import { type Begun, beginReplacing, finishFlushed } from '#core/storage/replacing';
import { type ContentHash, parseContentHash } from '#kernel/revision';

/** What the store holds under a hash: the bytes, nothing, or bytes that do not hash to their name. */
export type Snapshot = { readonly kind: 'found'; readonly bytes: Buffer } | { readonly kind: 'missing' } | { readonly kind: 'damaged' };

/** The content store of a ledger, `snapshots/` in `folder` (`spec/format.md` §4). */
export interface Snapshots {
  /** Stores `bytes` under their hash, durably. An equal snapshot is left alone, a damaged one is repaired. */
  put(name: ContentHash, bytes: Uint8Array): void;
  /** Begins to store, to be flushed and finished with other files; then `folder` is flushed, before anything names the snapshot. Null where an equal one stands. */
  begin(name: ContentHash, bytes: Uint8Array): { readonly begun: Begun; readonly folder: string } | null;
  /** The names of all that is stored, whatever it holds; files of other names are none. */
  names(): Generator<ContentHash>;
  /** Stores one of many: it is durable once `flush` has returned. */
  putUnflushed(name: ContentHash, bytes: Uint8Array): void;
  /** Makes durable what `putUnflushed` has stored: each folder is flushed once. */
  flush(): void;
  /** Reads and verifies. */
  get(name: ContentHash): Snapshot;
}

/** Opens the store; nothing is created before the first `put`. `newToken` names temporary files. */
export function openSnapshots(disk: Disk, folder: string, newToken: () => string): Snapshots {
  const root = join(folder, 'snapshots', 'sha256');
  const staging = join(folder, 'snapshots', 'tmp');
  const placeOf = (name: ContentHash) => ({ folder: join(root, name.slice(7, 9)), file: join(root, name.slice(7, 9), name.slice(9)) });
  const get = (name: ContentHash): Snapshot => {
    const bytes = readIfThere(disk, placeOf(name).file);
    if (bytes === null) return { kind: 'missing' };
    return hash('sha256', bytes, 'hex') === name.slice(7) ? { kind: 'found', bytes } : { kind: 'damaged' };
  };
  const unflushed = new Set<string>();
  const begin = (name: ContentHash, bytes: Uint8Array): Begun | null => {
    const place = placeOf(name);
    if (disk.existsSync(place.file) && get(name).kind === 'found') return null;
    makeFolder(disk, place.folder);
    return inFolder(disk, staging, () => beginReplacing(disk, place.file, bytes, join(staging, newToken())));
  };
  /** Answers whether it was not there. */
  const store = (name: ContentHash, bytes: Uint8Array): boolean => {
    const begun = begin(name, bytes);
    if (begun !== null) finishFlushed(disk, begun);
    return begun !== null;
  };
  return {
    get,
    *names() {
      for (const start of namesIn(disk, root)) {
        for (const rest of namesIn(disk, join(root, start))) {
          const name = parseContentHash(`sha256:${start}${rest}`);
          if (name !== null && start.length === 2) yield name;
        }
      }
    },
    put(name, bytes) {
      const isNew = store(name, bytes);
      const { folder } = placeOf(name);
      // One that was there may be of those that are not flushed yet.
      if (unflushed.delete(folder) || isNew) syncFolder(disk, folder);
    },
    begin(name, bytes) {
      const begun = begin(name, bytes);
      return begun === null ? null : { begun, folder: placeOf(name).folder };
    },
    putUnflushed(name, bytes) {
      if (store(name, bytes)) unflushed.add(placeOf(name).folder);
    },
    flush() {
      for (const folder of unflushed) syncFolder(disk, folder);
      unflushed.clear();
    },
  };
}

function namesIn(disk: Disk, folder: string): string[] {
  try {
    return disk.readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
