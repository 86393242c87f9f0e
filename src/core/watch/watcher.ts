/** What a watcher says of a folder. Paths are workspace-relative with `/`; an empty set means: look everywhere. */
export interface WatchListener {
  /** Files were added, changed or removed, by whomever; told once for a burst. */
  changed(paths: ReadonlySet<string>): void;
  /** Something may go unseen from now on; `reason` is the system's code, such as ENOSPC, or `network`, `late`. */
  troubled(reason: string): void;
}

/** A watcher at work. */
export interface Watcher {
  close(): Promise<void>;
}

/** Starts to watch `root`; resolves when changes from now on are seen. */
export type Watch = (root: string, listener: WatchListener) => Promise<Watcher>;

/** Folders whose changes are nobody's business: git's and the ledger's own, and packages. */
export const unwatched = /(^|[\\/])(\.git|\.vmark|node_modules)([\\/]|$)/u;

/** From so many events in one burst on the system's queue may have been full, and what did not fit was dropped without a word: half of what was seen to arrive then. */
const overflowFrom = 4000;

/**
 * Gathers what comes in a burst and tells it once, `rest` ms after the last, at the latest after `longest` ms. Of a burst that may have
 * overflowed it tells that anything may have changed.
 */
export function gather(tell: (paths: ReadonlySet<string>) => void, rest = 100, longest = 1000, most = overflowFrom) {
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let since = 0;
  let events = 0;
  let quietSince = 0;
  const flush = () => {
    timer = null;
    const told = events >= most ? new Set<string>() : paths;
    paths = new Set();
    quietSince = Date.now();
    tell(told);
  };
  return {
    add(path: string) {
      if (timer !== null) clearTimeout(timer);
      else {
        since = Date.now();
        if (since - quietSince > longest) events = 0;
      }
      events++;
      paths.add(path);
      timer = setTimeout(flush, Math.max(0, Math.min(rest, since + longest - Date.now())));
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
