import { performance } from 'node:perf_hooks';
import { Fault } from '#protocol';

/** How much one connection may ask (`spec/interfaces.md` §3). */
const callLimits = { inFlight: 64, perSecond: 200 } as const;

/** Counts the calls of one connection. */
export interface Gauge {
  /** Lets a call begin, and answers how to say that it has ended; throws `too-many-calls` or `calls-too-fast`. */
  enter(): () => void;
}

/** Makes the gauge of a connection; `now` in ms. */
export function createGauge(now: () => number = () => performance.now(), limits: typeof callLimits = callLimits): Gauge {
  let inFlight = 0;
  let begun: number[] = [];
  return {
    enter() {
      if (inFlight >= limits.inFlight) throw new Fault('too-many-calls', { limit: limits.inFlight });
      const moment = now();
      begun = begun.filter((at) => at > moment - 1000);
      if (begun.length >= limits.perSecond) throw new Fault('calls-too-fast', { limit: limits.perSecond });
      begun.push(moment);
      inFlight++;
      return () => void inFlight--;
    },
  };
}
