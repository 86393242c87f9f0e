import type { GitProgram } from '#core/git/program';

/** An object that git has. */
export interface StoredObject {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

/** What git has under each name (no newline in it), null where nothing; null when git is silent. */
export async function checkObjects(git: GitProgram, names: readonly string[]): Promise<(StoredObject | null)[] | null> {
  if (names.length === 0) return [];
  const answer = await git(['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], linesOf(names));
  if (answer === null) return null;
  if (answer.isDone) return parseObjects(answer.bytes).slice(0, names.length);
  // Git gives up at the first object that a partial clone never fetched; the others are still there.
  return names.length === 1 ? [null] : oneByOne(names, (name) => checkObjects(git, [name]));
}

/** Hands over the bytes of each object (null is passed over) that can be read and is not larger than 256 MiB; false when git is silent. */
export async function readObjects(
  git: GitProgram,
  objects: readonly (StoredObject | null)[],
  read: (id: string, bytes: Uint8Array) => void,
): Promise<boolean> {
  const wanted = objects.filter((object) => object !== null).filter((object) => object.size <= largestObject);
  for (const batch of batchesOf(wanted)) {
    const answer = await git(['cat-file', '--batch=%(objectname)'], linesOf(batch.map((object) => object.id)));
    if (answer === null) return false;
    if (answer.isDone) readBatch(batch, answer.bytes, read);
  }
  return true;
}

const batchBytes = 32 * 1024 * 1024;
const largestObject = 256 * 1024 * 1024;
const linesOf = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');

function parseObjects(bytes: Uint8Array): (StoredObject | null)[] {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  return lines.map((line) => {
    const [, id, type, size] = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? [];
    return id === undefined || type === undefined ? null : { id, type, size: Number(size) };
  });
}

async function oneByOne<T>(names: readonly string[], ask: (name: string) => Promise<T[] | null>): Promise<T[] | null> {
  const all: T[] = [];
  for (const name of names) {
    const answers = await ask(name);
    if (answers === null) return null;
    all.push(...answers);
  }
  return all;
}

function readBatch(batch: readonly StoredObject[], bytes: Uint8Array, read: (id: string, bytes: Uint8Array) => void): void {
  let at = 0;
  for (const object of batch) {
    const start = at + object.id.length + 1;
    read(object.id, bytes.subarray(start, start + object.size));
    at = start + object.size + 1;
  }
}

function batchesOf(objects: readonly StoredObject[]): StoredObject[][] {
  const batches: StoredObject[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const object of objects) {
    if (bytes + object.size > batchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(object);
    bytes += object.size;
  }
  return batches;
}
