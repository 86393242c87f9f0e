import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BreakdownRow, EdgeChange } from '#protocol/breakdown-calls';
import type { Client } from '#protocol/calls';
import type { Comparer } from '#renderer/breakdown/comparer.ts';
import { titleOf } from '#renderer/breakdown/title.ts';

/** What is filled into a row after it is shown. `words` null: a version was not kept, or there is none to compare with. */
export interface WordCount {
  readonly words: number | null;
  readonly isSameText: boolean;
  /** When the source got the version it has now, as RFC 3339. */
  readonly when: string | null;
  readonly artifactTitle: string | null;
}

/** Counts changed words of rows, one after another, and keeps each count. */
export interface WordCounts {
  readonly store: Pick<StoreApi<ReadonlyMap<string, WordCount>>, 'getState' | 'subscribe' | 'getInitialState'>;
  /** Asks for the count of a row; what is known or asked for already is not asked again. */
  want(row: BreakdownRow): void;
  /** Takes a change that was read anyway. */
  learn(row: BreakdownRow, change: EdgeChange, words: number | null): void;
}

/** Whoever reads more rows than this in a sitting waits for the earliest counts again. */
const kept = 5000;

/** What a count depends on: two texts, and the section that both are narrowed to. Null for a row without an edge. */
export function countKey(row: BreakdownRow): string | null {
  if (row.edge === null || row.current === null) return null;
  return [row.edge.txf, row.edge.input, row.pinned.revision, row.current.revision, ...(row.section?.path ?? [])].join('\n');
}

/** Counts that nobody asked for yet. */
export function createWordCounts(call: Client, comparer: Comparer): WordCounts {
  const store = createStore<ReadonlyMap<string, WordCount>>()(() => new Map());
  const asked = new Set<string>();
  const queue: BreakdownRow[] = [];
  let isWorking = false;

  const keep = (key: string, count: WordCount) => {
    asked.add(key);
    const counts = new Map(store.getState());
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > kept) counts.delete(oldest!);
    store.setState(counts, true);
  };
  const learn = (row: BreakdownRow, change: EdgeChange, words: number | null) => {
    const key = countKey(row);
    if (key !== null) keep(key, countOf(change, words));
  };
  const read = async (row: BreakdownRow) => {
    if (row.edge === null) return;
    const change = await call('edge/change', { edge: row.edge });
    learn(row, change, await countWords(change, comparer));
  };
  const work = async () => {
    if (isWorking) return;
    isWorking = true;
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      // A row that cannot be read says so when it is opened; its count stays open.
      await read(row).catch(() => undefined);
    }
    isWorking = false;
  };
  return {
    store,
    learn,
    want(row) {
      const key = countKey(row);
      if (key === null || asked.has(key)) return;
      asked.add(key);
      queue.push(row);
      void work();
    },
  };
}

function countOf({ before, now, artifact }: EdgeChange, words: number | null): WordCount {
  return {
    words,
    isSameText: before.text !== null && before.text === now?.text,
    when: now?.time ?? null,
    artifactTitle: artifact.text === null ? null : titleOf(artifact.text),
  };
}

async function countWords({ before, now, section }: EdgeChange, comparer: Comparer): Promise<number | null> {
  if (before.text === null || now === null || now.text === null) return null;
  return (await comparer.compare(before.text, now.text, section)).words;
}
