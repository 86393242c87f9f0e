import type { Disk } from '#core/storage/disk';

/** Of a file what says whether it may have changed; times are ms, as in Node's `Stats`. */
export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

/**
 * Where two threads put what they saw of the same list of files, in shared memory: four numbers for each file, each thread in
 * a half of its own, and for each chunk of files a word that says in which turn it was taken, and who is done with it. The
 * other thread may come late, or never: what it has taken and not done is looked at by whoever needs it.
 */
export interface StatTable {
  readonly turn: Int32Array<SharedArrayBuffer>;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly numbers: Float64Array<SharedArrayBuffer>;
}

/** The thread that began the turn goes from the last chunk to the first, the one that helps the other way. */
export type StatSide = 'own' | 'mate';

/** How many files are taken at once. */
const chunk = 64;
const fields = 4;
/** A word is four times its turn and one of these. */
const [taken, doneBy] = [1, { own: 2, mate: 3 }] as const;

/** A table for so many files. */
export function createStatTable(files: number): StatTable {
  return {
    turn: new Int32Array(new SharedArrayBuffer(4)),
    words: new Int32Array(new SharedArrayBuffer(Math.ceil(files / chunk) * 4)),
    numbers: new Float64Array(new SharedArrayBuffer(2 * files * fields * 8)),
  };
}

/** Begins a turn: nothing is seen, and every chunk can be taken. A thread that is still at the turn before takes no more of it. */
export function beginTurn({ turn }: StatTable): void {
  Atomics.add(turn, 0, 1);
}

/** Looks at the files of one chunk after another that nobody has taken in this turn; after each it yields. */
export function* fillTable(disk: Pick<Disk, 'lstatSync'>, table: StatTable, files: readonly string[], side: StatSide): Generator<void> {
  const { words, numbers } = table;
  const turn = Atomics.load(table.turn, 0);
  for (let step = 0; step < words.length && Atomics.load(table.turn, 0) === turn; step++) {
    const at = side === 'mate' ? step : words.length - 1 - step;
    const word = Atomics.load(words, at);
    if (word >= turn * 4 || Atomics.compareExchange(words, at, word, turn * 4 + taken) !== word) continue;
    for (let file = at * chunk; file < Math.min((at + 1) * chunk, files.length); file++) {
      put(disk, numbers, placeOf(numbers, file, side), files[file]!);
    }
    Atomics.compareExchange(words, at, turn * 4 + taken, turn * 4 + doneBy[side]);
    yield;
  }
}

const placeOf = (numbers: Float64Array, file: number, side: StatSide) => file * fields + (side === 'mate' ? numbers.length / 2 : 0);

/** What is no regular file, is not there or cannot be looked at has no size: it is looked at again by whoever needs it. */
function put(disk: Pick<Disk, 'lstatSync'>, numbers: Float64Array, at: number, path: string): void {
  numbers[at] = Number.NaN;
  try {
    const stat = disk.lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return;
    numbers[at] = stat.size;
    numbers[at + 1] = stat.mtimeMs;
    numbers[at + 2] = stat.ctimeMs;
    numbers[at + 3] = stat.ino;
  } catch {
    // It has no size.
  }
}

/** What was seen of a regular file in this turn; null where nothing was. */
export function statIn({ turn, words, numbers }: StatTable, file: number): FileStat | null {
  const by = Atomics.load(words, Math.floor(file / chunk)) - Atomics.load(turn, 0) * 4;
  if (by !== doneBy.own && by !== doneBy.mate) return null;
  const at = placeOf(numbers, file, by === doneBy.mate ? 'mate' : 'own');
  const [size, mtimeMs, ctimeMs, ino] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!];
  return Number.isNaN(size) ? null : { size, mtimeMs, ctimeMs, ino };
}
