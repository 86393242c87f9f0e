import { join } from 'node:path';
import type { Disk } from '#core/storage/disk';
import { newReading, SegmentReader } from '#core/storage/segment-reader';
import {
  isUntouched,
  ledgerFolder,
  listSegments,
  prefixOf,
  readFrom,
  type SegmentStat,
  type SegmentState,
  statOf,
} from '#core/storage/segments';
import type { Reading } from '#kernel/reading';

/** The ledger of a folder, read into memory and followed as it grows. */
export class Replica {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #follows: boolean;
  #reader: SegmentReader;
  #earlier = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** `follows` keeps what it takes to go on after another program appended; without it such a change reads everything anew. */
  constructor(disk: Disk, vmark: string, follows = true) {
    this.#disk = disk;
    this.#follows = follows;
    this.#folder = ledgerFolder(vmark);
    this.#reader = this.#newReader(newReading());
  }

  /** What has been read. A ledger that is read anew takes its place when it is whole. */
  get reading(): Reading {
    return this.#reader.reading;
  }

  /** Segment names by their number, which places in the graph refer to. */
  get names(): readonly string[] {
    return this.#reader.names;
  }

  /** Counts up with whatever is read: equal, and nothing was. */
  get generation(): number {
    return this.#earlier + this.#reader.generation;
  }

  /**
   * Reads what was appended since the last call, by whomever. Where a segment is gone or its beginning is not
   * what was read (git put another file there), or an entry was superseded, everything is read anew. Answers
   * whether that was so. One call at a time; yields to the event loop every few ms.
   */
  refresh(): Promise<{ rebuilt: boolean }> {
    const turn = this.#turn.then(() => this.#refresh());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #refresh(): Promise<{ rebuilt: boolean }> {
    const now = listSegments(this.#disk, this.#folder);
    if (!this.#continues(now)) {
      await this.#rebuild(now);
      return { rebuilt: true };
    }
    for (const [name, stat] of now) {
      const before = this.#reader.stateOf(name);
      if (before === null || !isUntouched(before, stat)) await this.#reader.consume(name, stat);
    }
    const { conflict } = this.reading;
    if (conflict) await this.#rebuild(listSegments(this.#disk, this.#folder));
    return { rebuilt: conflict };
  }

  /** Takes in lines that this process has just appended, so that the segment need not be read. */
  appended(name: string, before: number, bytes: Buffer, stat: SegmentStat): void {
    const known = this.#reader.stateOf(name)?.offset ?? 0;
    if (known === before && stat.size === before + bytes.length) this.#reader.take(name, bytes, before, stat);
  }

  /** Drops everything that was read, so that the next refresh reads it anew. */
  forget(): void {
    this.#replace(this.#newReader(newReading()));
  }

  /** Takes over a reading that an index kept; the next refresh goes on from there. */
  recall(reading: Reading, segments: readonly SegmentState[]): void {
    this.#replace(this.#newReader(reading, segments));
  }

  /**
   * How far each segment has been read, by number, for an index. Null when one was touched since: what was read and
   * what is there cannot be told apart then.
   */
  states(): SegmentState[] | null {
    const states: SegmentState[] = [];
    for (const state of this.#reader.states()) {
      const path = join(this.#folder, state.name);
      const prefix = state.prefix || prefixOf(readFrom(this.#disk, path, 0).subarray(0, state.offset));
      if (!isUntouched(state, statOf(this.#disk, path))) return null;
      states.push({ ...state, prefix });
    }
    return states;
  }

  /** How many bytes of segments have been read. */
  consumed(): number {
    return this.#reader.states().reduce((sum, { offset }) => sum + offset, 0);
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

  #newReader(reading: Reading, segments: readonly SegmentState[] = []): SegmentReader {
    return new SegmentReader(this.#disk, this.#folder, this.#follows, reading, segments);
  }

  #replace(reader: SegmentReader): void {
    this.#earlier += this.#reader.generation + 1;
    this.#reader = reader;
  }

  #continues(now: Map<string, SegmentStat>): boolean {
    return this.#reader.states().every((state) => {
      const stat = now.get(state.name);
      return stat !== undefined && (isUntouched(state, stat) || this.#hasSamePrefix(state));
    });
  }

  #hasSamePrefix({ name, offset, prefix }: SegmentState): boolean {
    if (prefix === '') return false;
    const bytes = readFrom(this.#disk, join(this.#folder, name), 0);
    return bytes.length >= offset && prefixOf(bytes.subarray(0, offset)) === prefix;
  }

  /** Reads everything anew, beside what stands, as often as an entry turns out to be superseded. */
  async #rebuild(now: Map<string, SegmentStat>): Promise<void> {
    // Winners are only good for the lines that they were found among.
    for (let winners = this.reading.conflict ? this.reading.winners : undefined; ; ) {
      const reader = this.#newReader(newReading(winners));
      for (const [name, stat] of now) await reader.consume(name, stat);
      if (!reader.reading.conflict) return this.#replace(reader);
      winners = reader.reading.winners;
    }
  }
}
