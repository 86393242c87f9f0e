/** What a watcher says of a folder. Paths are workspace-relative with `/`; an empty set means: look everywhere. */
export interface WatchListener {
  /** Files were added, changed or removed, by whomever; told once for a burst. */
  changed(paths: ReadonlySet<string>): void;
  /** Something may go unseen from now on; `reason` is the system's code, such as ENOSPC. */
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

/** Gathers what comes in a burst and tells it once, `rest` ms after the last, at the latest after `longest` ms. */
export function gather(tell: (paths: ReadonlySet<string>) => void, rest = 100, longest = 1000) {
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let since = 0;
  const flush = () => {
    timer = null;
    const told = paths;
    paths = new Set();
    tell(told);
  };
  return {
    add(path: string) {
      if (timer === null) since = Date.now();
      else clearTimeout(timer);
      paths.add(path);
      timer = setTimeout(flush, Math.max(0, Math.min(rest, since + longest - Date.now())));
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
