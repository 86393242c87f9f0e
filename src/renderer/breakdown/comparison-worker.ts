import { type Comparison, compareVersions } from '#renderer/breakdown/comparison.ts';

/** What the worker is asked; `id` comes back with the answer. */
export interface ComparisonRequest {
  readonly id: number;
  readonly before: string;
  readonly now: string;
  readonly section: readonly string[] | null;
}

/** What the worker answers. */
export interface ComparisonAnswer {
  readonly id: number;
  readonly comparison: Comparison;
}

self.addEventListener('message', ({ data }: MessageEvent<ComparisonRequest>) => {
  const { id, before, now, section } = data;
  self.postMessage({ id, comparison: compareVersions(before, now, section) } satisfies ComparisonAnswer);
});
