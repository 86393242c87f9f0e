import { join } from 'node:path';
import type { Disk } from '#core/storage/disk';
import { fillFrom, PrefixHash } from '#core/storage/segments';
import { quickPacker } from '#core/storage/wasm-packer';
import { LineBatch } from '#kernel/line-batch';

/** Segments that two threads read together. Memory is shared; `claims` has a word for each segment, set by whoever takes it. */
export interface PackingOrder {
  readonly folder: string;
  readonly names: readonly string[];
  readonly claims: Int32Array;
  /** Where packed lines are put, and for each place whether the other thread still reads it. */
  readonly places: readonly Uint32Array[];
  readonly taken: Int32Array;
}

/**
 * What has been packed of a segment: so many words at a place, for its lines up to byte `offset`. Without a place there is no
 * more; then `prefix` is the hash of all of it.
 */
export interface Packed {
  readonly segment: number;
  readonly place: number | null;
  readonly end: number;
  readonly offset: number;
  readonly prefix: string;
}

/** How much is read at once, in bytes. */
const slice = 256 * 1024;
/** How many words a place has: what a slice takes, mostly. A line for which it is too small is left to the other thread. */
export const placeSize = 96 * 1024;

/** Takes a segment that nobody has taken, from the first on; null where there is none. */
export function claimFirst(claims: Int32Array): number | null {
  for (let segment = 0; segment < claims.length; segment++) if (Atomics.compareExchange(claims, segment, 0, 1) === 0) return segment;
  return null;
}

/** The same from the last on. */
export function claimLast(claims: Int32Array): number | null {
  for (let segment = claims.length - 1; segment >= 0; segment--) if (Atomics.compareExchange(claims, segment, 0, 1) === 0) return segment;
  return null;
}

/** Packs segments as long as there are any; `tell` is told of each slice. Waits while every place is being read. */
export function packSegments(disk: Disk, order: PackingOrder, tell: (packed: Packed) => void): void {
  const pack = quickPacker(true);
  const room = Buffer.allocUnsafe(slice);
  const batches = order.places.map((words) => new LineBatch(words));
  let place = 0;

  const packSegment = (segment: number, handle: number) => {
    const hash = new PrefixHash();
    for (let offset = 0; ; place = (place + 1) % batches.length) {
      const bytes = room.subarray(0, fillFrom(disk, handle, room, offset));
      Atomics.wait(order.taken, place, 1);
      const batch = batches[place]!;
      batch.end = 0;
      const length = pack(bytes, offset, batch);
      if (length === 0) return tell({ segment, place: null, end: 0, offset, prefix: hash.value() });
      hash.add(bytes.subarray(0, length));
      offset += length;
      Atomics.store(order.taken, place, 1);
      tell({ segment, place, end: batch.end, offset, prefix: '' });
    }
  };

  for (let segment = claimFirst(order.claims); segment !== null; segment = claimFirst(order.claims)) {
    const handle = disk.openSync(join(order.folder, order.names[segment]!), 'r');
    try {
      packSegment(segment, handle);
    } finally {
      disk.closeSync(handle);
    }
  }
}
