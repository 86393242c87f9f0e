import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { digest } from '#core/digest';
import type { Disk } from '#core/storage/disk';
import { mateProgram, startMate } from '#core/storage/segment-mate';
import type { Packed } from '#core/storage/segment-packing';
import { fillFrom, hashPrefix, PrefixHash, type SegmentStat, type SegmentState } from '#core/storage/segments';
import { quickPacker } from '#core/storage/wasm-packer';
import type { LineBatch } from '#kernel/line-batch';
import { type Decode, Reading, type Winner } from '#kernel/reading';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 as text, or null where a byte is none. */
export const decodeUtf8: Decode = (bytes, start, end) => {
  try {
    return decoder.decode(bytes.subarray(start, end));
  } catch {
    return null;
  }
};

/** An empty reading with Node's SHA-256 and UTF-8, and the packer that is quick here. */
export const newReading = (winners?: ReadonlyMap<string, Winner>) =>
  new Reading({ digest, decode: decodeUtf8, pack: quickPacker() }, winners);

/** How much is read before others get their turn, in bytes: a few ms of work, in memory that is used again and fits into a cache. */
const slice = 256 * 1024;

/** From so many bytes on a second thread, which takes some 50 ms to begin, is of use. */
const worthMate = 16 * 1024 * 1024;

/** A segment as it was listed. */
export type Listed = readonly [name: string, stat: SegmentStat];

interface Followed {
  state: SegmentState;
  readonly number: number;
  hash: PrefixHash | null;
}

/** Segments being read into one reading, and how far each has been read. */
export class SegmentReader {
  readonly reading: Reading;
  /** Segment names by their number, which places in the graph refer to. */
  readonly names: string[] = [];
  /** Counts up with whatever is read: equal, and nothing was. */
  generation = 0;
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #follows: boolean;
  readonly #followed = new Map<string, Followed>();
  /** Where a slice is read to; larger while a line does not fit. */
  #room = Buffer.allocUnsafe(slice);

  constructor(disk: Disk, folder: string, follows: boolean, reading: Reading, segments: readonly SegmentState[] = []) {
    this.#disk = disk;
    this.#folder = folder;
    this.#follows = follows;
    this.reading = reading;
    for (const state of segments) this.#followed.set(state.name, { state, number: this.names.push(state.name) - 1, hash: null });
  }

  /** How far a segment has been read, or null for one that is new. */
  stateOf(name: string): SegmentState | null {
    return this.#followed.get(name)?.state ?? null;
  }

