import { performance } from 'node:perf_hooks';

/** Something to be timed; `times` runs make one reading, for what is too short to be read alone. */
export interface Method {
  readonly name: string;
  readonly times?: number;
  /** Runs before each reading, outside of it. */
  readonly before?: () => unknown;
  readonly run: () => unknown;
}

/** What a method took, in ms for one run; `ratio` is the median of its round-by-round ratios to the first method. */
export interface Timing {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly ratio: number;
}

/** Times methods in turn (A B C A B C ...), so that whatever else the machine does falls on all alike. One round more goes before, to warm up. */
export async function compare(methods: readonly Method[], rounds: number): Promise<Timing[]> {
  const readings: number[][] = [];
  for (let round = -1; round < rounds; round++) {
    const row: number[] = [];
    for (const method of methods) row.push(await read(method));
    if (round >= 0) readings.push(row);
  }
  return methods.map(({ name }, at) => {
    const own = readings.map((row) => row[at]!);
    const ratio = median(readings.map((row) => row[at]! / row[0]!));
    return { name, median: median(own), min: Math.min(...own), max: Math.max(...own), ratio };
  });
}

async function read({ times = 1, before, run }: Method): Promise<number> {
  await before?.();
  globalThis.gc?.();
  const start = performance.now();
  for (let i = 0; i < times; i++) await run();
  return (performance.now() - start) / times;
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The longest time, in ms, for which `work` kept a timer of 1 ms from running. */
export const longestBlock = async (work: () => Promise<unknown>): Promise<number> => (await longestTurn(work)).block;

/** The same, and the most that this thread itself worked between two ticks, in ms of CPU time: waiting for a core that others have is none of it. */
export async function longestTurn(work: () => Promise<unknown>): Promise<{ readonly block: number; readonly cpu: number }> {
  const worked = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [last, lastWorked] = [performance.now(), worked()];
  let [block, cpu] = [0, 0];
  const tick = () => {
    const [now, nowWorked] = [performance.now(), worked()];
    block = Math.max(block, now - last - 1);
    cpu = Math.max(cpu, nowWorked - lastWorked);
    [last, lastWorked] = [now, nowWorked];
  };
  const timer = setInterval(tick, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  tick();
  return { block, cpu };
}
