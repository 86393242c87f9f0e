import type { GitProgram } from '#core/git/program';

/** A path in the tree of a commit, from the top of the repository. */
export interface Place {
  readonly commit: string;
  readonly path: string;
}

/** A stored file: its object name, and its bytes where they are known (else 0). */
export interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The stored file at each place, null where there is none; null when git is silent. */
export async function findBlobs(git: GitProgram, places: readonly Place[]): Promise<(Blob | null)[] | null> {
  // The names that cat-file reads end at a newline.
  const plain = places.filter((place) => !place.path.includes('\n'));
  const checked = await checkBlobs(git, plain);
  if (checked === null) return null;
  const found = new Map(checked === 'refused' ? [] : plain.map((place, at) => [place, checked[at] ?? null]));
  const rest = places.filter((place) => !found.has(place));
  for (const commit of new Set(rest.map((place) => place.commit))) {
    for (const group of groupsOf(rest.filter((place) => place.commit === commit))) {
      const listed = await listBlobs(git, commit, group);
      if (listed === null) return null;
      for (const place of group) found.set(place, listed.get(place.path) ?? null);
    }
  }
  return places.map((place) => found.get(place) ?? null);
}

// Dies at the first object that a partial clone has not fetched, which is no reason to know nothing of the others.
async function checkBlobs(git: GitProgram, places: readonly Place[]): Promise<(Blob | null)[] | 'refused' | null> {
  if (places.length === 0) return [];
  const names = places.map((place) => `${place.commit}:${place.path}\n`).join('');
  const answer = await git(['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], names);
  if (!answer?.isDone) return answer === null ? null : 'refused';
  const lines = Buffer.from(answer.bytes).toString('utf8').split('\n');
  return places.map((_, at) => {
    const [, id, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(lines[at] ?? '') ?? [];
    return id === undefined ? null : { id, size: Number(size) };
  });
}

// Reads trees only, so it needs no file to be there.
async function listBlobs(git: GitProgram, commit: string, places: readonly Place[]): Promise<Map<string, Blob> | null> {
  const answer = await git(['ls-tree', '-z', '--full-tree', commit, '--', ...places.map((place) => place.path)]);
  if (answer === null) return null;
  const rows = Buffer.from(answer.bytes).toString('utf8').split('\0');
  const blobs = rows.map((row) => /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(row)).filter((match) => match !== null);
  return new Map(blobs.map((match) => [match[2]!, { id: match[1]!, size: 0 }]));
}

const batchBytes = 32 * 1024 * 1024;
const largestText = 256 * 1024 * 1024;

/** Hands the bytes of each stored file that can be read, and is not larger than 256 MiB, to `read`; false when git is silent. */
export async function readBlobs<B extends Blob>(
  git: GitProgram,
  blobs: readonly B[],
  read: (blob: B, bytes: Uint8Array) => void,
): Promise<boolean> {
  for (const batch of batchesOf(blobs.filter((blob) => blob.size <= largestText))) {
    const answer = await git(['cat-file', '--batch=%(objectname) %(objectsize)'], batch.map((blob) => `${blob.id}\n`).join(''));
    if (answer === null) return false;
    if (answer.isDone) readBatch(batch, answer.bytes, read);
    else if (batch.length > 1) for (const blob of batch) if (!(await readBlobs(git, [blob], read))) return false;
  }
  return true;
}

function readBatch<B extends Blob>(batch: readonly B[], bytes: Uint8Array, read: (blob: B, bytes: Uint8Array) => void): void {
  let at = 0;
  for (const blob of batch) {
    const start = bytes.indexOf(0x0a, at) + 1;
    const [id, size = ''] = Buffer.from(bytes.subarray(at, start - 1))
      .toString('latin1')
      .split(' ');
    const end = id === blob.id && /^\d+$/.test(size) ? start + Number(size) : null;
    if (end !== null) read(blob, bytes.subarray(start, end));
    at = end === null ? start : end + 1;
  }
}

function batchesOf<B extends Blob>(blobs: readonly B[]): B[][] {
  const batches: B[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const blob of blobs) {
    if (bytes + blob.size > batchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(blob);
    bytes += blob.size;
  }
  return batches;
}

// Paths go on the command line, which has an end (about 32,000 characters on Windows).
function groupsOf(places: readonly Place[]): Place[][] {
  return Array.from({ length: Math.ceil(places.length / 50) }, (_, at) => places.slice(at * 50, at * 50 + 50));
}