  /** How far each segment has been read, in the order of their numbers. */
  states(): SegmentState[] {
    return [...this.#followed.values()].map(({ state }) => state);
  }

  /** Whether a segment still begins with what was read of it. What is hashed for that is not hashed again when it is read on. */
  hasSamePrefix(name: string): boolean {
    const followed = this.#followed.get(name);
    if (followed === undefined || followed.state.prefix === '') return false;
    const hash = hashPrefix(this.#disk, join(this.#folder, name), followed.state.offset);
    if (hash === null || hash.value() !== followed.state.prefix) return false;
    followed.hash = hash;
    return true;
  }

  /**
   * Reads what segments hold beyond what was read: where that is much, two threads do. `worth`: from how many bytes on;
   * `share`: how many segments this thread takes at the most.
   */
  async consumeAll(listed: Iterable<Listed>, { worth = worthMate, share = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    const [fresh, others] = [[] as Listed[], [] as Listed[]];
    for (const one of listed) (this.stateOf(one[0]) === null ? fresh : others).push(one);
    const program = fresh.reduce((sum, [, { size }]) => sum + size, 0) < worth ? null : mateProgram(this.#disk);
    if (program !== null) await this.#consumeTogether(program, fresh, share);
    for (const one of others) await this.consume(...one);
    for (const [name, stat] of fresh) if (!this.#isDone(name, stat)) await this.consume(name, stat);
  }

  #isDone(name: string, { size }: SegmentStat): boolean {
    const state = this.stateOf(name);
    return state !== null && state.offset === size && (state.prefix !== '' || !this.#follows);
  }

  /** Those that changed last, which may grow, are read by this thread, which has the state of their hash then. */
  async #consumeTogether(program: string, fresh: Listed[], share: number): Promise<void> {
    const inTurn = fresh.sort(([, a], [, b]) => a.mtime - b.mtime);
    const order = { folder: this.#folder, names: inTurn.map(([name]) => name) };
    const mate = startMate(program, order, (packed, batch) => this.#takePacked(inTurn[packed.segment]!, packed, batch));
    try {
      for (let count = 0; count < share; count++) {
        const next = mate.claim();
        if (next === null) break;
        await this.consume(...inTurn[next]!);
      }
      await mate.ended;
    } finally {
      await mate.close();
    }
  }

  #takePacked([name, stat]: Listed, { offset, prefix }: Packed, batch: Pick<LineBatch, 'words' | 'end'> | null): void {
    this.generation++;
    const followed = this.#followed.get(name) ?? this.#follow(name, stat);
    if (batch !== null) this.reading.take(batch, followed.number);
    followed.hash = null;
    followed.state = { ...stat, name, offset, prefix };
  }

  /** Reads what a segment holds beyond what was read, a slice at a time. */
  async consume(name: string, stat: SegmentStat): Promise<void> {
    const handle = this.#disk.openSync(join(this.#folder, name), 'r');
    try {
      const { size } = this.#disk.fstatSync(handle);
      for (let at = this.stateOf(name)?.offset ?? 0, isLast = false; !isLast; ) {
        const filled = fillFrom(this.#disk, handle, this.#room, at);
        isLast = filled < this.#room.length || at + filled >= size;
        const end = isLast ? filled : this.#room.lastIndexOf(0x0a, filled - 1) + 1;
        if (end > 0 || isLast) this.take(name, this.#room.subarray(0, end), at, stat);
        else this.#room = Buffer.allocUnsafe(this.#room.length * 2);
        at += end;
        await setImmediate();
      }
    } finally {
      this.#disk.closeSync(handle);
      if (this.#room.length > slice) this.#room = Buffer.allocUnsafe(slice);
    }
  }

  /** Takes in bytes of a segment that follow what was read of it. */
  take(name: string, bytes: Buffer, from: number, stat: SegmentStat): void {
    this.generation++;
    const followed = this.#followed.get(name) ?? this.#follow(name, stat);
    const taken = this.reading.read(bytes, followed.number, from);
    this.#readUnfinished(bytes, taken, followed.number, from);
    const prefix = this.#follows ? this.#prefixAfter(followed, name, bytes.subarray(0, taken), from) : '';
    followed.state = { ...stat, name, offset: from + taken, prefix };
  }

  #prefixAfter(followed: Followed, name: string, taken: Buffer, from: number): string {
    // One that is shorter than what was read of it has another prefix than any that it could be compared with.
    followed.hash ??= hashPrefix(this.#disk, join(this.#folder, name), from) ?? new PrefixHash();
    followed.hash.add(taken);
    return followed.hash.value();
  }

  /** A last line without its newline counts as soon as it is whole; read again later, it is a repeat. */
  #readUnfinished(bytes: Buffer, taken: number, segment: number, from: number): void {
    if (taken === bytes.length || bytes[bytes.length - 1] !== 0x7d) return;
    const before = { malformed: this.reading.malformed.length, future: this.reading.future };
    this.reading.read(Buffer.concat([bytes.subarray(taken), Buffer.from('\n')]), segment, from + taken);
    this.reading.malformed.length = before.malformed;
    this.reading.future = before.future;
  }

  #follow(name: string, stat: SegmentStat): Followed {
    const hash = new PrefixHash();
    const prefix = this.#follows ? hash.value() : '';
    const followed: Followed = { state: { ...stat, name, offset: 0, prefix }, number: this.names.push(name) - 1, hash };
    this.#followed.set(name, followed);
    return followed;
  }
}
