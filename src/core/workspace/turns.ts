import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** Work that leaves the event loop to others now and then. */
export interface Turns {
  /** Lets others have their turn, once this one has lasted long enough. */
  rest(): Promise<void>;
}

/** Begins to take turns; `slice` is how long one may last, in ms. */
export function takeTurns(slice = 15): Turns {
  let since = performance.now();
  return {
    async rest() {
      if (performance.now() - since < slice) return;
      await setImmediate();
      since = performance.now();
    },
  };
}

/** About how long a piece of a text is, in UTF-16 units. */
const pieceLength = 64 * 1024;

/** A text in pieces that end with a line: what is composed or folded piece by piece is as if it were done at once. */
export function* piecesOf(text: string, from = 0): Generator<string> {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start + pieceLength);
    const end = newline < 0 ? text.length : newline + 1;
    yield text.slice(start, end);
    start = end;
  }
}
