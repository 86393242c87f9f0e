import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { type Disk, isMissing } from '#core/storage/disk';
import { FileReader, type SeenFile } from '#core/workspace/file-reader';
import { type StatMate, startStatMate } from '#core/workspace/stat-mate';
import { type FileStat, fillTable, statIn } from '#core/workspace/stat-table';
import type { Finding } from '#core/workspace/walk';

/** What a look at some files gave; `missing` are not there, `unreadable` are there and could not be read. */
export interface Look {
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly missing: ReadonlySet<string>;
  readonly unreadable: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  /** Whether every file is as the look before saw it, none more and none less. */
  readonly isSame: boolean;
}

/** The program of a second thread, null for none; and from how many files on it is of use. */
export interface SweepHelp {
  readonly program: string | null;
  readonly worth?: number;
}

/** File times are as coarse as two seconds on some disks: within that, an equal stat proves nothing. */
const coarsest = 2000;
/** The longest that a look keeps the event loop, in ms. */
const slice = 20;

/** Reads files, and only those that may have changed since it read them last. */
export class Sweep {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #reader: FileReader;
  readonly #help: Required<SweepHelp>;
  #known: ReadonlyMap<string, SeenFile> = new Map();
  #missing: ReadonlySet<string> = new Set();
  /** The paths of the last look, in their order, and where their files are. */
  #paths: readonly string[] = [];
  #absolute: readonly string[] = [];
  #unsettled = 0;
  #mate: StatMate | null = null;
  #isBegun = false;

  constructor(disk: Disk, root: string, now: () => number, { program, worth = 1000 }: SweepHelp = { program: null }) {
    this.#disk = disk;
    this.#root = root;
    this.#reader = new FileReader(disk, now);
    this.#help = { program, worth };
  }

  /** What is known of files from earlier looks, to be kept in an index. */
  known(): Iterable<SeenFile> {
    return this.#known.values();
  }

  /** Takes over what another process knew. */
  recall(files: Iterable<SeenFile>): void {
    this.#known = new Map([...this.#known.values(), ...files].map((file) => [file.path, file]));
  }

  /** Whether so many files were read since `settled` that remembering them is worth a write. */
  hasMuchNew(): boolean {
    return this.#unsettled > Math.max(20, this.#known.size / 20);
  }

  /** What is known now is kept. */
  settled(): void {
    this.#unsettled = 0;
  }

  /** Ends the second thread. */
  async close(): Promise<void> {
    await this.#mate?.close();
    this.#mate = null;
  }

  /** Says that a look comes as soon as the folders are walked: where there are many files, a second thread looks at those of the last one meanwhile. */
  begin(): void {
    const { program, worth } = this.#help;
    this.#isBegun = program !== null && this.#absolute.length >= worth;
    if (program === null || !this.#isBegun) return;
    this.#mate ??= startStatMate(program, this.#absolute);
    if (this.#mate.files !== this.#absolute) this.#mate = this.#mate.over(this.#absolute);
    this.#mate.begin();
  }

  /** Looks at every path, each given once; what is not among them is forgotten. */
  async look(paths: readonly string[]): Promise<Look> {
    const statOf = await this.#stats(paths);
    const files = new Map<string, SeenFile>();
    const missing = new Set<string>();
    const unreadable = new Set<string>();
    const findings: Finding[] = [];
    const pause = createPause();
    let asBefore = 0;
    for (const [at, path] of paths.entries()) {
      if (pause.isDue()) await pause.taken();
      try {
        const before = this.#known.get(path);
        const file = this.#one(path, this.#absolute[at]!, before, before === undefined ? null : statOf(at));
        if (file === null) continue;
        files.set(path, file);
        if (file === before) asBefore++;
      } catch (error) {
        if (isMissing(error)) missing.add(path);
        else {
          unreadable.add(path);
          findings.push({ code: 'unreadable', message: `${path} could not be read`, path });
        }
      }
    }
    const areKnown = asBefore === files.size && asBefore === this.#known.size;
    const isSame = unreadable.size === 0 && isEqual(missing, this.#missing) && areKnown;
    this.#known = files;
    this.#missing = missing;
    return { files, missing, unreadable, findings, isSame };
  }

  /** What two threads have seen of the files at these places in a list; null where that must be looked at. */
  async #stats(paths: readonly string[]): Promise<(at: number) => FileStat | null> {
    const [before, files] = [this.#paths, this.#absolute];
    const isSame = before.length === paths.length && paths.every((path, at) => path === before[at]);
    // Not `join`: these are paths of a walk, and there are many.
    if (!isSame) this.#absolute = paths.map((path) => `${this.#root}/${path}`);
    this.#paths = isSame ? before : paths;
    const table = this.#isBegun ? this.#mate?.table : undefined;
    this.#isBegun = false;
    if (table === undefined) return () => null;
    const pause = createPause();
    for (const _ of fillTable(this.#disk, table, files, 'own')) if (pause.isDue()) await pause.taken();
    return (at) => (paths[at] === before[at] ? statIn(table, at) : null);
  }

  /** One file, from memory where its stat allows; null for what is no regular file. */
  #one(path: string, absolute: string, before: SeenFile | undefined, seen: FileStat | null): SeenFile | null {
    if (before !== undefined) {
      const stat = seen ?? this.#stat(absolute);
      if (stat === null) return null;
      if (isTrusted(before, stat)) return before;
    }
    const file = this.#reader.read(absolute, path);
    if (file !== null) this.#unsettled++;
    return file;
  }

  #stat(absolute: string): FileStat | null {
    const stat = this.#disk.lstatSync(absolute);
    return stat.isFile() ? stat : null;
  }
}

/** Whether others have waited for their turn long enough. */
function createPause() {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > slice,
    async taken() {
      await setImmediate();
      since = performance.now();
    },
  };
}

function isTrusted(file: SeenFile, stat: FileStat): boolean {
  const isSame = file.size === stat.size && file.mtime === stat.mtimeMs && file.ctime === stat.ctimeMs && file.inode === stat.ino;
  return isSame && Math.max(file.mtime, file.ctime) + coarsest < file.readAt;
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((path) => b.has(path));
}
