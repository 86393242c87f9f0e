import { Fault, faultFromSystem } from '#protocol';
import type { RunState } from '#protocol/ai-calls';
import type { Told } from './answering.ts';

/** Answers on their way, each told piece by piece to whoever asks for the next one. */
export interface RunList {
  /** Begins an answer under an id; `work` throws where it does not come whole. */
  begin(id: string, work: (told: Told, signal: AbortSignal) => Promise<void>): void;
  /** Waits for more than `from` characters, for the end, or for `patience` ms; `ai-gone` where the run is not known. */
  next(id: string, from: number): Promise<RunState>;
  /** Ends a request; false where there is none. */
  cancel(id: string): boolean;
  close(): void;
}

interface Run {
  text: string;
  done: boolean;
  model: string | null;
  waits: number | null;
  fault: Fault | null;
  readonly ending: AbortController;
  /** Those who wait for news. */
  readonly waiting: Set<() => void>;
  /** Ends a run that nobody asks for any more. */
  idle: NodeJS.Timeout | undefined;
}

/** How long a question waits for news, and after how long without one a run is given up, in ms. */
export interface RunPatience {
  readonly news: number;
  readonly idle: number;
}

/** How many runs are remembered; those that ended first are forgotten first. */
const most = 50;

/** Makes a list of no runs. */
export function createRunList({ news, idle }: RunPatience = { news: 20_000, idle: 60_000 }): RunList {
  const runs = new Map<string, Run>();

  const tell = (run: Run) => {
    for (const wake of [...run.waiting]) wake();
  };
  const finish = (run: Run, fault: Fault | null) => {
    if (run.done) return;
    Object.assign(run, { done: true, fault, waits: null });
    tell(run);
  };
  const keepUp = (run: Run) => {
    clearTimeout(run.idle);
    run.idle = setTimeout(() => run.ending.abort(), idle).unref();
  };
  const told = (run: Run): Told => ({
    text(part) {
      run.text += part;
      tell(run);
    },
    waits(seconds) {
      run.waits = seconds;
      tell(run);
    },
    model(name) {
      run.model = name;
    },
  });

  return {
    begin(id, work) {
      const ending = new AbortController();
      const run: Run = { text: '', done: false, model: null, waits: null, fault: null, ending, waiting: new Set(), idle: undefined };
      for (const [other, { done }] of runs) if (runs.size >= most && done) runs.delete(other);
      runs.set(id, run);
      keepUp(run);
      work(told(run), ending.signal)
        .then(
          () => finish(run, null),
          (error: unknown) => finish(run, ending.signal.aborted ? new Fault('ai-gone', {}) : faultFromSystem(error, '.')),
        )
        .finally(() => clearTimeout(run.idle));
    },
    async next(id, from) {
      const run = runs.get(id);
      if (run === undefined) throw new Fault('ai-gone', {});
      if (!run.done) keepUp(run);
      if (!run.done && run.text.length <= from) await newsOf(run, news);
      const { done, model, waits, fault } = run;
      return { text: run.text.slice(from), done, model, waits, fault: fault === null ? null : { code: fault.code, detail: fault.detail } };
    },
    cancel(id) {
      const run = runs.get(id);
      if (run === undefined) return false;
      run.ending.abort();
      runs.delete(id);
      finish(run, new Fault('ai-gone', {}));
      return true;
    },
    close() {
      for (const [id] of [...runs]) this.cancel(id);
    },
  };
}

function newsOf(run: Run, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      run.waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, patience);
    run.waiting.add(wake);
  });
}
