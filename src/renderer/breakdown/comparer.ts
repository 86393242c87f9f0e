import { type Comparison, compareVersions } from '#renderer/breakdown/comparison.ts';
import type { ComparisonAnswer, ComparisonRequest } from '#renderer/breakdown/comparison-worker.ts';

/** Compares texts away from the thread that the writer types on. */
export interface Comparer {
  compare(before: string, now: string, section: readonly string[] | null): Promise<Comparison>;
  close(): void;
}

interface Waiting {
  readonly request: ComparisonRequest;
  readonly resolve: (comparison: Comparison) => void;
}

/** Starts the worker at the first comparison. Where no worker can be had, comparing is done here. */
export function createComparer(): Comparer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let isBroken = false;
  let last = 0;

  const fallBack = () => {
    isBroken = true;
    for (const { request, resolve } of waiting.values()) resolve(compareVersions(request.before, request.now, request.section));
    waiting.clear();
  };
  const start = () => {
    const started = new Worker(new URL('./comparison-worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<ComparisonAnswer>) => {
      waiting.get(data.id)?.resolve(data.comparison);
      waiting.delete(data.id);
    });
    started.addEventListener('error', fallBack);
    return started;
  };
  return {
    compare: (before, now, section) =>
      new Promise((resolve) => {
        const request = { id: ++last, before, now, section };
        waiting.set(request.id, { request, resolve });
        if (isBroken) return fallBack();
        worker ??= start();
        worker.postMessage(request);
      }),
    close() {
      worker?.terminate();
      worker = null;
    },
  };
}
