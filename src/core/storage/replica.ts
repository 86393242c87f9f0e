import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { digest } from '#core/digest';
import type { Disk } from '#core/storage/disk';
import {
  isUntouched,
  ledgerFolder,
  listSegments,
  PrefixHash,
  prefixOf,
  readFrom,
  type SegmentStat,
  type SegmentState,
  statOf,
} from '#core/storage/segments';
import { type Decode, Reading } from '#kernel/reading';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 as text, or null where a byte is none. */
export const decodeUtf8: Decode = (bytes, start, end) => {
  try {
    return decoder.decode(bytes.subarray(start, end));
  } catch {
    return null;
  }
};

interface Followed {
  state: SegmentState;
  readonly number: number;
  hash: PrefixHash | null;
}

/** The ledger of a folder, read into memory and followed as it grows. */
export class Replica {
  reading: Reading;
  /** Segment names by their number, which places in the graph refer to. */
  readonly names: string[] = [];
  /** Counts up with whatever is read: equal, and nothing was. */
  generation = 0;
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #follows: boolean;
  readonly #followed = new Map<string, Followed>();

  /** `follows` keeps what it takes to go on after another program appended; without it such a change reads everything anew. */
  constructor(disk: Disk, vmark: string, follows = true) {
    this.#disk = disk;
    this.#follows = follows;
    this.#folder = ledgerFolder(vmark);
    this.reading = new Reading({ digest, decode: decodeUtf8 });
  }

  /**
   * Reads what was appended since the last call, by whomever. Where a segment is gone or its beginning is not
   * what was read (git put another file there), or an entry was superseded, everything is read anew. Answers
   * whether that was so. Yields to the event loop between segments.
   */
  async refresh(): Promise<{ rebuilt: boolean }> {
    const now = listSegments(this.#disk, this.#folder);
    if (!this.#continues(now)) {
      await this.#rebuild(now);
      return { rebuilt: true };
    }
    for (const [name, stat] of now) {
      const before = this.#followed.get(name);
      if (before !== undefined && isUntouched(before.state, stat)) continue;
      this.#consume(name, stat);
      await setImmediate();
    }
    if (this.reading.conflict) {
      await this.#rebuild(listSegments(this.#disk, this.#folder));
      return { rebuilt: true };
    }
    return { rebuilt: false };
  }

  /** Takes in lines that this process has just appended, so that the segment need not be read. */
  appended(name: string, before: number, bytes: Buffer, stat: SegmentStat): void {
    const followed = this.#followed.get(name);
    const known = followed?.state.offset ?? 0;
    if (known !== before || stat.size !== before + bytes.length) return;
    this.#take(name, bytes, before, stat);
  }

  /** Drops everything that was read, so that the next refresh reads it anew. */
  forget(): void {
    this.generation++;
    this.reading = new Reading({ digest, decode: decodeUtf8 });
    this.#followed.clear();
    this.names.length = 0;
  }

  /**
   * How far each segment has been read, by number, for an index. Null when one was touched since: what was read and
   * what is there cannot be told apart then.
   */
  states(): SegmentState[] | null {
    const states: SegmentState[] = [];
    for (const { state } of this.#followed.values()) {
      const path = join(this.#folder, state.name);
      const prefix = state.prefix || prefixOf(readFrom(this.#disk, path, 0).subarray(0, state.offset));
      if (!isUntouched(state, statOf(this.#disk, path))) return null;
      states.push({ ...state, prefix });
    }
    return states;
  }

  /** Takes over a reading that an index kept; the next refresh goes on from there. */
  recall(reading: Reading, segments: readonly SegmentState[]): void {
    this.forget();
    this.reading = reading;
    for (const state of segments) this.#followed.set(state.name, { state, number: this.names.push(state.name) - 1, hash: null });
  }

  /** How many bytes of segments have been read. */
  consumed(): number {
    return [...this.#followed.values()].reduce((sum, { state }) => sum + state.offset, 0);
  }

  /** The text of the line at a place, read from its segment. */
  lineAt(place: { segment: number; offset: number; length: number }): string {
    const handle = this.#disk.openSync(join(this.#folder, this.names[place.segment]!), 'r');
    try {
      const bytes = Buffer.alloc(place.length);
      this.#disk.readSync(handle, bytes, 0, place.length, place.offset);
      return bytes.toString('utf8');
    } finally {
      this.#disk.closeSync(handle);
    }
  }

  #continues(now: Map<string, SegmentStat>): boolean {
    for (const [name, followed] of this.#followed) {
      const stat = now.get(name);
      if (stat === undefined) return false;
      if (!isUntouched(followed.state, stat) && !this.#hasSamePrefix(name, followed)) return false;
    }
    return true;
  }

  #hasSamePrefix(name: string, followed: Followed): boolean {
    if (followed.state.prefix === '') return false;
    const bytes = readFrom(this.#disk, join(this.#folder, name), 0);
    return bytes.length >= followed.state.offset && prefixOf(bytes.subarray(0, followed.state.offset)) === followed.state.prefix;
  }

  async #rebuild(now: Map<string, SegmentStat>): Promise<void> {
    // Winners are only good for the lines that they were found among.
    for (let winners = this.reading.conflict ? this.reading.winners : undefined; ; winners = this.reading.winners) {
      this.reading = new Reading({ digest, decode: decodeUtf8 }, winners);
      this.#followed.clear();
      this.names.length = 0;
      for (const [name, stat] of now) {
        this.#consume(name, stat);
        await setImmediate();
      }
      if (!this.reading.conflict) return;
    }
  }

  #consume(name: string, stat: SegmentStat): void {
    const from = this.#followed.get(name)?.state.offset ?? 0;
    const bytes = readFrom(this.#disk, join(this.#folder, name), from);
    this.#take(name, bytes, from, stat);
  }

  #take(name: string, bytes: Buffer, from: number, stat: SegmentStat): void {
    this.generation++;
    const followed = this.#followed.get(name) ?? this.#follow(name, stat);
    const taken = this.reading.read(bytes, followed.number, from);
    this.#readUnfinished(bytes, taken, followed.number, from);
    const prefix = this.#follows ? this.#prefixAfter(followed, name, bytes.subarray(0, taken), from) : '';
    followed.state = { ...stat, name, offset: from + taken, prefix };
  }

  #prefixAfter(followed: Followed, name: string, taken: Buffer, from: number): string {
    if (followed.hash === null) {
      followed.hash = new PrefixHash();
      followed.hash.add(readFrom(this.#disk, join(this.#folder, name), 0).subarray(0, from));
    }
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
