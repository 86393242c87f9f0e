import type { Parcel } from '#core/search/parcel';
import { createSearch } from '#core/search/search';
import { openSearchIndex, type SearchIndex } from '#core/search/search-index';
import type { Disk } from '#core/storage/disk';
import type { SearchPart, SearchRequest } from '#protocol/search-calls';

/** Which workspace is searched, and the file of its index; null: without one. */
export interface RoomOptions {
  readonly root: string;
  readonly file: string | null;
}

/** What the thread that searches is told. */
export type RoomMessage =
  | { readonly kind: 'find'; readonly id: number; readonly request: SearchRequest }
  | { readonly kind: 'changed'; readonly paths: readonly string[] | null }
  | { readonly kind: 'close' };

/** What it answers to a `find`: that it has looked which files there are, and then the part or why there is none. */
export type RoomAnswer =
  | { readonly id: number; readonly looked: true }
  | { readonly id: number; readonly parcel: Parcel }
  | { readonly id: number; readonly failure: string };

/** A search with its index, which catches up by itself whenever nothing is asked. */
export interface SearchRoom {
  changed(paths: readonly string[] | null): void;
  find(request: SearchRequest, looked?: () => void): SearchPart;
  close(): void;
}

/** How long documents that changed just now are left to rest before they are indexed, in ms. */
const rest = 2500;

/**
 * Opens the search of a workspace. Between two turns of indexing whatever was asked meanwhile is answered. At rest there is
 * no timer: only documents that have changed within seconds are waited for.
 */
export function createSearchRoom(disk: Disk, { root, file }: RoomOptions): SearchRoom {
  let index = file === null ? null : openedIndex(disk, file);
  let search = createSearch(disk, root, index, Date.now);
  let turn: NodeJS.Immediate | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  /** An index that cannot be written or read any more is left: every document is read instead. */
  const without = () => {
    closeIndex(index);
    index = null;
    search = createSearch(disk, root, null, Date.now);
  };
  const work = () => {
    turn = null;
    if (isClosed || index === null) return;
    try {
      if (search.catchUp()) return awake();
    } catch {
      return without();
    }
    if (search.isWaiting()) timer ??= setTimeout(rested, rest);
  };
  const rested = () => {
    timer = null;
    awake();
  };
  const awake = () => {
    if (isClosed || turn !== null) return;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    turn = setImmediate(work);
  };

  awake();
  return {
    changed(paths) {
      search.changed(paths);
      awake();
    },
    find(request, looked) {
      try {
        return search.find(request, looked);
      } catch (error) {
        if (index === null) throw error;
        without();
        return search.find(request, looked);
      } finally {
        awake();
      }
    },
    close() {
      isClosed = true;
      if (turn !== null) clearImmediate(turn);
      if (timer !== null) clearTimeout(timer);
      closeIndex(index);
    },
  };
}

function openedIndex(disk: Disk, file: string): SearchIndex | null {
  try {
    return openSearchIndex(disk, file);
  } catch {
    // A full or read-only disk, or another program at it for long: slower, and just as right.
    return null;
  }
}

function closeIndex(index: SearchIndex | null): void {
  try {
    index?.close();
  } catch {
    // Whatever is wrong with it, it is made anew by whoever opens it next.
  }
}
