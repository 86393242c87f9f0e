import { join } from 'node:path';
import type { Appended } from '#core/storage/appender';
import type { Disk } from '#core/storage/disk';
import { newReading, SegmentReader } from '#core/storage/segment-reader';
import {
  folderStamp,
  hashPrefix,
  isUntouched,
  ledgerFolder,
  listSegments,
  type SegmentStat,
  type SegmentState,
  statIfThere,
  statOf,
} from '#core/storage/segments';
import type { Reading } from '#kernel/reading';

/** How many segments a glance looks at because they changed last, and how many of the others in turn. */
const recentCount = 6;
const turnCount = 2;

/** How a replica is opened. */
export interface ReplicaOptions {
  /** Keeps what it takes to go on after another program appended; without it such a change reads everything anew. */
  readonly follows?: boolean;
  /** Equal stamps: git has put no other segment in place of one. Null while that cannot be said. Default: there is no git. */
  readonly gitStamp?: () => string | null;
}

/** What stood still when everything was looked at. */
interface Look {
  readonly folder: string;
  readonly git: string | null;
}

/** The ledger of a folder, read into memory and followed as it grows. */
export class Replica {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #follows: boolean;
  #reader: SegmentReader;
  readonly #gitStamp: () => string | null;
  #earlier = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #look: Look | null = null;
  /** The segments that changed last, the newest change first: those that may still grow. */
  #recent: string[] = [];
  #nextInTurn = 0;

  constructor(disk: Disk, vmark: string, { follows = true, gitStamp = () => '' }: ReplicaOptions = {}) {
    this.#disk = disk;
    this.#follows = follows;
    this.#gitStamp = gitStamp;
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
   * Reads what was appended since the last call, by whomever: looks at every segment. Where one is gone or its
   * beginning is not what was read (git put another file there), or an entry was superseded, everything is read anew.
   * Answers whether that was so. One call at a time; yields to the event loop every few ms.
   */
  refresh(): Promise<{ rebuilt: boolean }> {
    return this.#inTurn(() => this.#refresh());
  }

  /**
   * The same for a save, at a cost that does not grow with the ledger: looks at the folder, at git's stamp, at the
   * segments that changed last and at a few of the others in turn. Everything is looked at where a file came, went or
   * took another's place. An old segment that was written over in its place is noticed when its turn comes, and by the
   * next refresh at the latest.
   */
  glance(): Promise<{ rebuilt: boolean }> {
    return this.#inTurn(() => this.#glance());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    const turn = this.#turn.then(work).finally(() => {
      this.#underWay--;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #refresh(): Promise<{ rebuilt: boolean }> {
    // What is there is listed after the stamps are taken: what moves meanwhile is looked at again.
    const look = this.#lookNow();
    const now = listSegments(this.#disk, this.#folder);
    const isGone = this.#reader.states().some(({ name }) => !now.has(name));
    const rebuilt = isGone || !this.#continues(now);
    if (rebuilt) await this.#rebuild(now);
    else await this.#consume(now);
    const { conflict } = this.reading;
    if (conflict) await this.#rebuild(listSegments(this.#disk, this.#folder));
    this.#look = look;
    this.#recent = [...now]
      .sort(([, a], [, b]) => b.mtime - a.mtime)
      .map(([name]) => name)
      .slice(0, recentCount);
    return { rebuilt: rebuilt || conflict };
  }

  async #glance(): Promise<{ rebuilt: boolean }> {
    const now = this.#isAsSeen() ? this.#statsOfSome() : null;
    if (now === null || !this.#continues(now)) return this.#refresh();
    await this.#consume(now);
    return this.reading.conflict ? this.#refresh() : { rebuilt: false };
  }

  #lookNow(): Look {
    return { folder: folderStamp(this.#disk, this.#folder), git: this.#gitStamp() };
  }

  #isAsSeen(): boolean {
    if (this.#look === null || this.reading.conflict) return false;
    const { folder, git } = this.#lookNow();
    return git !== null && git === this.#look.git && folder === this.#look.folder;
  }

  /** Null where one of them is gone. */
  #statsOfSome(): Map<string, SegmentStat> | null {
    const { names } = this.#reader;
    const some = new Set(this.#recent);
    for (let count = 0; count < names.length && some.size < recentCount + turnCount; count++) {
      some.add(names[this.#nextInTurn++ % names.length]!);
    }
    const stats = new Map<string, SegmentStat>();
    for (const name of some) {
      const stat = statIfThere(this.#disk, join(this.#folder, name));
      if (stat === null) return null;
      stats.set(name, stat);
    }
    return stats;
  }

  async #consume(now: ReadonlyMap<string, SegmentStat>): Promise<void> {
    const changed = [...now].filter(([name, stat]) => {
      const before = this.#reader.stateOf(name);
      return before === null || !isUntouched(before, stat);
    });
    for (const [name] of changed) this.#hasChanged(name);
    await this.#reader.consumeAll(changed);
  }

  #hasChanged(name: string): void {
    if (this.#recent[0] !== name) this.#recent = [name, ...this.#recent.filter((other) => other !== name)].slice(0, recentCount);
  }

  /**
   * Takes in lines that this process has just appended, so that nothing need be looked at. False where that cannot be
   * done, because the segment was not as it was read or everything is being read just now: a glance does it then.
   */
  appended({ name, offset, bytes, before, stat }: Appended): boolean {
    this.#hasChanged(name);
    const known = this.#reader.stateOf(name);
    const isAsRead = known === null ? before === null : before !== null && known.offset === offset && isUntouched(known, before);
    if (this.#underWay > 0 || !isAsRead || stat.size !== offset + bytes.length) return false;
    this.#reader.take(name, bytes, offset, stat);
    return !this.reading.conflict;
  }

  /** Drops everything that was read, so that the next refresh reads it anew. */
  forget(): void {
    this.#replace(this.#newReader(newReading()));
    this.#look = null;
  }

  /** Takes over a reading that an index kept; the next refresh goes on from there. */
  recall(reading: Reading, segments: readonly SegmentState[]): void {
    this.#replace(this.#newReader(reading, segments));
    this.#look = null;
  }

  /**
   * How far each segment has been read, by number, for an index. Null when one was touched since: what was read and
   * what is there cannot be told apart then.
   */
  states(): SegmentState[] | null {
    const states: SegmentState[] = [];
    for (const state of this.#reader.states()) {
      const path = join(this.#folder, state.name);
      const prefix = state.prefix || (hashPrefix(this.#disk, path, state.offset)?.value() ?? null);
      if (prefix === null || !isUntouched(state, statOf(this.#disk, path))) return null;
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

  /** Whether each of these begins with what was read of it. */
  #continues(now: ReadonlyMap<string, SegmentStat>): boolean {
    return [...now].every(([name, stat]) => {
      const state = this.#reader.stateOf(name);
      return state === null || isUntouched(state, stat) || this.#reader.hasSamePrefix(name);
    });
  }

  /** Reads everything anew, beside what stands, as often as an entry turns out to be superseded. */
  async #rebuild(now: Map<string, SegmentStat>): Promise<void> {
    // Winners are only good for the lines that they were found among.
    for (let winners = this.reading.conflict ? this.reading.winners : undefined; ; ) {
      const reader = this.#newReader(newReading(winners));
      await reader.consumeAll(now);
      if (!reader.reading.conflict) return this.#replace(reader);
      winners = reader.reading.winners;
    }
  }
}
