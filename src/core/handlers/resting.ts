import type { Core } from '#core/core';

/** How long a document rests before what autosave left due is recorded, in ms (`spec/format.md` §6). */
export const longestDue = 60_000;

/** Records texts that autosave left due once nothing came for a while. */
export interface Resting {
  /** Begins the rest of a document anew; null: of all that are due, such as those that a crash left. */
  begin(path: string | null): void;
  stop(): void;
}

/** Makes what waits for documents to rest. What fails stays due, and is said to those who follow the core. */
export function createResting(core: Pick<Core, 'settle'>, rest = longestDue): Resting {
  const waiting = new Map<string | null, ReturnType<typeof setTimeout>>();
  const settle = (path: string | null) => {
    waiting.delete(path);
    core.settle(path).catch(() => undefined);
  };
  return {
    begin(path) {
      clearTimeout(waiting.get(path));
      const timer = setTimeout(() => settle(path), rest);
      timer.unref();
      waiting.set(path, timer);
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
