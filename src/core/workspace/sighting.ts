import type { SeenFile } from '#core/workspace/sweep';
import type { Finding } from '#core/workspace/walk';
import type { Facts } from '#kernel/facts';
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
  readonly findings: readonly Finding[];
}

/**
 * Tells what each file is (`spec/format.md` §8): by the id it carries, else by the path that an object is registered
 * at, unless that object is seen elsewhere by its id. Files are taken in the order of their paths.
 */
export function sightFiles(files: Iterable<SeenFile>, facts: Facts): Sightings {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const byId = Map.groupBy(
    sorted.filter((file) => file.id !== null),
    (file) => file.id as Uuid,
  );
  const byPath = sorted.flatMap((file) => {
    const object = file.id === null ? facts.objectAt(file.path) : null;
    return object === null || byId.has(object as Uuid) ? [] : [{ object: object as Uuid, file }];
  });
  const held = new Map<Uuid, readonly string[]>();
  const findings: Finding[] = [];
  const seen: Sighting[] = [...byPath];
  for (const [object, same] of byId) {
    if (same.length > 1)
      held.set(
        object,
        same.map((file) => file.path),
      );
    for (const other of same.slice(1)) findings.push(duplicate(object, same[0]!.path, other.path));
    seen.push({ object, file: same.find((file) => file.path === facts.pathOf(object)) ?? same[0]! });
  }
  for (const file of sorted) if (file.binary && facts.objectAt(file.path) === null) findings.push(notText(file.path));
  return { seen: seen.sort((a, b) => (a.file.path < b.file.path ? -1 : 1)), held, findings };
}

function duplicate(object: Uuid, first: string, other: string): Finding {
  return { code: 'duplicate-id', message: `${other} and ${first} share vmark.id ${object}`, path: other };
}

function notText(path: string): Finding {
  return { code: 'invalid-utf8', message: `${path} is not UTF-8 text and is not tracked`, path };
}
