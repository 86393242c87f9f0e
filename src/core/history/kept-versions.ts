import { hash as sha256 } from 'node:crypto';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { thinned } from '#core/history/thinning';
import { type Disk, readIfThere, removeIfThere } from '#core/storage/disk';
import { replaceAtomic } from '#core/storage/replacing';
import { isInside } from '#core/workspace/place';
import { takeTurns } from '#core/workspace/turns';
import { pathAfter } from '#kernel/address';
import type { Move } from '#protocol/file-calls';

/** A version that the app data keeps: when it was saved, the SHA-256 of its bytes in hex, and by whom. */
export interface KeptVersion {
  at: number;
  hash: string;
  by: 'you' | 'ai' | 'outside';
  /** An earlier version was put back in its place: it does not go as quickly as others. */
  isReplaced?: true | undefined;
}

interface Index {
  path: string;
  versions: KeptVersion[];
}

const isVersion = (value: unknown): value is KeptVersion => {
  const { at, hash, by, isReplaced } = (value ?? {}) as Partial<Record<keyof KeptVersion, unknown>>;
  if (isReplaced !== undefined && isReplaced !== true) return false;
  return Number.isFinite(at) && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && ['you', 'ai', 'outside'].includes(by as string);
};

const isIndex = (value: unknown): value is Index => {
  const { path, versions } = (value ?? {}) as Partial<Record<keyof Index, unknown>>;
  return typeof path === 'string' && isInside(path) && Array.isArray(versions) && versions.every(isVersion);
};

/** What a file held before a save, and since when, in ms since 1970. */
export interface Before {
  readonly bytes: Buffer;
  readonly at: number;
}

/** The saved versions of documents that no ledger has, kept in the app data and fewer as they grow old. */
export interface KeptVersions {
  /** Oldest first. What cannot be read counts as none. */
  of(path: string): readonly KeptVersion[];
  /** The bytes of a version; null where they are gone or damaged. */
  bytes(path: string, hash: string): Buffer | null;
  /**
   * Keeps what a file holds now (null: somebody else keeps that). `before`: what it held, where nobody may know of that yet; `isRestored`: an
   * earlier version was put back.
   */
  keep(path: string, bytes: Buffer | null, by: 'you' | 'ai', before: Before | null, isRestored?: boolean): void;
  /** The histories go along with their files. */
  moved(moves: readonly Move[]): void;
  /**
   * Finds the history of a file that another program renamed: the newest of one that is gone (`isThere`) and ended with what the file at `path` began
   * with here, or, where nothing is kept of it yet, holds now (`hash`). It is that of `path` from then on.
   */
  adopt(path: string, hash: string, isThere: (path: string) => boolean): Promise<void>;
}

const indexName = 'versions.json';

/** Opens the kept versions of a workspace in `folder`; nothing is made before there is one. */
export function openKeptVersions(disk: Disk, folder: string, now: () => number, newToken: () => string): KeptVersions {
  const folderOf = (path: string) => join(folder, sha256('sha256', path.normalize('NFC'), 'hex').slice(0, 32));
  const indexIn = (place: string): Index | null => {
    try {
      const found: unknown = JSON.parse(readIfThere(disk, join(place, indexName))?.toString('utf8') ?? 'null');
      return isIndex(found) ? found : null;
    } catch {
      return null;
    }
  };
  const write = (file: string, bytes: Uint8Array) => {
    const temporary = `${file}.${newToken()}.new`;
    replaceAtomic(disk, file, bytes, temporary, { mode: 0o600, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
  };
  const put = (path: string, versions: readonly KeptVersion[], before: readonly KeptVersion[]) => {
    const place = folderOf(path);
    write(join(place, indexName), Buffer.from(JSON.stringify({ path, versions })));
    const names = new Set(versions.map(({ hash }) => hash));
    for (const { hash } of before) if (!names.has(hash)) removeIfThere(disk, join(place, hash));
  };
  const store = (path: string, bytes: Buffer): string => {
    const hash = sha256('sha256', bytes, 'hex');
    const file = join(folderOf(path), hash);
    disk.mkdirSync(folderOf(path), { recursive: true, mode: 0o700 });
    if (!disk.existsSync(file)) write(file, deflateRawSync(bytes, { level: 1 }));
    return hash;
  };
  const of = (path: string) => indexIn(folderOf(path))?.versions ?? [];
  /** `isContinued`: what is kept at `to` began with what `from` ended with. */
  const move = (from: string, to: string, isContinued: boolean) => {
    const [place, other] = [folderOf(from), folderOf(to)];
    const found = indexIn(place)!;
    const there = indexIn(other);
    if (there === null) {
      disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const name of disk.existsSync(other) ? disk.readdirSync(other) : []) removeIfThere(disk, join(other, name));
      disk.renameSync(place, other);
      return put(to, found.versions, []);
    }
    // Where another document stood at this path, its versions are older than the move. Where the same one did, what it began with there is the last
    // version here: by its file's date that could stand anywhere.
    for (const { hash } of found.versions) if (!disk.existsSync(join(other, hash))) disk.renameSync(join(place, hash), join(other, hash));
    const joined = isContinued ? [...found.versions, ...there.versions.slice(1)] : [...there.versions, ...found.versions];
    const all = joined.sort((a, b) => a.at - b.at);
    put(
      to,
      all.filter(({ hash }, at) => hash !== all[at - 1]?.hash),
      [],
    );
    for (const name of disk.readdirSync(place)) removeIfThere(disk, join(place, name));
  };
  return {
    of,
    bytes(path, hash) {
      try {
        const bytes = inflateRawSync(disk.readFileSync(join(folderOf(path), hash)) as Buffer);
        return sha256('sha256', bytes, 'hex') === hash ? bytes : null;
      } catch {
        return null;
      }
    },
    keep(path, bytes, by, before, isRestored = false) {
      const known = of(path);
      const last = known.at(-1)?.hash;
      const added: KeptVersion[] = [];
      if (before !== null && sha256('sha256', before.bytes, 'hex') !== last) {
        const at = Math.max((known.at(-1)?.at ?? 0) + 1, Math.min(before.at, now() - 1));
        added.push({ at, hash: store(path, before.bytes), by: 'outside' });
      }
      const there = [...known, ...added].map((version, at, { length }) =>
        isRestored && at === length - 1 ? { ...version, isReplaced: true as const } : version,
      );
      const hash = bytes === null ? null : sha256('sha256', bytes, 'hex');
      const isNew = bytes !== null && hash !== there.at(-1)?.hash;
      const all = isNew ? [...there, { at: now(), hash: store(path, bytes), by }] : there;
      if (isNew || added.length > 0) put(path, thinned(all, now()), all);
    },
    moved(moves) {
      if (!disk.existsSync(folder)) return;
      for (const name of disk.readdirSync(folder)) {
        const path = indexIn(join(folder, name))?.path;
        if (path !== undefined && pathAfter(moves, path) !== path) move(path, pathAfter(moves, path), false);
      }
    },
    async adopt(path, now, isThere) {
      const first = of(path)[0]?.hash ?? now;
      const turns = takeTurns();
      let newest: { readonly path: string; readonly at: number } | null = null;
      for (const name of disk.existsSync(folder) ? disk.readdirSync(folder) : []) {
        const found = indexIn(join(folder, name));
        const last = found?.versions.at(-1);
        await turns.rest();
        if (found === null || last?.hash !== first || found.path === path || last.at < (newest?.at ?? 0) || isThere(found.path)) continue;
        newest = { path: found.path, at: last.at };
      }
      if (newest !== null && !isThere(newest.path)) move(newest.path, path, true);
    },
  };
}
