import { createContext, useContext } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Comparer, createComparer } from '#renderer/breakdown/comparer.ts';
import type { World } from '#renderer/breakdown/listing.ts';
import { createWordCounts, type WordCounts } from '#renderer/breakdown/word-count.ts';

/** What rows and cards work with: the world, a comparer, the counts so far, and the moment that what is shown is of (ms since 1970). */
export interface Bench {
  readonly world: World;
  readonly comparer: Comparer;
  readonly counts: WordCounts;
  readonly asOf: StoreApi<number | null>;
  close(): void;
}

/** Sets a bench up; nothing is asked or started by that. */
export function createBench(world: World): Bench {
  const comparer = createComparer();
  return {
    world,
    comparer,
    counts: createWordCounts(world.call, comparer),
    asOf: createStore<number | null>()(() => null),
    close: () => comparer.close(),
  };
}

/** The bench of the page or panel around. */
export const BenchContext = createContext<Bench | null>(null);

/** The bench of the page or panel around; there is always one. */
export function useBench(): Bench {
  const bench = useContext(BenchContext);
  if (bench === null) throw new RangeError('BUG: a part of the breakdown stands outside of it.');
  return bench;
}
