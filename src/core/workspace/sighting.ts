import type { SeenFile } from '#core/workspace/file-reader';
import type { Finding } from '#core/workspace/walk';
import { copyNameOf } from '#kernel/conflicted-copy';
import type { Facts } from '#kernel/facts';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** An object and the file that is it now. */
export interface Sighting {
  readonly object: Uuid;
  readonly file: SeenFile;
}

/** Which object each file is, and which objects are in two files at once. */
export interface Sightings {
  readonly seen: readonly Sighting[];
  /** Objects whose id stands in several files, with their paths: nothing is recorded for them until one remains. */
  readonly held: ReadonlyMap<Uuid, readonly string[]>;
  /** Conflicted copies of sync clients by their paths: they hold nothing, and are offered to be compared and joined. */
  readonly copies: ReadonlyMap<string, ConflictedCopy>;
  readonly findings: readonly Finding[];
}

/** The document that a conflicted copy is of, and where that is. */
export interface ConflictedCopy {
  readonly object: Uuid;
  readonly of: string;
}

/** What sighting asks of a ledger: what is registered, and whether a content is that of some revision of an object. */
export interface Knowledge {
  readonly facts: Facts;
  knows(object: Uuid, hash: ContentHash): boolean;
}

/**
 * Tells what each file is (`spec/format.md` §8): by the id it carries, else by the path that an object is registered
 * at, unless that object is seen elsewhere by its id. Files are taken in the order of their paths.
 */
export function sightFiles(files: Iterable<SeenFile>, { facts, knows }: Knowledge): Sightings {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const byId = Map.groupBy(
    sorted.filter((file) => file.id !== null),
    (file) => file.id as Uuid,
  );
  const objects = objectsByPath(sorted, facts);
  const byPath = sorted.flatMap((file) => {
    const object = objects.get(file.path);
    return object === undefined || byId.has(object) ? [] : [{ object, file }];
  });
  const held = new Map<Uuid, readonly string[]>();
  const copies = new Map<string, ConflictedCopy>();
  const findings: Finding[] = [];
  const seen: Sighting[] = [...byPath];
  for (const [object, all] of byId) {
    const same = withoutCopies(all, facts.pathOf(object), (hash) => knows(object, hash));
    const file = same.find(({ path }) => path === facts.pathOf(object)) ?? same[0]!;
    for (const copy of all) {
      if (same.includes(copy)) continue;
      copies.set(copy.path, { object, of: file.path });
      findings.push(conflicted(copy.path, file.path));
    }
    if (same.length > 1)
      held.set(
        object,
        same.map(({ path }) => path),
      );
    for (const other of same.slice(1)) findings.push(duplicate(object, same[0]!.path, other.path));
    seen.push({ object, file });
  }
  for (const file of sorted) if (file.binary && !objects.has(file.path)) findings.push(notText(file.path));
  return { seen: seen.sort((a, b) => (a.file.path < b.file.path ? -1 : 1)), held, copies, findings };
}

/**
 * The objects of files that carry no id: what is registered at their paths, or at another spelling of the name that no
 * file has any more, where that is one object and one file.
 */
function objectsByPath(files: readonly SeenFile[], facts: Facts): ReadonlyMap<string, Uuid> {
  const objects = new Map<string, Uuid>();
  const present = new Set(files.map(({ path }) => path));
  const claims = new Map<Uuid, string[]>();
  for (const { path, id } of files) {
    if (id !== null) continue;
    const exact = facts.objectAt(path) as Uuid | null;
    const like = exact === null ? facts.spelledLike(path).filter((other) => !present.has(other)) : [];
    const object = exact ?? (like.length === 1 ? (facts.objectAt(like[0]!) as Uuid | null) : null);
    if (object !== null && exact !== null) objects.set(path, object);
    else if (object !== null) claims.set(object, [...(claims.get(object) ?? []), path]);
  }
  for (const [object, paths] of claims) if (paths.length === 1) objects.set(paths[0]!, object);
  return objects;
}

/**
 * Of files that share an id, those that are no conflicted copies: never none. A name with a number is that of a copy
 * only where its text is a version of the document; any other copy holds it.
 */
function withoutCopies(files: readonly SeenFile[], registered: string | null, knows: (hash: ContentHash) => boolean): readonly SeenFile[] {
  if (files.length === 1) return files;
  const isCopy = ({ path, hash }: SeenFile) => {
    const kind = copyNameOf(path);
    return kind === 'client' || (kind === 'numbered' && knows(hash));
  };
  const originals = files.filter((file) => !isCopy(file));
  if (originals.length > 0) return originals;
  const own = files.filter(({ path }) => path === registered);
  return own.length > 0 ? own : files;
}

function conflicted(copy: string, of: string): Finding {
  return { code: 'conflicted-copy', message: `${copy} is a conflicted copy of ${of}; compare and join them`, path: copy };
}

function duplicate(object: Uuid, first: string, other: string): Finding {
  return { code: 'duplicate-id', message: `${other} and ${first} share vmark.id ${object}`, path: other };
}

function notText(path: string): Finding {
  return { code: 'invalid-utf8', message: `${path} is not UTF-8 text and is not tracked`, path };
}
